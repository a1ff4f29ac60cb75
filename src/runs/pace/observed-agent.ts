import type { AgentSight, AgentWait, PacedAgent, Progress, Question } from '../../doors/pace/agent-time.js'
import type { RequestGate } from '../../doors/pace/request-gate.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import { stopwatch } from '../../service/time/wall-time.js'
import type { World } from '../../service/world/world.js'
import type { CommandWatch } from '../agent/agent.js'
import { type AgentTime, type Moment, observerEnvironment } from '../agent/observers/environment.js'
import type { ProcessGroup } from '../agent/process-group.js'
import { Copies } from './copies.js'
import { type Asked, type ObservedProcess, Observers, type ProcessState } from './observers.js'

/** What an observed agent depends on. */
interface ObservedAgentOptions {
  readonly world: World
  readonly gate: RequestGate
  readonly server: RunningServer
  readonly agentTime: AgentTime
  readonly thinkTime: number | undefined
  /** The date that it sees when the play begins, in milliseconds since the epoch. */
  readonly date: number
  /** Milliseconds of wall time for which one that does not answer is waited for. */
  readonly patience: number
  /** Aborted when its command has ended. */
  readonly ended: AbortSignal
  /** A request to somebody else than the service is over. */
  answered(question: Question, body: string | null): void
  noted(note: string): void
}

/** The key of something that happens only once at a time. */
const once = (what: string) => ({ key: what, what })

/** An agent whose processes are seen by observers, as far as they have some. */
export class ObservedAgent implements PacedAgent, CommandWatch {
  readonly #options: ObservedAgentOptions
  readonly observers: Observers
  readonly #copies: Copies
  /** The process groups of its command, one for each copy that runs; undefined before it has started for the first time. */
  #groups: Set<ProcessGroup> | undefined
  /** How often its command is being stopped or started again. */
  #changes = 0
  /** The instant of story time that its processes know as the beginning of the play. */
  began: number
  /** How late in the story it was last told that it is, in milliseconds since then. */
  told = 0
  /** Whether its own code has looked at the date. */
  readsDate = false
  /** Whether it was seen to listen at a port. */
  listens = false
  /** What it wrote, as a number that grows. */
  #written = 0
  /** The requests to others that have begun, by their keys. */
  readonly #questions = new Map<string, Question>()

