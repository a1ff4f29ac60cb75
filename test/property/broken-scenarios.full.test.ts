import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { stringify } from 'yaml'
import { loadScenario } from '../../src/story/load.js'
import { ScenarioError } from '../../src/story/read/problem.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { type Mutation, misspell, type PartPath, wreck } from './mutations.js'
import { wholeFormat } from './whole-format.js'

const file = join(sharedFolder(), 'story.yaml')
// Loading hundreds of scenarios is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** Returns the problems of a text; empty if it is accepted. */
async function problemsIn(text: string): Promise<string[]> {
  writeFileSync(file, text)
  const error = await loadScenario(file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error === undefined) return []
  expect(error).toBeInstanceOf(ScenarioError)
  // The last line of a long list counts the omitted problems.
  const lines = (error as ScenarioError).message.split('\n').filter((line) => !/: and \d+ more$/.test(line))
  const length = text.split('\n').length
  for (const line of lines) {
    const [, place = '0', words] =
      /^story\.yaml:(\d+):\d+: (\S.*)$/.exec(line.replace(file, 'story.yaml')) ?? []
    expect({ line, isInside: Number(place) > 0 && Number(place) <= length }).toEqual({ line, isInside: true })
    expect(words).not.toMatch(/undefined|Invalid|object Object|first-key|second-key|hook-secret/)
  }
  return lines
}

async function holds(mutation: fc.Arbitrary<Mutation>, check: (lines: string[], made: Mutation) => void) {
  const property = fc.asyncProperty(mutation, async (made) =>
    check(await problemsIn(stringify(made.value)), made),
  )
  await fc.assert(property, { numRuns: 25 })
}

/** Gaps, fields and parameters are not keys of the format; a mistake in a short word makes another valid word. */
const isKey = (path: PartPath, word: string) =>
  word.length > 3 &&
  !word.includes('.') &&
  !path.slice(0, -1).some((step) => ['has', 'query', 'kinds'].includes(String(step)))
const choices = 'inbound outbound message.received message.bounced threads.list succeeded page-size'.split(
  ' ',
)
const isChoice = (_: PartPath, word: string) => choices.includes(word)

describe('a scenario with a mistake', () => {
  it('is valid without the mistake', async () => {
    expect(await problemsIn(stringify(wholeFormat))).toEqual([])
  })

  it('is accepted, or refused with the place of every problem', async () => {
    let refused = 0
    await holds(wreck(wholeFormat), (lines) => {
      if (lines.length > 0) refused++
    })
    expect(refused).toBeGreaterThan(15)
  })

  it('is refused with the spelling of a key', async () => {
    await holds(misspell(wholeFormat, 'key', isKey), (lines, { misspelt }) => {
      if (misspelt?.wrong === misspelt?.right) return
      const told = lines.filter((line) => line.includes(`${misspelt?.wrong}: unknown key; did you mean`))
      expect(told).toHaveLength(1)
      expect(told[0]).toContain(`"${misspelt?.right}"`)
    })
  })

  it('is refused with the spelling of a choice', async () => {
    await holds(misspell(wholeFormat, 'text', isChoice), (lines, { misspelt }) => {
      if (misspelt?.wrong === misspelt?.right) return
      expect(lines.join('\n')).toMatch(
        new RegExp(`"${misspelt?.wrong}".*did you mean .*"${misspelt?.right}"`),
      )
    })
  })

  it('is refused with a place if its text is damaged', async () => {
    const text = stringify(wholeFormat)
    const damage = fc.record({
      at: fc.nat(text.length),
      cut: fc.nat(3),
      put: fc.constantFrom('', ': ', '- ', '&a ', '*a', '{{', ...' \n\t:{}[]"\'!|#\0'),
    })
    const property = fc.asyncProperty(damage, async ({ at, cut, put }) => {
      await problemsIn(text.slice(0, at) + put + text.slice(at + cut))
    })
    await fc.assert(property, { numRuns: 50 })
  })
})
