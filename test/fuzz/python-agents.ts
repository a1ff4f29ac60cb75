import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FuzzReport } from '../../src/fuzz/report.js'
import type { Start } from '../cli/program.js'

export const hasPython = spawnSync('python3', ['--version']).status === 0

/** The bugs of agent.py. */
export const pythonBugs = [
  { name: 'stops-at-total', elements: 1 },
  { name: 'loses-moved-thread', elements: 1 },
  { name: 'ignores-retry-after', elements: 1 },
  { name: 'crashes-on-missing-text', elements: 2 },
] as const

/** A desk with two pages of threads, whose oldest thread must be read. */
const desk = {
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

/** Writes the desk to a folder; returns its path. */
export async function writeDesk(folder: (...names: string[]) => string): Promise<string> {
  const file = folder('desk.json')
  await writeFile(file, JSON.stringify(desk))
  return file
}

export const agent = join(import.meta.dirname, 'agent.py')

/** Fuzzes agent.py by the command line, with some arguments. */
export async function fuzzPython(
  start: Start,
  folder: (...names: string[]) => string,
  args: readonly string[],
  runs: number,
  ...flags: readonly string[]
): Promise<FuzzReport> {
  const scenario = await writeDesk(folder)
  const options = ['--runs', String(runs), '--reporter', 'json', '--out', folder('found'), ...flags]
  const { stdout } = await start('fuzz', scenario, ...options, '--', 'python3', agent, ...args).outcome
  return JSON.parse(stdout) as FuzzReport
}
