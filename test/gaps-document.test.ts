import { describe, expect, it } from 'vitest'
import { formatGapsDocument } from '../build/gaps-document.js'
import { linkToPart } from '../build/service-document.js'
import { describeAssumptions, everyOperation, type Gap } from '../src/contract/gaps/gap.js'
import { gapIds, gaps } from '../src/contract/gaps.js'
import { expectNoStrayMarkup, rowsOf } from './support/markdown-page.js'

const page = formatGapsDocument()

/** Returns the part of the page about a gap. */
function sectionOf(id: string): string {
  const [, section = ''] = page.split(`\n### ${id}\n`)
  return section.split(/\n##/)[0] ?? ''
}

/** Asserts that the page tells everything about a gap. */
function expectTold(id: string, gap: Gap): void {
  const section = sectionOf(id)
  const concerns = gap.concerns === everyOperation ? ['every operation'] : gap.concerns
  const stated = [gap.question, gap.advice, ...gap.parts.map(linkToPart), ...concerns]
  for (const text of stated) expect(section, id).toContain(text)
  expect(section.toLowerCase()).toContain(gap.evidence.toLowerCase())
  const rows = rowsOf(section).filter(([name = '']) => name.startsWith('`'))
  expect(rows.map(([, means, example]) => [means, example])).toEqual(
    describeAssumptions(gap).map(({ means, example }) => [means, `\`${example}\``]),
  )
  expect(rows.map(([name = '']) => name.replace(/ \(.*/, ''))).toEqual(
    describeAssumptions(gap).map(({ name }) => `\`${name}\``),
  )
  const marked = (mark: RegExp) => rows.findIndex(([name = '']) => mark.test(name))
  expect(marked(/` \(default/)).toBe(0)
  expect(marked(/[(,] ?worst case\)$/)).toBe(
    describeAssumptions(gap).findIndex(({ name }) => name === gap.worst),
  )
}

describe('docs/gaps.md', () => {
  it('equals the register', async () => {
    await expect(page).toMatchFileSnapshot('../docs/gaps.md')
  })

  it('states in its first lines how to regenerate it', () => {
    expect(page.split('\n')[0]).toContain('npx vitest run test/gaps-document.test.ts -u')
  })
})

describe('the page of gaps', () => {
  it('describes every gap completely', () => {
    for (const id of gapIds) expectTold(id, gaps[id])
  })

  it('links every gap once in its contents', () => {
    const ids: readonly string[] = gapIds
    const links = [...page.matchAll(/\[([^\]]+)\]\(#/g)].map(([, text = '']) => text)
    expect(links.filter((text) => ids.includes(text))).toEqual(ids)
  })

  it('contains no stray Markdown markup', () => {
    expectNoStrayMarkup(page)
  })
})
