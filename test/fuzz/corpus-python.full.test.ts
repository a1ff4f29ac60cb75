import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'vitest'
import type { FuzzReport } from '../../src/runs/fuzz/report.js'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { judge, type Row, runs, wanted, writeDesk } from './corpus.js'
import { sendingDesk } from './sending-agents.js'

const start = useProgram()

/** The bugs of agent.py. */
const pythonBugs = [
  { name: 'stops-at-total', elements: 1 },
  { name: 'loses-moved-thread', elements: 1 },
  { name: 'ignores-retry-after', elements: 1 },
  { name: 'crashes-on-missing-text', elements: 2 },
  { name: 'answers-again-after-a-lost-answer', elements: 1 },
  { name: 'answers-its-own-answer', elements: 1 },
] as const

/** Fuzzes agent.py by the command line, with some arguments. */
async function fuzzPython(args: readonly string[], flags: readonly string[]): Promise<FuzzReport> {
  const folder = await useFolder()
  const options = ['--reporter', 'json', '--out', folder('found'), ...flags]
  const client = ['python3', join(import.meta.dirname, 'agent.py'), ...args]
  // Without what happens by itself, each run ends with its agent.
  const sending = { ...sendingDesk, webhooks: [], timeline: [] }
  const story = await writeDesk(folder, args[0]?.startsWith('answers-') ? sending : undefined)
  const { stdout } = await start('fuzz', story, ...options, '--', ...client).outcome
  return JSON.parse(stdout) as FuzzReport
}

async function* rows(): AsyncGenerator<Row> {
  for (const { name, elements } of wanted(pythonBugs, [])) {
    const flags = ['--runs', String(runs)]
    const { findings } = await fuzzPython([name], flags)
    const twin = await fuzzPython([name, '--careful'], flags)
    const times = 20
    const [first] = findings
    const failures = first ? await failuresOf(first.again, times) : 0
    const found = first && ([first.found_after_runs, first.elements.length, first.judged_by] as const)
    const row = { name: `${name} (Python)`, elements, twin: twin.findings.length }
    yield { ...row, found: found && [...found, `${failures}/${times}`] }
  }
}

/** Counts how often a command of a report fails. */
async function failuresOf(again: string, times: number): Promise<number> {
  const [, ...args] = again.split(' ')
  let failures = 0
  for (let time = 0; time < times; time++) if ((await start(...args).outcome).status === 1) failures++
  return failures
}

// A process for each plan takes minutes, so only `npm run check:fuzz` runs this; test/life/same-search.full.test.ts has one.
it.skipIf(runs === 0 || spawnSync('python3', ['--version']).status !== 0)(
  'finds the bugs planted in small Python agents but none in their correct twins',
  { timeout: 7_200_000 },
  () => {
    return judge(rows())
  },
)
