import type { Message, Simulator, Thread } from 'agent-mailbox-sim'
import type { Room } from './rooms.js'
import type { Act, Ask, Script } from './script.js'

/** What became of a world, and what its two clients got on the way, a line for each thing. */
export interface Outcome {
  readonly digest: string
  readonly clients: readonly [readonly string[], readonly string[]]
  /** Everything else there is to know of the world. */
  readonly account: readonly string[]
}

/** Has a script happen in a world. */
export async function play(room: Room, { stretches }: Script): Promise<Outcome> {
  const clients = [new Client(room), new Client(room)] as const
  for (const { inTurn, apart } of stretches) {
    for (const { client, act } of inTurn) await clients[client].perform(act)
    await Promise.all(apart.map((acts, at) => clients[at as 0 | 1].performAll(acts)))
  }
  // What is still being delivered, or is held back for a moment, would be in the snapshot.
  await room.simulator.clock.advance('1s')
  return {
    digest: room.simulator.digest(),
    clients: [clients[0].answers, clients[1].answers],
    account: accountOf(room),
  }
}

/** One client of a world: it knows only what it was answered. */
class Client {
  readonly answers: string[] = []
  readonly #room: Room
  #threads: readonly string[] = []
  #messages: readonly string[] = []
  #files: readonly string[] = []

  constructor(room: Room) {
    this.#room = room
  }

  async performAll(acts: readonly Act[]): Promise<void> {
    for (const act of acts) await this.perform(act)
  }

  async perform(act: Act): Promise<void> {
    const came = 'ask' in act ? await this.#ask(act) : await this.#room.act(act, this.#named(act))
    this.answers.push(`${JSON.stringify(act)} → ${came}`)
  }

  #named(act: Act) {
    const at = (list: readonly string[], number: number | null) =>
      number === null ? undefined : list[number % list.length]
    return {
      thread: 'thread' in act ? at(this.#threads, act.thread) : undefined,
      message: 'answers' in act ? at(this.#messages, act.answers) : undefined,
    }
  }

  async #ask(act: Ask): Promise<string> {
    const [method, path, body] = this.#requestOf(act)
    const came = await cameOf(this.#room.ask(method, path, body))
    const text = this.#room.plain(came)
    this.#remember(text)
    return text
  }

  #requestOf(act: Ask): [method: string, path: string, body?: object] {
    switch (act.ask) {
      case 'threads':
      case 'messages': {
        const agent = act.agent === null ? '' : `&agent=${act.agent}`
        return ['GET', `/api/v1/mail/${act.ask}?limit=${act.limit}${agent}`]
      }
      case 'thread':
        return ['GET', `/api/v1/mail/messages?thread_id=${this.#threads[act.thread % this.#threads.length]}`]
      case 'identity':
        return ['GET', `/api/v1/identities/${act.agent}`]
      case 'rename':
        return ['PATCH', `/api/v1/identities/${act.agent}`, { display_name: act.name }]
      case 'file':
        return ['GET', this.#files[act.file % this.#files.length] ?? '/attachments/att_none/none.txt']
      case 'webhooks':
        return ['GET', '/api/v1/webhooks']
      case 'stray':
        return ['GET', `/api/v1${act.path}`]
    }
  }

  /** What is listed is what later requests are about. */
  #remember(text: string): void {
    const json = /\{.*\}$/s.exec(text)?.[0] ?? '{}'
    const { threads, messages } = JSON.parse(isJson(json) ? json : '{}') as {
      threads?: readonly Thread[]
      messages?: readonly Message[]
    }
    if (threads) this.#threads = threads.map(({ id }) => id)
    if (!messages) return
    this.#messages = messages.map(({ id }) => id)
    const files = messages.flatMap(({ attachments }) => attachments)
    this.#files = files.map(({ url, download_url }) => `${url ?? download_url}`)
  }
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== null
  } catch {
    return false
  }
}

/** What a client notices of an answer. */
async function cameOf(answering: Promise<Response>): Promise<string> {
  try {
    const { status, headers, ...answer } = await readOf(await answering)
    const said = ['content-type', 'retry-after', 'allow', 'www-authenticate'].map((name) => headers.get(name))
    return `${status} ${said.join(' ')} ${answer.text}`
  } catch (error) {
    if (error instanceof TypeError) return 'a network error'
    throw error
  }
}

async function readOf(response: Response) {
  const { status, headers } = response
  const text = await response.text().catch(() => 'the body broke off')
  return { status, headers, text }
}

/** What a world's journal, faults and clock say, without what hangs on the machine's time or on who came first. */
function accountOf({ simulator, plain }: Room): string[] {
  const { journal, faults, readings, timeline, clock } = simulator
  const exchanges = journal.exchanges().map(({ at, method, path, query, status, ...more }) => {
    const { operation, response, request, reliances, fault, near_miss } = more
    const body = response.body === null ? null : plain(response.body)
    return [at, operation, method, path, query, request.body, status, body, reliances, fault, near_miss]
  })
  const commands = journal.commands().map(({ at, command }) => [at, command])
  const rest = [faults.list(), readings.current(), readings.origins(), timeline.played(), clock.now()]
  const lines = (list: readonly unknown[]) => list.map((line) => JSON.stringify(line))
  return [
    ...lines(exchanges).sort(),
    ...lines(commands).sort(),
    ...lines([...rest, plainSnapshot(simulator)]),
  ]
}

/** A snapshot without the order in which rows were first written, and without the checksum, which depends on it. */
function plainSnapshot(simulator: Simulator): object {
  const { checksum, ...snapshot } = simulator.snapshot()
  const rows = Object.entries(snapshot.rows).map(([model, list]) => {
    return [model, list.toSorted((a, b) => (a.id < b.id ? -1 : 1))]
  })
  return { ...snapshot, rows: Object.fromEntries(rows) }
}

/** Where two outcomes differ first; undefined where they are the same. */
export function firstDifference(one: Outcome, other: Outcome): object | undefined {
  const [these, those] = [one, other].map(({ digest, clients, account }) => {
    return { 'client 0': clients[0], 'client 1': clients[1], account, digest: [digest] }
  }) as unknown as [Record<string, readonly string[]>, Record<string, readonly string[]>]
  for (const [what, lines] of Object.entries(these)) {
    const others = those[what] ?? []
    const length = Math.max(lines.length, others.length)
    for (let line = 0; line < length; line++) {
      if (lines[line] !== others[line]) return { what, line, together: lines[line], alone: others[line] }
    }
  }
  return undefined
}
