import { describe, expect, it } from 'vitest'
import { plantedBugs } from './agents.js'
import { searchAgent } from './search-agent.js'

/** Plans for each agent: a sample of the corpus in the full suite, all of it by `npm run check:fuzz`. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 0)
const chosen = process.env['FUZZ_ONLY']?.split(',') ?? []
const sample = ['stops-at-total', 'takes-failure-for-empty', 'handles-an-event-twice']
const all = plantedBugs.filter(({ name }) => {
  if (chosen.length > 0) return chosen.includes(name)
  return runs > 0 || sample.includes(name)
})

/** A row of the table in docs/fuzz.md. */
async function rowOf(name: string, elements: number): Promise<readonly (string | number)[]> {
  const count = runs || 60
  const { findings } = await searchAgent(name, count)
  const twin = await searchAgent(`${name}, careful`, count)
  expect(twin.findings, `findings against the twin of ${name}`).toEqual([])
  const [first] = findings
  const found = first
    ? [first.foundAfterRuns, first.elements.length, first.failure.judgedBy]
    : ['-', '-', '-']
  return [name, elements, ...found, twin.findings.length]
}

describe('the corpus of small agents with a planted bug', { timeout: 7_200_000 }, () => {
  it('has each found, and no twin blamed', async () => {
    const rows: (readonly (string | number)[])[] = []
    for (const { name, elements } of all) {
      const row = await rowOf(name, elements)
      rows.push(row)
      if (runs > 0) process.stdout.write(`| ${row.join(' | ')} |\n`)
    }
    const sizes = rows.map(([, , , size]) => size).filter((size) => typeof size === 'number')
    expect(sizes.length).toBeGreaterThanOrEqual(Math.floor(0.95 * rows.length))
    expect(sizes.toSorted()[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(3)
  })
})
