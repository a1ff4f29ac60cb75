import { writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { ScenarioInput } from '../../src/story/format/scenario.js'

/** Plans for each agent: a sample of the corpus in the full suite, all of it by `npm run check:fuzz`. */
export const runs = Number(process.env['FUZZ_RUNS'] ?? 0)

const chosen = process.env['FUZZ_ONLY']?.split(',') ?? []

/** Returns the selected bugs: all for `npm run check:fuzz`, otherwise a sample. */
export function wanted<Bug extends { readonly name: string }>(bugs: readonly Bug[], sample: string[]): Bug[] {
  if (chosen.length > 0) return bugs.filter(({ name }) => chosen.includes(name))
  return runs > 0 ? [...bugs] : bugs.filter(({ name }) => sample.includes(name))
}

/** The findings for an agent and its correct twin. */
export interface Row {
  readonly name: string
  /** How many elements its bug takes. */
  readonly elements: number
  /** For its first finding: earlier plans, elements, judge, and failed replays of its file. */
  readonly found: readonly [number, number, string, string] | undefined
  readonly twin: number
}

/** Checks rows against the limits, and prints each as soon as it is known, in the form of bench/README.md. */
export async function judge(rows: AsyncIterable<Row>): Promise<void> {
  const all: Row[] = []
  for await (const row of rows) {
    all.push(row)
    const { name, elements, found = ['–', '–', '–', '–'], twin } = row
    if (runs > 0) process.stdout.write(`| ${[name, elements, ...found, twin].join(' | ')} |\n`)
  }
  expect(all.filter(({ twin }) => twin > 0)).toEqual([])
  const found = all.flatMap((row) => (row.found ? [row.found] : []))
  expect(found.length).toBeGreaterThanOrEqual(Math.round((19 / 21) * all.length))
  const sizes = found.map(([, size]) => size).sort((a, b) => a - b)
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(3)
  expect(found.filter(([, , , replays]) => !/^(\d+)\/\1$/.test(replays))).toEqual([])
}

/** A desk with two pages of threads, whose oldest thread must be read. */
const desk: ScenarioInput = {
  scenario: 'desk',
  seed: 7,
  identities: [
    {
      handle: 'support',
      threads: [
        { key: 'parcel', messages: [{ from: 'Bo <bo@example.com>', at: '-100d', text: 'Where is it?' }] },
      ],
      generate: { threads: 13, messages: 1, over: '10d', kinds: ['support'] },
    },
  ],
  expect: [{ request: 'messages.list', where: { query: { thread_id: { thread: 'parcel' } } }, at_least: 1 }],
}

/** Writes a scenario, by default the desk, to a folder; returns its path. */
export async function writeDesk(
  folder: (...names: string[]) => string,
  scenario: ScenarioInput = desk,
): Promise<string> {
  const file = folder('desk.json')
  await writeFile(file, JSON.stringify(scenario))
  return file
}
