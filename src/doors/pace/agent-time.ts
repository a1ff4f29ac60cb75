import { parseInstant } from '../../service/time/time.js'
import { stopwatch, Timers } from '../../service/time/wall-time.js'
import type { World } from '../../service/world/world.js'
import type { RequestGate, Round } from './request-gate.js'

// The agent's own time, in the six sentences of docs/replay.md, one after another.

/** A wait of an agent. Its instants are milliseconds since the epoch, in story time. */
export interface AgentWait {
  /** Tells it from all others of the agent. */
  readonly key: string
  /** The wait whose end came last before this one began. */
  readonly after: string
  readonly due: number
  /** How long the agent wanted to wait, in milliseconds. */
  readonly duration: number
}

/** A request to somebody else than the mailbox. */
export interface Question {
  /** Tells it from all others of the agent. */
  readonly key: string
  /** Method and URL without its query. */
  readonly what: string
  /** Method, host and path. */
  readonly address: string
  /** Host and port. */
  readonly host: string
  /** A digest of what it sent. */
  readonly body: string | null
}

/** An open request: whether it brings events, and for how many milliseconds of wall time its response is silent. */
interface OpenQuestion extends Question {
  readonly events: boolean
  readonly quiet: number | null
}

/** What is seen of an agent at one time; durations are milliseconds of wall time. */
export interface AgentSight {
  /** What it does beside asking: it computes, starts, gets a delivery, or has a request to the mailbox in progress. */
  readonly works: readonly { readonly key: string; readonly what: string }[]
  /** Its open requests to others. */
  readonly asks: readonly OpenQuestion[]
  /** Who owes it an answer on a connection of another kind: hosts with ports, or files. */
  readonly links: readonly string[]
  /** A part of it that cannot be observed, in words. */
  readonly unseen: string | undefined
  readonly waits: readonly AgentWait[]
  /** The same as long as nothing happens. */
  readonly mark: string
}

/** An agent for which story time waits while it works. */
export interface PacedAgent {
  /** Whether it has ended, if nothing else tells. */
  readonly gone?: boolean
  look(): Promise<AgentSight>
  /**
   * Ends its waits one after another until it asks something, but none beyond an instant; some have other ends than their own.
   * Returns when it asked, or that instant, and the key of the wait that ended last.
   */
  goOn(until: number, endOf: (wait: AgentWait) => number, signal: AbortSignal): Promise<Progress>
  /** Tells it how late it is. */
  tell(now: number): void
}

/** How far an agent came. */
export interface Progress {
  readonly at: number
  readonly ended: string | undefined
}

/** What a story that is told in the agent's own time consists of. */
interface AgentTimeOptions {
  readonly world: World
  readonly agent: PacedAgent
  readonly gate: RequestGate
  /** Hosts to which requests are no work. */
  readonly ignored?: readonly string[] | undefined
  /** Returns when the time after the last entry and the ends of all `within` have passed. */
  readonly end: () => number
  /** Called when something that has not ended no longer counts as work, or patience has ended. */
  readonly onImpatient?: (what: string, why: 'worked' | 'quiet') => void
}

const [minute, day] = [60_000, 86_400_000]

/** Milliseconds that the answer to a long poll takes at least. */
const leastPoll = 1_000

/** Milliseconds between two looks at an agent that works: at first, and at most. */
const pauses = { first: 1, most: 20 }

/** Tells a story in the agent's own time. */
export class AgentTime {
  readonly #options: AgentTimeOptions
  /** What it works at, by the rules for that. */
  readonly work: Work
  readonly #rounds = new Rounds()
  readonly #timers = new Timers()
  /** Story time that passed while the agent waited for it, and wall time for which it worked, in milliseconds. */
  skipped = 0
  worked = 0
  /** What it works at. */
  working: string | undefined

  constructor(options: AgentTimeOptions) {
    this.#options = options
    this.work = new Work(options)
  }

