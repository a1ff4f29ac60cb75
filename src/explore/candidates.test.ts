import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRelied } from '../../test/support/explore/any-relied.fixture.js'
import { defaultReadings, gapIds, readingsOf } from '../contract/gaps.js'
import { changesOf, formatChange } from './changes.js'
import { parseTrace } from './relied.js'
import { firstChanges } from './survey.js'

const base = { readings: defaultReadings, chosen: {} }

/** Returns the readings of a gap other than its default. */
function othersOf(gap: (typeof gapIds)[number]): string[] {
  return readingsOf(gap)
    .slice(1)
    .map(({ name }) => name)
}

describe('firstChanges', () => {
  it('returns every reading that would have made a difference', () => {
    fc.assert(
      fc.property(anyRelied(), (relied) => {
        const wanted = [...relied.values()].flatMap(({ gap, instead }) => {
          return instead.map((reading) => formatChange({ gap, reading }))
        })
        expect(firstChanges(relied, 'relied', base).map(formatChange)).toEqual(wanted)
      }),
    )
  })

  it('returns every other reading of every gap for "all"', () => {
    const every = gapIds.flatMap((gap) => othersOf(gap).map((reading) => formatChange({ gap, reading })))
    fc.assert(
      fc.property(anyRelied(), (relied) => {
        expect(firstChanges(relied, 'all', base).map(formatChange)).toEqual(every)
      }),
    )
  })

  it('returns every other reading of the listed gaps only', () => {
    fc.assert(
      fc.property(anyRelied(), fc.subarray(gapIds, { minLength: 1 }), (relied, list) => {
        const tried = firstChanges(relied, list, base)
        expect(tried).toEqual(list.flatMap((gap) => othersOf(gap).map((reading) => ({ gap, reading }))))
      }),
    )
  })

  it('omits gaps whose reading the command chose itself', () => {
    const line = { gap: 'threads.total', reading: 'page-size', instead: ['all-matches'], from: 'options' }
    const relied = parseTrace(JSON.stringify(line))
    for (const wanted of ['relied', 'all', ['threads.total']] as const) {
      expect(firstChanges(relied, wanted, base).filter(({ gap }) => gap === 'threads.total')).toEqual([])
    }
  })

  it('omits the current reading of the server', () => {
    const readings = { ...defaultReadings, 'threads.total': 'page-size' as const }
    const tried = firstChanges(new Map(), ['threads.total'], { readings, chosen: {} })
    expect(tried.map(({ reading }) => reading)).toEqual(['all-matches', 'all-threads'])
  })

  it('includes the reading of the server if another simulator had a different one', () => {
    const line = { gap: 'threads.total', reading: 'page-size', instead: ['all-matches'] }
    const relied = parseTrace(JSON.stringify(line))
    expect(firstChanges(relied, 'relied', base)).toEqual([{ gap: 'threads.total', reading: 'all-matches' }])
    const chosen = changesOf([{ gap: 'threads.total', reading: 'all-matches' }])
    expect(firstChanges(relied, 'relied', { ...base, chosen })).toEqual([])
  })
})
