import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClockMode, createSimulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { expect } from 'vitest'
import { built } from '../cli/built-program.js'
import type { Word } from './moves.js'
import type { Plan } from './plan.js'
import { expectEnd, runProgram, startProcess, startProgram } from './processes.js'
import {
  type Control,
  HttpSession,
  InProcessSession,
  type Served,
  type Told,
  tell,
  worldOptions,
} from './session.js'
import type { Source } from './sources.js'
import type { Store } from './stores.js'
import { chapters, start } from './story.js'

/** A case, opened: everything a door needs to play it. */
export interface Opened {
  readonly number: number
  readonly source: Source
  readonly store: Store
  readonly clock: ClockMode
  readonly words: readonly Word[]
  /** The case's own folder, and the path of its scenario. */
  readonly folder: string
  readonly scenario: string
  readonly receiver: string
  /** The module that commands of the program run as a client. */
  readonly client: string
}

/** A way to play a story. */
export interface Door {
  readonly name: string
  /** Why it cannot use a durable store; undefined if it can. */
  readonly onlyMemory?: string
  /** Plays a case and checks what only this door promises; returns what its client saw. */
  play(opened: Opened): Promise<readonly Told[]>
}

/** What the client of a command must get unchanged, also from a line that was pasted into a shell. */
const note = "it's\na note with \\n, %s and $HOME"

const worldFlags = [
  ...['--seed', `${worldOptions.seed}`],
  ...Object.entries(worldOptions.assume).flatMap(([gap, assumption]) => ['--assume', `${gap}=${assumption}`]),
]

const flagsOf = ({ clock, receiver }: Opened): string[] => {
  return [...worldFlags, '--clock', clock, '--allow-delivery-to', new URL(receiver).host]
}

async function writePlan(opened: Opened, more: Partial<Plan> & object = {}): Promise<string> {
  const { folder, words, clock, scenario, receiver } = opened
  const plan = {
    words,
    clock,
    scenario,
    receiver,
    out: join(folder, 'told.json'),
    note,
    ...more,
  }
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
  return join(folder, 'plan.json')
}

async function readTold({ folder }: Opened): Promise<Told[]> {
  return JSON.parse(await readFile(join(folder, 'told.json'), 'utf8')) as Told[]
}

/** A scenario of another client of the same server, with operations that the first world lacks. */
const guest = {
  scenario: 'guest',
  extend: 'common',
  organization: { api_keys: ['guest-key'] },
  identities: [],
}

async function serve(opened: Opened, stored: readonly string[]) {
  const flags = ['--port', '0', '--json', ...flagsOf(opened), ...stored]
  const program = startProgram(['serve', opened.scenario, ...flags])
  const [, ready = ''] = await program.output(/^(\{"event":"ready".*)$/m)
  const { url, control } = JSON.parse(ready)
  const stop = async (): Promise<void> => {
    program.process.kill('SIGTERM')
    expectEnd(await program.ended, 0)
  }
  return { served: { url, control, key: 'test-key' } as Served, stop }
}

/** Checks that a start which is refused has no effect, even if it would have begun with an empty state. */
async function expectNoStart({ scenario }: Opened, stored: readonly string[]): Promise<void> {
  const flags = ['--port', '0', '--state-reset', '--assume', 'none-such']
  expectEnd(await runProgram(['serve', scenario, ...stored, ...flags]), 2)
}

const onlyMemory = 'it takes no flag or option for a state: every run starts its story anew'

/** Makes the control API need a token, which clients must be told. */
const guarded = ['--control-token', 'sesame']

/** The words of a client of `replay`, which cannot restart the program that runs it. */
const withoutRestart = (words: readonly Word[]): readonly Word[] =>
  words.includes('restart') ? ['past', 'future'] : words

/** The endings of the files that a report can be written to. */
const reportEndings = ['json', 'xml', 'md', 'html', 'txt'] as const

/** Checks that a command has written its report, and that programs can read it. */
async function expectReport(path: string, command: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  if (path.endsWith('.json')) expect(JSON.parse(text).format).toBe(`agent-mailbox-sim/${command}-report`)
  else if (path.endsWith('.xml')) expect(text).toMatch(/^<\?xml[\s\S]*<\/testsuites>\s*$/)
  else if (path.endsWith('.html')) expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/i)
  else expect(text).toMatch(/^\S.{20}/)
}