  /** Tells the story until it is over, until the agent has ended, or until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { world, agent, gate } = this.#options
    for (let ended: string | undefined; ; ) {
      const waits = await this.rests(signal)
      if (signal.aborted || agent.gone) return
      const now = world.clock.now()
      this.#rounds.note(ended, waits, gate.takeRound(), now)

      // 2. When it does not work, time jumps to whatever is due first: what the story has due, or the end of the agent's own
      // first wait. At a tie the story goes first, and the agent comes to rest before its wait ends.
      const { due, isOver } = this.#nextOfStory(now)
      const wake = Math.max(now, Math.min(...waits.map(this.#rounds.endOf)))
      if (wake > now && gate.passNext()) continue
      if (wake >= due) {
        if (due === Infinity) await this.#timers.wait(pauses.most, signal, true)
        else await this.#moveTo(due, isOver)
        if (isOver) return
        this.#rounds.restart(due)
      } else if (wake > now && gate.waiting > 0) {
        // Requests that wait for time to move get their responses before their time-outs can end.
        await this.#moveTo(wake)
      } else {
        // What it asks meanwhile is handled once its time is known.
        gate.hold()
        const until = Math.max(now, Math.min(due - 1, now + day))
        const progress = await agent.goOn(until, this.#rounds.endOf, signal)
        ended = progress.ended
        if (signal.aborted) this.working = 'what it does after a wait'
        else await this.#moveTo(Math.max(now, progress.at))
      }
    }
  }

  /** Moves the story to an instant; what is due there happens. */
  async #moveTo(instant: number, isOver = false): Promise<void> {
    const { world, agent, gate } = this.#options
    this.skipped += instant - world.clock.now()
    // First, since what it gets at that instant may come at once.
    agent.tell(instant)
    await world.clock.advanceTo(instant)
    // After the end, nothing is handled any more.
    if (!isOver) gate.open()
  }

  /** 1. Story time stands still while the agent works. Waits until it does not, and returns its waits. */
  async rests(signal: AbortSignal): Promise<readonly AgentWait[]> {
    const { agent, gate } = this.#options
    const worked = stopwatch()
    let [mark, pause, isSecond, quiet] = ['', pauses.first, false, stopwatch()]
    while (!signal.aborted && !agent.gone) {
      const sight = await agent.look()
      const isSame = sight.mark === mark
      mark = sight.mark
      if (!isSame) quiet = stopwatch()
      const work = this.work.in(sight, gate.exchanges)
      const isQuiet = work === undefined && sight.unseen === undefined
      // One look proves nothing: what was sent just before may not have arrived when it began.
      const isResting = isQuiet && ((isSecond && isSame) || this.work.isExhausted)
      if (isResting) this.work.rests()
      if (isResting || (work === undefined && this.#hasPatienceEnded(sight, quiet()))) {
        this.working = undefined
        this.worked += Math.max(0, worked() - quiet())
        return sight.waits
      }
      isSecond = isQuiet
      if (isQuiet) continue
      this.working = work ?? (sight.unseen as string)
      await this.#timers.wait(pause, signal, true)
      pause = isSame ? Math.min(pauses.most, 2 * pause) : pauses.first
    }
    this.worked += worked()
    return []
  }

  /**
   * 4. The story is over when nothing of it is due any more, the ends of `within` and the retries to a receiver that has ever
   * answered included, and an hour has passed since its last entry. Returns what it has due next, which may be its end.
   */
  #nextOfStory(now: number): { readonly due: number; readonly isOver: boolean } {
    const { world, end } = this.#options
    const { clock, dispatcher, timeline } = world
    const next = clock.nextDue ?? Infinity
    const over = Math.max(end(), ...retriesOf(world))
    const isPending = timeline.left > 0 || clock.waiting > 0 || dispatcher.inFlight > 0
    // What the agent begins after that, such as further requests that a fault delays, begins nothing anew.
    const isLate = now > over + minute
    if (next < Infinity && (next <= over || (isPending && !isLate))) return { due: next, isOver: false }
    return { due: Math.max(now, over), isOver: over < Infinity }
  }

  /**
   * 6. An agent that cannot be observed, and a program that an observed one starts, rests after the patience of silence, or once
   * it has asked twice for what it had.
   */
  #hasPatienceEnded({ unseen }: AgentSight, quiet: number): boolean {
    const { gate, onImpatient, world } = this.#options
    if (unseen === undefined) return false
    if (gate.waiting > 0 && world.dispatcher.inFlight === 0) return true
    if (quiet < world.patience && !this.work.isExhausted) return false
    onImpatient?.(unseen, 'quiet')
    return true
  }
}

/** Returns when deliveries are tried again whose receivers have ever answered. */
function retriesOf({ dispatcher }: World): number[] {
  const states = [...dispatcher.log.list()].map(({ state }) => state)
  const answering = new Set(
    states.filter(({ attempts }) => attempts.some(({ answer }) => answer)).map(({ url }) => url),
  )
  return states.flatMap(({ url, next_attempt_at: at }) => {
    return at !== null && answering.has(url) ? [parseInstant(at) as number] : []
  })
}

/** What an agent works at. */
class Work {
  readonly #options: AgentTimeOptions
  /** The last two at each address that have ended. */
  readonly #past = new Map<string, readonly (string | null)[]>()
  /** The requests that are no work, by address, some by their body as well. */
  readonly #idle = new Set<string>()
  /** The keys of what went on for longer than counts, until it ends. */
  readonly #endless = new Set<string>()
  /** Since the agent last rested, or asked the mailbox something. */
  #stretch = stopwatch()
  #exchanges = 0

  constructor(options: AgentTimeOptions) {
    this.#options = options
  }

  /** Takes notice that a request to somebody else is over, and of how long it took; 0 if it brought nothing. */
  answered({ address, body }: Question, took: number): void {
    const asked = body === null || took < leastPoll ? null : `${this.#options.gate.news} ${body}`
    this.#past.set(address, [...(this.#past.get(address) ?? []), asked].slice(-2))
  }

