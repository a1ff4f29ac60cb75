import type { Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import {
  type Change,
  chapters,
  idempotencyKey,
  type Step,
  seed,
  start,
  assumptions as startAssumptions,
  type Word,
} from './story.js'

/** A client of one world and of its controls, behind one door. */
export interface Session extends Record<Change, () => Promise<void>> {
  /** Sends a request; the result is the answer as text, without what only this door has in it. */
  ask(method: string, path: string, body?: unknown): Promise<string>
  /** Advances the clock to an instant. */
  advanceTo(instant: string): Promise<void>
  setAssumptions(assumptions: Readonly<Record<string, string>>): Promise<void>
  /** Returns what the receiver of webhooks got since it was last asked. */
  received(): Promise<readonly string[]>
}

/** What was seen in a chapter of the story. */
export interface Told {
  readonly chapter: 'past' | 'future'
  readonly seen: readonly string[]
}

/** Walks the chapters of the story and the changes between them. */
export async function tell(session: Session, words: readonly Word[]): Promise<Told[]> {
  const told: Told[] = []
  for (const word of words) {
    if (word === 'past' || word === 'future') told.push({ chapter: word, seen: await walk(session, word) })
    else await session[word]()
  }
  return told
}

async function walk(session: Session, chapter: Told['chapter']): Promise<string[]> {
  const seen: string[] = []
  const take = async (step: Step): Promise<void> => {
    if ('ask' in step) seen.push(await session.ask(...step.ask))
    else if ('file' in step) seen.push(await session.ask('GET', fileIn(seen.at(-1) ?? '')))
    else if ('until' in step) await session.advanceTo(instantAfter(step.until))
    else if ('assumptions' in step) await session.setAssumptions(step.assumptions)
    else seen.push(`received ${(await session.received()).join(', ')}`)
  }
  for (const step of chapters[chapter]) await take(step)
  return seen
}

/** Returns the path of the first attachment that an answer names. */
function fileIn(answer: string): string {
  return /\/attachments\/[^"]+/.exec(answer)?.[0] ?? '/attachments/none'
}

function instantAfter(hours: number): string {
  return new Date(Date.parse(start) + hours * 3_600_000).toISOString()
}

/** Returns an answer as text: its status, its type, and its body without the address of the service. */
function shown(status: number, type: string | null, body: string, base: string): string {
  return `${status} ${type} ${body.replaceAll(base, '<service>')}`
}

/** Leaves out, of a clock that runs by itself, the part of an hour. */
export function timeOn(clock: string, text: string): string {
  return clock === 'frozen' ? text : text.replace(/([T ]\d\d):\d\d:\d\d(\.\d+Z| \+0000)/g, '$1')
}

/** Names an event that a receiver got. */
export function nameOf({ event, data }: { event: string; data: { subject: string } }): string {
  return `${event} ${data.subject}`
}

/** A session of simulators in this process. */
export class InProcessSession implements Session {
  readonly #open: () => Promise<Simulator>
  readonly #receiver: string
  readonly #received: string[] = []
  readonly #original: Simulator
  #now: Simulator
  #snapshot: unknown

  constructor(open: () => Promise<Simulator>, receiver: string, simulator: Simulator) {
    this.#open = open
    this.#receiver = receiver
    this.#original = simulator
    this.#now = this.#use(simulator)
  }

  #use(simulator: Simulator): Simulator {
    simulator.webhooks.on(this.#receiver, async (request) => {
      this.#received.push(nameOf(await request.json()))
      return new Response()
    })
    return simulator
  }

  async ask(method: string, path: string, body?: unknown): Promise<string> {
    const { baseUrl, apiKey } = this.#now
    const headers = {
      ...idempotencyKey,
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await getResponse(this.#now.handlers, new Request(baseUrl + path, init))
    if (!response) throw new Error(`Nothing responds to ${method} ${path}.`)
    return shown(response.status, response.headers.get('content-type'), await response.text(), baseUrl)
  }

  advanceTo(instant: string): Promise<void> {
    return this.#now.clock.advanceTo(instant)
  }

  async setAssumptions(assumptions: Readonly<Record<string, string>>): Promise<void> {
    this.#now.assumptions.set(assumptions)
  }

  async received(): Promise<string[]> {
    return this.#received.splice(0)
  }

  async snapshot(): Promise<void> {
    this.#snapshot = JSON.parse(JSON.stringify(this.#now.snapshot()))
  }

  async restore(): Promise<void> {
    this.#now.restore(this.#snapshot)
  }

  async fork(): Promise<void> {
    this.#now = this.#use(await this.#now.addWorld({ extend: [] }))
  }

  async original(): Promise<void> {
    this.#now = this.#original
  }

  async reset(): Promise<void> {
    this.#now.reset()
  }

  async restart(): Promise<void> {
    this.#now.close()
    this.#now = this.#use(await this.#open())
  }

  /** Closes the latest world and, if it is the first one, all others. */
  close(): void {
    this.#now.close()
  }
}

/** The options of a world in every door. */
export const worldOptions = { seed, assume: startAssumptions } as const

/** A server that a session talks to. */
export interface Served {
  readonly url: string
  readonly key: string
  readonly control: string
  /** The token of its control API, if it needs one. */
  readonly token?: string
}

/** A world of a server: the first one has no id. */
interface Target {
  readonly id?: string
  readonly key: string
}

/** A world that a request to the control API has created. */
interface Created {
  readonly id: string
  readonly api_key: string
}

/** A session over HTTP. */
export class HttpSession implements Session {
  readonly #receiver: string
  readonly #startAgain: () => Promise<Served>
  #server: Served
  #world: Target
  #snapshot: unknown

  /** @param startAgain starts the server again, if the door can */
  constructor(server: Served, receiver: string, startAgain = async () => server) {
    this.#server = server
    this.#world = server
    this.#receiver = receiver
    this.#startAgain = startAgain
  }

  #control: Control = (method, path, body) => {
    return controlOf(this.#server, this.#world.id)(method, path, body)
  }

  async ask(method: string, path: string, body?: unknown): Promise<string> {
    const { url } = this.#server
    const answer = await askAs(this.#world.key, url, method, path, body)
    return shown(answer.status, answer.type, answer.body, url)
  }

  async advanceTo(instant: string): Promise<void> {
    await this.#control('POST', '/clock', { to: instant })
  }

  async setAssumptions(assumptions: Readonly<Record<string, string>>): Promise<void> {
    await this.#control('PATCH', '/assumptions', assumptions)
  }

  async received(): Promise<string[]> {
    const { origin, pathname } = new URL(this.#receiver)
    return JSON.parse((await answerOf(origin, 'GET', pathname)).body) as string[]
  }

  async snapshot(): Promise<void> {
    this.#snapshot = await this.#control('GET', '/snapshot')
  }

  async restore(): Promise<void> {
    await this.#control('PUT', '/snapshot', this.#snapshot)
  }

  async fork(): Promise<void> {
    const { id, api_key: key } = (await this.#control('POST', '/worlds')) as Created
    this.#world = { id, key }
  }

  async original(): Promise<void> {
    this.#world = { key: this.#server.key }
  }

  async reset(): Promise<void> {
    await this.#control('POST', '/reset')
  }

  async restart(): Promise<void> {
    this.#server = await this.#startAgain()
  }
}

/** Sends a request to the control API of a world. */
export type Control = (method: string, path: string, body?: unknown) => Promise<unknown>

export function controlOf({ control, token }: Pick<Served, 'control' | 'token'>, world?: string): Control {
  return async (method, path, body) => {
    const headers = {
      ...(world !== undefined && { 'x-sim-world': world }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const { origin, pathname } = new URL(control)
    const { status, body: text } = await answerOf(origin, method, pathname + path, headers, body)
    if (status >= 400) throw new Error(`${method} /_sim${path} was answered ${status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** An answer with its body as text. */
interface Answer {
  readonly status: number
  readonly type: string | null
  readonly body: string
}

/** Sends a request with the key of a world. */
function askAs(key: string, url: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return answerOf(url, method, path, { ...idempotencyKey, authorization: `Bearer ${key}` }, body)
}

async function answerOf(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
}
