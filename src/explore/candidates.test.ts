import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRelied } from '../../test/support/explore/any-relied.fixture.js'
import { defaultReadings, gapIds, readingsOf } from '../contract/gaps.js'
import { changesOf, formatChange } from './changes.js'
import { parseTrace } from './relied.js'
import { firstChanges } from './survey.js'

const base = { readings: defaultReadings, chosen: {} }

/** The other readings of a gap than its default. */
function othersOf(gap: (typeof gapIds)[number]): string[] {
  return readingsOf(gap)
    .slice(1)
    .map(({ name }) => name)
}

describe('what is tried after the first run', () => {
  it('is every reading that would have made a difference, each once, and nothing else', () => {
    fc.assert(
      fc.property(anyRelied(), (relied) => {
        const wanted = [...relied.values()].flatMap(({ gap, instead }) => {
          return instead.map((reading) => formatChange({ gap, reading }))
        })
        expect(firstChanges(relied, 'relied', base).map(formatChange)).toEqual(wanted)
      }),
    )
  })

  it('is every other reading of every gap where all are asked for, whatever was relied on', () => {
    const every = gapIds.flatMap((gap) => othersOf(gap).map((reading) => formatChange({ gap, reading })))
    fc.assert(
      fc.property(anyRelied(), (relied) => {
        expect(firstChanges(relied, 'all', base).map(formatChange)).toEqual(every)
      }),
    )
  })

  it('is every other reading of the gaps of a list, and none of another gap that was relied on', () => {
    fc.assert(
      fc.property(anyRelied(), fc.subarray(gapIds, { minLength: 1 }), (relied, list) => {
        const tried = firstChanges(relied, list, base)
        expect(tried).toEqual(list.flatMap((gap) => othersOf(gap).map((reading) => ({ gap, reading }))))
      }),
    )
  })

  it('is nothing of what the command has chosen itself, whatever is asked for', () => {
    const line = { gap: 'threads.total', reading: 'page-size', instead: ['all-matches'], from: 'options' }
    const relied = parseTrace(JSON.stringify(line))
    for (const wanted of ['relied', 'all', ['threads.total']] as const) {
      expect(firstChanges(relied, wanted, base).filter(({ gap }) => gap === 'threads.total')).toEqual([])
    }
  })

  it('is not the reading that the server has already', () => {
    const readings = { ...defaultReadings, 'threads.total': 'page-size' as const }
    const tried = firstChanges(new Map(), ['threads.total'], { readings, chosen: {} })
    expect(tried.map(({ reading }) => reading)).toEqual(['all-matches', 'all-threads'])
  })

  it('is the reading the server has where another simulator of the command had a different one', () => {
    const line = { gap: 'threads.total', reading: 'page-size', instead: ['all-matches'] }
    const relied = parseTrace(JSON.stringify(line))
    expect(firstChanges(relied, 'relied', base)).toEqual([{ gap: 'threads.total', reading: 'all-matches' }])
    const chosen = changesOf([{ gap: 'threads.total', reading: 'all-matches' }])
    expect(firstChanges(relied, 'relied', { ...base, chosen })).toEqual([])
  })
})