/** Runs a command of the program with the client; returns how it ended, and the file of its report. */
async function runCommand(opened: Opened, command: string, flags: readonly string[]) {
  const { folder, number, scenario, words } = opened
  const plan = await writePlan(opened, { words: withoutRestart(words) })
  const report = join(folder, `report.${reportEndings[number % reportEndings.length]}`)
  const variables = [
    'OWN_URL={base_url}',
    'OWN_KEY={api_key}',
    'OWN_CONTROL={control_url}',
    'OWN_TOKEN={control_token}',
  ]
  const line = [
    ...[command, scenario, ...flagsOf(opened), '--out', report, ...flags],
    ...variables.flatMap((variable) => ['--env', variable]),
    ...['--', process.execPath, opened.client, plan, note],
  ]
  return { ended: await runProgram(line, { cwd: folder }), report, line }
}

/** The door with nothing between the story and the simulator. */
export const inProcess: Door = {
  name: 'in-process',
  onlyMemory,
  async play({ scenario, clock, receiver, words }) {
    const session = await InProcessSession.open(
      {
        open: () => createSimulator({ scenario, clock, ...worldOptions }),
        fork: (simulator) => simulator.addWorld({ extend: [] }),
        send: (request, { handlers }) => getResponse(handlers, request),
      },
      receiver,
    )
    const told = await tell(session, words)
    session.close()
    return told
  },
}

export const doors: readonly Door[] = [
  {
    name: 'serve',
    async play(opened) {
      const { store, folder, number, receiver, words } = opened
      const stored = await store.flags(folder, number)
      let server = await serve(opened, stored)
      const restart = async (control: Control): Promise<Served> => {
        const other = (await control('POST', '/worlds', { scenario: guest })) as { api_key: string }
        await server.stop()
        if (store.durable) await expectNoStart(opened, stored)
        server = await serve(opened, stored)
        const headers = { authorization: `Bearer ${other.api_key}` }
        const first = store.durable && (await fetch(`${server.served.url}/api/v1/whoami`, { headers }))
        if (first) expect(first.status, 'the first request to a world that is not loaded yet').toBe(200)
        return server.served
      }
      const told = await tell(new HttpSession(server.served, receiver, restart), words)
      await server.stop()
      return told
    },
  },
  inProcess,
  {
    name: 'Vitest',
    onlyMemory,
    async play(opened) {
      const vitest = [
        join(built.folder, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--config',
        'vitest.config.ts',
      ]
      const assumptions = Object.entries({ ...worldOptions.assume, ...opened.source.assumptions })
      const MAILBOX_SIM_ASSUME = assumptions.map((choice) => choice.join('=')).join(',')
      const env = { PLAN: await writePlan(opened), MAILBOX_SIM_ASSUME }
      const cwd = join(import.meta.dirname, 'clients')
      expectEnd(await startProcess([process.execPath, ...vitest], { env, cwd }).ended, 0)
      return readTold(opened)
    },
  },
  {
    name: 'Python',
    async play(opened) {
      const { store, folder, number } = opened
      const flags = [...flagsOf(opened), ...guarded, ...(await store.flags(folder, number))]
      const more = { flags, durable: store.durable, command: [process.execPath, built.main], chapters, start }
      const env = { PYTHONPATH: join(built.folder, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
      const script = join(import.meta.dirname, 'clients/client.py')
      expectEnd(await startProcess(['python3', script, await writePlan(opened, more)], { env }).ended, 0)
      return readTold(opened)
    },
  },
  {
    name: 'replay',
    onlyMemory,
    async play(opened) {
      const { ended, report, line } = await runCommand(opened, 'replay', [
        // The client of this story also moves, resets and restores its world.
        '--agent-controls',
        'all',
      ])
      expectEnd(ended, 0)
      await expectReport(report, 'replay')
      // The client fails if it sees anything else the second time.
      if (opened.words.includes('restart')) expectEnd(await runProgram(line, { cwd: opened.folder }), 0)
      return readTold(opened)
    },
  },
]
