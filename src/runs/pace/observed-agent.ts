import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { AgentSight, AgentWait, PacedAgent, Progress, Question } from '../../doors/pace/agent-time.js'
import type { RequestGate } from '../../doors/pace/request-gate.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import { stopwatch } from '../../service/time/wall-time.js'
import type { ProcessGroup } from '../agent/process-group.js'
import {
  type Ask,
  type Message,
  type Moment,
  type ObservedPlace,
  ObservedProcess,
  observerEnvironment,
  type ProcessState,
} from './observed-process.js'

/** What an observed agent depends on. */
interface ObservedAgentOptions extends Omit<ObservedPlace, 'place' | 'moment'> {
  readonly server: RunningServer
  readonly gate: RequestGate
  /** The date that it sees when the play begins, in milliseconds since the epoch. */
  readonly date: number
  /** A request to somebody else than the service is over; it took so many milliseconds, 0 if it brought nothing. */
  answered(question: Question, took: number): void
  noted(note: string): void
}

/** An agent whose processes are seen by observers, as far as they have some. */
export class ObservedAgent implements PacedAgent {
  readonly #options: ObservedAgentOptions
  /** Where observers connect: a port, since an agent may remove files of others. */
  readonly #port = createServer({ noDelay: true }, (socket) => this.#welcome(socket))
  readonly #processes = new Set<ObservedProcess>()
  /** The process groups of its command, one for each copy that runs; undefined before it has started for the first time. */
  #groups: Set<ProcessGroup> | undefined
  /** How often its command is being stopped or started again. */
  changes = 0
  /** What it wrote, as a number that grows. */
  written = 0
  /** The processes whose observers were lost while they lived. */
  readonly #lost = new Set<number>()
  /** The instant of story time that its processes know as the beginning of the play. */
  began: number
  /** How late in the story it was last told that it is, in milliseconds since then. */
  told = 0
  /** The processes that were observed at any time, by runtime. */
  readonly seen = new Map<string, Set<number>>()
  /** The number of requests to others than the service that are over. */
  elsewhere = 0
  /** The first status with which somebody else was too busy or failed: 429 or 5xx. */
  unavailable: number | undefined
  /** Whether it was seen to listen at a port. */
  listens = false
  /** Whether it tests itself with simulators of its own, in real time. */
  hasOwnMailbox = false

  constructor(options: ObservedAgentOptions) {
    this.#options = options
    this.began = options.server.simulator.view.world.clock.beganAt
  }

