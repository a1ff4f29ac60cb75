import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClockMode, createSimulator } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { built } from '../cli/built-program.js'
import { nextLine, type Outcome, startProcess, startProgram } from '../cli/program.js'
import { HttpSession, InProcessSession, type Served, type Told, tell, worldOptions } from './session.js'
import type { Source } from './sources.js'
import type { Store } from './stores.js'
import { chapters, start, type Word } from './story.js'

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

/** What a client in another process needs to know, as JSON. */
export interface Plan {
  readonly words: readonly Word[]
  readonly clock: string
  readonly scenario: string
  /** The address of the receiver of webhooks. */
  readonly receiver: string
  /** The file for what it saw; a client of a command fails if it later sees anything else. */
  readonly out: string
}

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
    ...more,
  }
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
  return join(folder, 'plan.json')
}

async function readTold({ folder }: Opened): Promise<Told[]> {
  return JSON.parse(await readFile(join(folder, 'told.json'), 'utf8')) as Told[]
}

async function serve(opened: Opened, stored: readonly string[]) {
  const flags = ['--port', '0', '--json', ...flagsOf(opened), ...stored]
  const program = startProgram(['serve', opened.scenario, ...flags])
  const { url, control } = JSON.parse(await nextLine(program))
  const stop = async (): Promise<void> => {
    program.process.kill('SIGTERM')
    expectEnd(await program.outcome, 0)
  }
  return { served: { url, control, key: 'test-key' } as Served, stop }
}

/** Checks that a process ended as documented, and that nothing in it was left unhandled. */
function expectEnd({ status, stdout, stderr }: Outcome, wanted: number): void {
  const said = `${stderr}\n${stdout}`
  expect(said).not.toMatch(/^ +at \S.*:\d+|unhandled|UnhandledPromise|Traceback \(most recent/im)
  expect(status, said).toBe(wanted)
}

const onlyMemory = 'it takes no flag or option for a state: every run starts its story anew'

/** Makes the control API need a token, which clients must be told. */
const guarded = ['--control-token', 'sesame']

/** The words of a client of `replay`, which cannot restart the program that runs it. */
const withoutRestart = (words: readonly Word[]): readonly Word[] =>
  words.includes('restart') ? ['past', 'future'] : words

/** The door with nothing between the story and the simulator. */
export const inProcess: Door = {
  name: 'in-process',
  onlyMemory,
  async play({ scenario, clock, receiver, words }) {
    const open = () => createSimulator({ scenario, clock, ...worldOptions })
    const session = new InProcessSession(open, receiver, await open())
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
      const restart = async (): Promise<Served> => {
        await server.stop()
        server = await serve(opened, stored)
        return server.served
      }
      const told = await tell(new HttpSession(server.served, receiver, restart), words)
      await server.stop()
      return told
    },
  },
  inProcess,
  {
    name: 'Python',
    async play(opened) {
      const { store, folder, number } = opened
      const flags = [...flagsOf(opened), ...guarded, ...(await store.flags(folder, number))]
      const more = { flags, durable: store.durable, command: [process.execPath, built.main], chapters, start }
      const env = { PYTHONPATH: join(built.folder, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
      const script = join(import.meta.dirname, 'clients/client.py')
      expectEnd(await startProcess(['python3', script, await writePlan(opened, more)], { env }).outcome, 0)
      return readTold(opened)
    },
  },
  {
    name: 'replay',
    onlyMemory,
    async play(opened) {
      const { scenario, words, client } = opened
      const plan = await writePlan(opened, { words: withoutRestart(words) })
      // The client of this story also moves, resets and restores its world.
      const flags = [...flagsOf(opened), '--agent-controls', 'all']
      const line = ['replay', scenario, ...flags, '--', process.execPath, client, plan]
      const run = () => startProgram(line, { cwd: opened.folder }).outcome
      expectEnd(await run(), 0)
      // The client fails if it sees anything else the second time.
      if (words.includes('restart')) expectEnd(await run(), 0)
      return readTold(opened)
    },
  },
]
