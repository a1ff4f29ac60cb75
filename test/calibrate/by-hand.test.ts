import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { gapIds, gaps } from '../../src/contract/gaps.js'
import { rowsOf } from '../support/markdown-page.js'

it('docs/live-service.md says what shows each assumption of the gaps that are learned by hand', () => {
  const page = readFileSync(new URL('../../docs/live-service.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n### What one real delivery tells you\n')
  const shown = new Map<string, string[]>()
  let gap = ''
  for (const [cell = '', , assumptions = ''] of rowsOf(section.split('\n#')[0] as string)) {
    gap = cell.match(/`(.+)`/)?.[1] ?? gap
    const names = [...assumptions.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
    shown.set(gap, [...(shown.get(gap) ?? []), ...names])
  }
  const byHand = gapIds.filter((id) => gaps[id].learnedBy === 'by-hand')
  expect([...shown.keys()].filter((id) => id !== '')).toEqual(byHand)
  for (const id of byHand) {
    expect(shown.get(id)?.toSorted(), id).toEqual(Object.keys(gaps[id].assumptions).toSorted())
  }
})
