import { describe, expect, it } from 'vitest'
import { gapIds, readingsOf } from '../../src/contract/gaps.js'
import { sourceFiles } from '../source-code/source-files.js'
import { cases } from './cases/index.js'
import { expectReadings, requestGaps } from './every-reading.js'

describe('every reading of a gap', () => {
  it.each(requestGaps)('%s', (gap) => expectReadings(gap))
})

describe('the register of gaps', () => {
  const registered = gapIds.filter((gap) => !gap.startsWith('events.')).toSorted()

  it('has a case for each gap of answers', () => {
    expect(requestGaps.toSorted()).toEqual(registered)
  })

  it('has each gap settled in the code of answers', () => {
    const settled = sourceFiles()
      .filter(({ path }) => /^(handlers|world\/rendering)\//.test(path))
      .flatMap(({ text }) => [...text.matchAll(/\bsettle\(\s*'([^']+)'/g)])
    expect([...new Set(settled.map(([, gap]) => gap))].toSorted()).toEqual(registered)
  })

  it('has a case for each reading', () => {
    for (const gap of requestGaps) {
      const seen = Object.keys(cases[gap].sees).toSorted()
      expect(seen).toEqual(
        readingsOf(gap)
          .map(({ name }) => name)
          .toSorted(),
      )
    }
  })
})
