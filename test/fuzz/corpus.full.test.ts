import { describe, expect, it } from 'vitest'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { plantedBugs } from './agents.js'
import { fuzzPython, hasPython, pythonBugs } from './python-agents.js'
import { failuresIn, searchAgent } from './search-agent.js'

/** Plans for each agent: a sample of the corpus in the full suite, all of it by `npm run check:fuzz`. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 0)
const chosen = process.env['FUZZ_ONLY']?.split(',') ?? []
const sample = ['ignores-retry-after', 'handles-an-event-twice', 'leaves-out-the-last-page']
const isWanted = ({ name }: { readonly name: string }): boolean => {
  if (chosen.length > 0) return chosen.includes(name)
  return runs > 0 || sample.includes(name)
}

/** What was found of an agent, and of its twin. */
interface Row {
  readonly name: string
  /** How many elements its bug takes. */
  readonly elements: number
  /** Of its first finding: plans before it, elements, what judged, and failures of so many replays of its file. */
  readonly found: readonly [number, number, string, string] | undefined
  readonly twin: number
}

async function rowOf(name: string, elements: number): Promise<Row> {
  const count = runs || 40
  const folder = await useFolder()
  const { findings } = await searchAgent(name, count)
  const twin = await searchAgent(`${name}, careful`, count)
  const [first] = findings
  if (!first) return { name, elements, found: undefined, twin: twin.findings.length }
  const times = runs > 0 ? 20 : 3
  const failures = await failuresIn(folder(), name, first, times)
  const { foundAfterRuns, failure } = first
  const found = [foundAfterRuns, first.elements.length, failure.judgedBy, `${failures}/${times}`] as const
  return { name, elements, found, twin: twin.findings.length }
}

/** Judges rows as the bars say, and prints them as docs/fuzz.md has them. */
function judge(rows: readonly Row[]): void {
  if (runs > 0) {
    const lines = rows.map(({ name, elements, found = ['–', '–', '–', '–'], twin }) => {
      return `| ${[name, elements, ...found, twin].join(' | ')} |\n`
    })
    process.stdout.write(lines.join(''))
  }
  expect(rows.filter(({ twin }) => twin > 0)).toEqual([])
  const found = rows.flatMap((row) => (row.found ? [row.found] : []))
  expect(found.length).toBeGreaterThanOrEqual(Math.floor((19 / 21) * rows.length))
  const sizes = found.map(([, size]) => size).sort((a, b) => a - b)
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(3)
  expect(found.filter(([, , , replays]) => !/^(\d+)\/\1$/.test(replays))).toEqual([])
}

describe('the corpus of small agents with a planted bug', { timeout: 7_200_000 }, () => {
  it('has those in TypeScript found, and no twin blamed', async () => {
    const rows: Row[] = []
    for (const { name, elements } of plantedBugs.filter(isWanted)) rows.push(await rowOf(name, elements))
    judge(rows)
  })

  const start = useProgram()
  // A command a plan takes minutes: npm run check:fuzz.
  const python = async (): Promise<void> => {
    const rows: Row[] = []
    for (const { name, elements } of pythonBugs.filter(isWanted)) {
      const folder = await useFolder()
      const { findings } = await fuzzPython(start, folder, [name], runs)
      const twin = await fuzzPython(start, folder, [name, '--careful'], runs)
      const [first] = findings
      const replays = first ? await replaysOf(first.again) : 0
      rows.push({
        name: `${name} (Python)`,
        elements,
        found: first && [first.found_after_runs, first.elements.length, first.judged_by, `${replays}/20`],
        twin: twin.findings.length,
      })
    }
    judge(rows)

    async function replaysOf(again: string): Promise<number> {
      const [, ...args] = again.split(' ')
      let failures = 0
      for (let time = 0; time < 20; time++) if ((await start(...args).outcome).status === 1) failures++
      return failures
    }
  }
  if (runs > 0 && hasPython) it('has those in Python found, and no twin blamed', python)
})