  /** Listens for the observers of processes that are about to start. */
  async listen(): Promise<void> {
    await once(this.#port.listen(0, '127.0.0.1').unref(), 'listening')
  }

  /** Additional variables for its processes. */
  get environment(): Readonly<Record<string, string | undefined>> {
    const { agentTime, thinkTime } = this.#options
    const place = `127.0.0.1:${(this.#port.address() as AddressInfo).port}`
    return observerEnvironment({ place, moment: this.#moment, agentTime, thinkTime }, process.env)
  }

  /** How late it is for the agent. */
  get #moment(): Moment {
    return { now: this.told, date: this.#options.date }
  }

  #welcome(socket: Socket): void {
    const one = new ObservedProcess(socket, (message) => this.#take(one, message))
    this.#processes.add(one)
    socket.once('close', () => {
      this.#processes.delete(one)
      if (this.#port.listening) this.#lost.add(one.pid)
    })
  }

  #take(one: ObservedProcess, { hello, end, note, leave }: Message): void {
    const { gate, answered, noted } = this.#options
    if (hello) {
      this.seen.set(one.runtime, (this.seen.get(one.runtime) ?? new Set()).add(one.pid))
      one.tell(this.#moment)
    }
    if (end) {
      this.elsewhere++
      gate.noteQuestion()
      const { status, took } = end
      if (status && (status === 429 || status >= 500)) this.unavailable ??= status
      // What was refused is asked again.
      answered(questionOf(one, end), status && status < 400 ? took : 0)
    }
    if (note !== undefined) noted(note)
    if (leave) {
      this.hasOwnMailbox = true
      this.leave()
    }
  }

  /** Notes the processes of its command once that has started. */
  started(group: ProcessGroup): void {
    // One that starts again has seen nothing yet.
    if (this.#groups) this.#options.gate.noteNews()
    this.#groups ??= new Set()
    this.#groups.add(group)
  }

  /** Notes that all of them have ended. */
  ended(group: ProcessGroup): void {
    this.#groups?.delete(group)
  }

  /** Notes that the command is being stopped or started again, until a promise is settled. */
  async during(change: Promise<unknown>): Promise<void> {
    this.changes++
    await change.finally(() => this.changes--)
  }

  /** Notes why a part of it is not observed. */
  noted(note: string): void {
    this.#options.noted(note)
  }

  /** Leaves all processes to themselves, in real time. */
  leave(): void {
    this.#port.close()
    for (const one of this.#processes) one.close()
  }

  tell(now: number): void {
    this.told = now - this.began
    for (const one of this.#processes) one.tell(this.#moment)
  }

  async goOn(until: number, endOf: (wait: AgentWait) => number, signal: AbortSignal): Promise<Progress> {
    const { began } = this
    const next = this.#inOrder.flatMap((one) => {
      if (!one.state) return []
      const waits = waitsOf(one, began).map((wait) => ({ id: wait.id, due: endOf(wait) }))
      const later = waits.map(({ id, due }) => [id, due - began] as const)
      return [{ one, later, due: Math.min(...waits.map(({ due }) => due)) }]
    })
    for (;;) {
      const [first, ...others] = next.sort((one, other) => one.due - other.due)
      if (!first) return { at: until, ended: undefined }
      const { one, later, due } = first
      // One at a time, and no further than to the first wait of the others, so that no order depends on the machine.
      const limit = Math.max(due, Math.min(until, ...others.map((other) => other.due - 1)))
      const progress = await this.#goOn(limit - began, one, later, signal)
      if (!progress) return { at: due, ended: undefined }
      const ended = progress.ended > 0 ? `${one.key}.${progress.ended}` : undefined
      if (progress.next === undefined || limit >= until) return { at: began + progress.now, ended }
      // It asked nothing: so the others may go on. Whoever says that an earlier wait is next does not know.
      const dueNext = began + (progress.next ?? Infinity)
      first.due = dueNext > limit ? dueNext : Infinity
    }
  }

  /** Lets a process end its own waits until a time of the story; undefined if it does not answer. */
  async #goOn(
    until: number,
    one: ObservedProcess,
    later: Parameters<ObservedProcess['goOn']>[1],
    signal: AbortSignal,
  ) {
    const { patience } = this.#options.server.simulator.view.world
    const worked = stopwatch()
    for (let quiet = stopwatch(); !signal.aborted && quiet() < patience && worked() < 10 * patience; ) {
      const progress = await one.goOn(until, later)
      if (typeof progress !== 'string') return progress
      if (progress === 'computes') quiet = stopwatch()
    }
    one.close()
    return undefined
  }

  async look(): Promise<AgentSight> {
    const { gate, server } = this.#options
    const world = server.simulator.view.world
    const looks = await lookAtAll(this.#inOrder)
    const seen = looks.flatMap(({ one, look }) => (typeof look === 'object' ? [{ one, state: look }] : []))
    const listens = new Set(seen.flatMap(({ state }) => state.listens.map(String)))
    this.listens ||= listens.size > 0
    const isForeign = (place: string): boolean => !listens.has(place.replace(/.*:/, ''))
    const own = seen.reduce((sum, { state }) => sum + state.own, 0)
    const unseen = this.#unseen(seen.flatMap(({ one, state }) => [one.pid, ...state.idle]))
    const others = [
      world.clock.preparing && 'a delivery that is about to be sent',
      this.changes > 0 && 'another start of the command',
      looks.some(({ look }) => !look) && 'a process that starts or ends',
      (own > gate.held || server.answering > gate.held) && 'a request to the service',
    ]
    return {
      works: [
        ...looks.flatMap(({ one: { key, pid }, look }) => {
          if (look === 'computes') return [{ key, what: `process ${pid} computes` }]
          return typeof look === 'object' && look.works !== null ? [{ key, what: look.works }] : []
        }),
        ...others.flatMap((what) => (what ? [{ key: what, what }] : [])),
      ],
      asks: seen.flatMap(({ one, state }) => {
        const foreign = state.asks.filter(({ host }) => isForeign(host))
        return foreign.map((ask) => ({ ...ask, ...questionOf(one, ask) }))
      }),
      links: seen.flatMap(({ state }) => state.links.filter(isForeign)),
      unseen: unseen.what,
      waits: seen.flatMap(({ one }) => waitsOf(one, this.began)),
      mark: [
        ...seen.map(({ one, state }) => `${one.key}:${state.activity}`),
        ...unseen.marks,
        ...[world.log.told, gate.held, own, this.written],
      ].join(' '),
    }
  }

  /** The processes that are observed at present, in the order in which they were started, whichever connected first. */
  get #inOrder(): readonly ObservedProcess[] {
    return [...this.#processes].sort((one, other) => one.pid - other.pid || one.thread - other.thread)
  }

  /** Looks at the processes of the command that are not known: those that only wait for another one, or are stopped, do not count. */
  #unseen(known: readonly number[]) {
    const groups = this.#groups
    if (groups === undefined) return { what: 'the start of the command', marks: [] }
    const all = [...groups].flatMap((group) => group.members() ?? [])
    const parents = new Set(all.map(({ parent }) => parent))
    const stopped = all.find(({ state }) => state === 'T')
    if (stopped) this.noted(`${stopped.name}, process ${stopped.pid}, was stopped by a signal`)
    const unseen = all.filter(
      ({ pid, state }) => !known.includes(pid) && !(parents.has(pid) && state === 'S') && state !== 'T',
    )
    const [first] = unseen
    const how = first && this.#lost.has(first.pid) ? 'whose observer was lost' : 'which is not observed'
    const isUnlisted = groups.size > 0 && all.length === 0 && known.length === 0
    return {
      what: first
        ? `${first.name}, process ${first.pid}, ${how}`
        : isUnlisted
          ? 'a command that is not observed'
          : undefined,
      marks: unseen.map(({ pid, ticks }) => `${pid}/${Math.floor(ticks / activeTicks)}`),
    }
  }
}

/** Processor time of a process without an observer that counts as activity, in ticks of a hundredth of a second. */
const activeTicks = 16

/** Asks all processes what they do; those of one process one after another, since each would see that the others answer. */
async function lookAtAll(processes: readonly ObservedProcess[]) {
  const pids = [...new Set(processes.map(({ pid }) => pid))]
  const looks = pids.map(async (pid) => {
    const found = []
    for (const one of processes) if (one.pid === pid) found.push({ one, look: await one.look() })
    return found
  })
  return (await Promise.all(looks)).flat()
}

/** Returns a request of a process as one of the agent. */
function questionOf(one: ObservedProcess, { id, method, host, path, body }: Ask): Question {
  const what = `${method} http://${host}${path.replace(/[?#].*/s, '')}`
  return { key: `${one.key}.${id}`, what, address: `${method} ${host}${path}`, host, body }
}

/** Returns the waits of a process as it was last seen, in instants of the story. */
function waitsOf({ key, state }: { key: string; state: ProcessState | undefined }, began: number) {
  return (state?.waits ?? []).map(([id, due, duration, by]): AgentWait & { readonly id: number } => {
    return { id, key: `${key}.${id}`, after: `${key}.${by}`, due: began + due, duration }
  })
}