  constructor(options: ObservedAgentOptions) {
    const { world } = options
    this.#options = options
    this.began = world.clock.beganAt
    this.observers = new Observers({
      joined: (one) => one.tell(this.#moment),
      asks: (one, asked) => this.#asks(one, asked),
      answered: (one, id, body) => this.#answered(`${one.key}.${id}`, body),
      noted: (note) => options.noted(note),
    })
    this.#copies = new Copies(world, () => this.#running > 1)
  }

  get environment(): CommandWatch['environment'] {
    const { agentTime, thinkTime } = this.#options
    const [{ place }, moment] = [this.observers, this.#moment]
    return observerEnvironment({ place, moment, agentTime, thinkTime, env: process.env })
  }

  /** How late it is for the agent. */
  get #moment(): Moment {
    return { now: this.told, date: this.#options.date }
  }

  /** How many copies of it run, or are about to. */
  get #running(): number {
    return (this.#groups?.size ?? 0) + this.#changes
  }

  get gone(): boolean {
    return this.#options.ended.aborted
  }

  started(group: ProcessGroup): void {
    // One that starts again has seen nothing yet.
    if (this.#groups) this.#options.gate.noteNews()
    this.#groups ??= new Set()
    this.#groups.add(group)
  }

  ended(group: ProcessGroup): void {
    this.#groups?.delete(group)
    this.#noteCopies()
  }

  changes(change: Promise<unknown>): void {
    this.#changes++
    void change.finally(() => {
      this.#changes--
      this.#noteCopies()
    })
  }

  wrote(): void {
    this.#written++
  }

  noted(note: string): void {
    this.#options.noted(note)
  }

  #noteCopies(): void {
    if (this.#running < 2) this.#copies.open()
  }

  close(): void {
    this.#copies.open()
    this.observers.leave()
  }

  tell(now: number): void {
    this.told = now - this.began
    for (const one of this.observers.processes) one.tell(this.#moment)
  }

  passNext(): boolean {
    return this.#copies.passNext()
  }

  async goOn(until: number, ends: ReadonlyMap<string, number>, signal: AbortSignal): Promise<Progress> {
    const { observers, began } = this
    const dueOf = (one: ObservedProcess): number => {
      return Math.min(...waitsOf(one, began).map(({ key, due }) => ends.get(key) ?? due))
    }
    const next = observers.processes.map((one) => ({ one, due: dueOf(one) }))
    for (;;) {
      const [first, ...others] = next.sort((one, other) => one.due - other.due)
      if (!first) return { at: until, ended: undefined }
      // One at a time, and no further than to the first wait of the others, so that no order depends on the machine.
      const limit = Math.max(first.due, Math.min(until, ...others.map(({ due }) => due - 1)))
      const progress = await this.#goOn(first.one, limit, ends, signal)
      if (!progress) return { at: first.due, ended: undefined }
      const ended = progress.ended > 0 ? `${first.one.key}.${progress.ended}` : undefined
      if (progress.next === undefined || limit >= until) return { at: began + progress.now, ended }
      // It asked nothing: so the others may go on.
      first.due = progress.next === null ? Infinity : began + progress.next
    }
  }

  /** Lets a process end its own waits until an instant; undefined if it does not answer. */
  async #goOn(one: ObservedProcess, until: number, ends: ReadonlyMap<string, number>, signal: AbortSignal) {
    const { began } = this
    const { patience } = this.#options
    const later = waitsOf(one, began).flatMap(({ key, id }) => {
      const end = ends.get(key)
      return end === undefined ? [] : [[id, end - began] as const]
    })
    for (let [quiet, worked] = [stopwatch(), stopwatch()]; !signal.aborted && !this.gone; ) {
      const progress = await one.goOn(until - began, later)
      if (typeof progress !== 'string') return progress
      if (progress === 'computes') quiet = stopwatch()
      if (quiet() < patience && worked() < 10 * patience) continue
      one.close()
      break
    }
    return undefined
  }

  async look(): Promise<AgentSight> {
    const { gate, server, world } = this.#options
    const { processes, isStarting } = this.observers
    const looks = await lookAtAll(processes)
    const seen = looks.flatMap(({ one, look }) => (typeof look === 'object' ? [{ one, state: look }] : []))
    const listens = new Set(seen.flatMap(({ state }) => state.listens.map(String)))
    this.listens ||= listens.size > 0
    this.readsDate ||= seen.some(({ state }) => state.readsDate)
    const isForeign = (place: string): boolean => !listens.has(place.replace(/.*:/, ''))
    const held = gate.held + this.#copies.waiting
    const own = seen.reduce((sum, { state }) => sum + state.own, 0)
    const unseen = this.#unseen(seen.map(({ one, state }) => ({ pid: one.pid, idle: state.idle })))
    return {
      works: [
        ...seen.flatMap(({ one, state }) =>
          state.works === null ? [] : [{ key: one.key, what: state.works }],
        ),
        ...looks.flatMap(({ one, look }) => {
          return look === 'computes' ? [{ key: one.key, what: `process ${one.pid} computes` }] : []
        }),
        ...(world.clock.preparing ? [once('a delivery that is about to be sent')] : []),
        ...(this.#changes > 0 ? [once('another start of the command')] : []),
        ...(isStarting || looks.some(({ look }) => !look) ? [once('a process that starts or ends')] : []),
        ...(own > held || server.answering > held ? [once('a request to the service')] : []),
      ],
      asks: seen.flatMap(({ one, state }) => {
        return state.asks.flatMap((ask) => {
          const key = `${one.key}.${ask.id}`
          const question = this.#questions.get(key)
          return question && isForeign(question.host) ? [{ ...question, ...ask, key }] : []
        })
      }),
      links: seen.flatMap(({ state }) => state.links.filter(({ to }) => isForeign(to))),
      unseen: unseen.what,
      waits: seen.flatMap(({ one }) => waitsOf(one, this.began)),
      mark: [
        ...seen.map(({ one, state }) => `${one.key}:${state.activity}`),
        ...unseen.marks,
        ...[world.log.told, gate.held, this.#copies.waiting, own, this.#written],
      ].join(' '),
    }
  }

  #asks(one: ObservedProcess, { id, method, host, path }: Asked): void {
    const { gate } = this.#options
    const key = `${one.key}.${id}`
    this.#questions.set(key, {
      ...{ key, host, address: `${method} ${host}${path}`, writes: gate.writes },
      what: `${method} http://${host}${path.replace(/[?#].*/s, '')}`,
    })
    gate.noteQuestion()
  }

  #answered(key: string, body: string | null): void {
    const question = this.#questions.get(key)
    if (question) this.#options.answered(question, body)
    this.#questions.delete(key)
  }

  /**
   * Looks at the processes of the command that are neither observed nor idle: those that only wait for another one do not
   * count.
   */
  #unseen(observed: readonly { readonly pid: number; readonly idle: readonly number[] }[]) {
    const groups = this.#groups
    if (groups === undefined) return { what: 'the start of the command', marks: [] }
    const pids = new Set(observed.flatMap(({ pid, idle }) => [pid, ...idle]))
    const all = [...groups].flatMap((group) => group.members() ?? [])
    const parents = new Set(all.map(({ parent }) => parent))
    const unseen = all.filter(({ pid, state }) => !pids.has(pid) && !(parents.has(pid) && state === 'S'))
    const [first] = unseen
    const isLost = first && this.observers.lost.has(first.pid)
    const isUnlisted = groups.size > 0 && all.length === 0 && observed.length === 0
    return {
      what: first
        ? `${first.name}, process ${first.pid}, ${isLost ? 'whose observer was lost' : 'which is not observed'}`
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

/** Returns the waits of a process as it was last seen, in instants of the story. */
function waitsOf({ key, state }: { key: string; state: ProcessState | undefined }, began: number) {
  return (state?.waits ?? []).map(([id, due, duration, by]): AgentWait & { readonly id: number } => {
    return { id, key: `${key}.${id}`, after: `${key}.${by}`, due: began + due, duration }
  })
}