  /** Takes notice that the agent rests. */
  rests(): void {
    this.#stretch = stopwatch()
  }

  /** Whether it has worked for as long as counts: ten times the patience at a stretch. */
  get isExhausted(): boolean {
    return this.#stretch() >= 10 * this.#options.world.patience
  }

  /** Returns in words what counts as work of what is seen; undefined if nothing does. */
  in(sight: AgentSight, exchanges: number): string | undefined {
    if (exchanges !== this.#exchanges) this.#stretch = stopwatch()
    this.#exchanges = exchanges
    const all = [
      ...sight.works,
      ...sight.asks.filter((ask) => this.#isWork(ask)),
      ...sight.links
        .filter((to) => !this.#isIgnored(to))
        .map((to) => ({ key: `link ${to}`, what: `an answer from ${to}` })),
    ]
    const present = new Set(all.map(({ key }) => key))
    for (const key of this.#endless) if (!present.has(key)) this.#endless.delete(key)
    const counting = all.filter(({ key }) => !this.#endless.has(key))
    if (!this.isExhausted) return counting[0]?.what
    for (const { key, what } of counting) {
      this.#endless.add(key)
      this.#options.onImpatient?.(what, 'worked')
    }
    // What is asked there later, as by a log, is not waited for again.
    for (const { key, address } of sight.asks) if (this.#endless.has(key)) this.#idle.add(address)
    return undefined
  }

  // 5. Not work:

  #isWork({ address, host, events, quiet, body }: OpenQuestion): boolean {
    const past = this.#past.get(address) ?? []
    // A request elsewhere that is equal to the two before it at that address, which took a second each: a long poll. If there is
    // something new or a write in the mailbox between them, they are about that.
    const asked = `${this.#options.gate.news} ${body}`
    if (past.length === 2 && past.every((one) => one === asked)) this.#idle.add(`${address} ${body}`)
    return !(
      // an event stream opened with GET;
      events ||
      this.#idle.has(address) ||
      this.#idle.has(`${address} ${body}`) ||
      // a response that has begun and then brings nothing for as long as the patience;
      (quiet !== null && quiet >= this.#options.world.patience) ||
      this.#isIgnored(host)
    )
  }

  /** Hosts that are named do not count. */
  #isIgnored(host: string): boolean {
    return this.#options.ignored?.some((name) => host === name || host.replace(/:\d+$/, '') === name) ?? false
  }
}

/** A pause after a round in vain, in milliseconds of story time. */
interface Pause {
  /** How many such rounds it follows without a break. */
  vain: number
  readonly began: number
  readonly duration: number
  /** How many times its duration it takes. */
  times: number
}

/**
 * 3. Waits between which the agent asks nothing are as long as it wants. A round in which it asked the mailbox only for what it had
 * already got, and changed nothing, is in vain. After three of them since something new came or the story moved, each further pause
 * is half as long again, up to ten minutes (without that limit if it also asks others in them).
 */
class Rounds {
  /** The pauses that began in rounds in vain, by the keys of the waits. */
  readonly #pauses = new Map<string, Pause>()
  /** The keys of waits that began before the present round. */
  #known = new Set<string>()
  /** The keys of waits that ended, until one begins after them: that of each copy, where several run. */
  readonly #ended = new Set<string>()

  /** Takes notice of the waits after a round that followed the end of one. */
  note(ended: string | undefined, waits: readonly AgentWait[], round: Round, now: number): void {
    if (round.isNew) this.restart(now)
    if (ended !== undefined) this.#ended.add(ended)
    const isVain = round.hasAsked && !round.isNew
    const begun = waits.filter(({ key, after }) => this.#ended.has(after) && !this.#known.has(key))
    for (const { key, after, due, duration } of isVain ? begun : []) {
      const before = this.#pauses.get(after) ?? { vain: 0, times: 1 }
      const vain = before.vain + 1
      const most = round.hasAskedOthers ? Infinity : Math.max(1, Math.floor((10 * minute) / duration))
      const times = vain < 3 ? 1 : Math.min(Math.ceil(1.5 * before.times), most)
      this.#pauses.set(key, { vain, began: due - duration, duration, times })
    }
    for (const { after } of begun) if (after !== ended) this.#ended.delete(after)
    this.#known = new Set(waits.map(({ key }) => key))
    for (const key of this.#pauses.keys())
      if (!this.#known.has(key) && !this.#ended.has(key)) this.#pauses.delete(key)
  }

  /** If the story moves in such a pause, it ends at the next multiple of the agent's own length, where it would have asked. */
  restart(now: number): void {
    for (const pause of this.#pauses.values()) {
      pause.times = Math.max(1, Math.ceil((now - pause.began) / pause.duration))
      pause.vain = 0
    }
  }

  /** Returns when a wait ends. */
  readonly endOf = ({ key, due }: AgentWait): number => {
    const pause = this.#pauses.get(key)
    return pause ? pause.began + pause.times * pause.duration : due
  }
}
