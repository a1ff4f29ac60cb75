import { AutoTime, type TimeJump } from '../../doors/pace/auto-time.js'
import { RequestGate } from '../../doors/pace/request-gate.js'
import { preloadApp } from '../../doors/server/request-listener.js'
import { formatInstant, parseInstant, speedOf } from '../../service/time/time.js'
import { Timers, wallTime } from '../../service/time/wall-time.js'
import type { PlayedEntry } from '../../service/world/story-entry.js'
import type { World } from '../../service/world/world.js'
import { observerEnvironment } from '../agent/observers/environment.js'
import { Lockstep } from './lockstep.js'
import { ObservedAgent } from './observed-agent.js'
import { Observers } from './observers.js'
import type { Pace, PacedPlay, PaceFacts, PaceJump } from './pace.js'
import { waitForUrl } from './readiness.js'
import { storyLength } from './story-length.js'

/** The time that a story continues after its last entry unless said otherwise, in milliseconds of story time. */
export const defaultGrace = 30_000

/** A day in milliseconds. */
const day = 86_400_000

/** How long after that the waits of an agent are still played, so that one that polls seldom sees the last of the story. */
const longestOvertime = 3_600_000

/** How long, and how often without anything new, an agent is woken after that to find out whether it ends by itself. */
const [longestLife, lastRounds] = [30 * 86_400_000, 300]

/** Milliseconds of wall time for which an agent whose work cannot be seen has to be quiet. */
const defaultPatience = 30_000

/** Milliseconds of wall time after which a story on a running clock begins without a sign of an agent. */
const longestStart = 10_000

/** Milliseconds of wall time for which an agent has to be quiet that waits at the end of a story on a running clock. */
const longestPause = 3_000

/** The most jumps of story time that a report has. */
const mostJumps = 500

/** How often an entry lets the story continue for one thread: who answers each mail of a program that answers each mail would never end it. */
const mostTurns = 30

/** How often a running clock is looked at, in milliseconds of wall time: an agent may have moved it or set its mode. */
const pollInterval = 200

/**
 * Paces an agent by what the observers in its processes see: on an `auto` clock, story time stands still while it works, and
 * jumps while it rests; on any other clock, the story waits for it at the end.
 */
export class PlayPace implements Pace {
  readonly #play: PacedPlay
  readonly #world: World
  readonly #observers: Observers
  readonly #gate: RequestGate
  readonly #agent: ObservedAgent
  readonly #lockstep: Lockstep
  readonly #timers = new Timers()
  readonly #stopFollowing: () => void
  readonly #gone = new AbortController()
  #time: AutoTime | undefined
  readonly #jumps: PaceJump[] = []
  /** The process groups of the command; undefined before it has started for the first time. */
  #groups: Set<number> | undefined
  /** How often it is being stopped or started again. */
  #changes = 0
  /** How often each entry was played in each thread. */
  readonly #turns = new Map<string, number>()
  /** The entry that no longer lets the story continue. */
  #looping: string | undefined
  /** Whether it was stopped or started again before. */
  #hasChanged = false
  /** The instant that the agent's processes know as the beginning of the play. */
  #began: number
  /** The date that they show when it begins. */
  readonly #date: number
  #end: number

  private constructor(play: PacedPlay, observers: Observers) {
    const { simulator, options, server, story } = play
    this.#play = play
    this.#observers = observers
    this.#world = simulator.paced
    this.#began = this.#world.clock.beganAt
    this.#end = this.#began + storyLength(story, options.grace ?? defaultGrace)
    this.#gate = new RequestGate(this.#world, Infinity)
    this.#lockstep = new Lockstep(() => this.#time !== undefined && this.#copies > 1)
    this.#letCopiesTakeTurns()
    this.#date = options.agentTime === 'story' ? this.#began : wallTime()
    const { thinkTime = 'none', patience = defaultPatience, watcher } = options
    this.#agent = new ObservedAgent({
      ...{ observers, gate: this.#gate, thinkTime, patience, ended: this.#gone.signal },
      waitPatience: play.mode === 'auto' ? patience : Math.min(patience, longestPause),
      groups: () => this.#groups,
      isChanging: () => this.#changes > 0,
      lockstep: this.#lockstep,
      isPreparing: () => this.#world.clock.preparing,
      answering: () => server?.answering ?? 0,
      requests: () => server?.begun ?? 0,
      // On a running clock, delays pass by themselves.
      held: () => this.#lockstep.waiting + (play.mode === 'auto' ? this.#gate.held : this.#gate.waiting),
      delivering: () => this.#world.dispatcher.inFlight,
      events: () => this.#world.feed.latest,
      began: () => this.#began,
      now: () => this.#world.clock.now(),
      date: this.#date,
      onWaiting: (isWaiting) => this.#passWall(isWaiting),
      onWorking: (what, milliseconds) => watcher?.working?.(what, milliseconds),
    })
    this.#stopFollowing = simulator.events.subscribe((event) => {
      if (event.type === 'timeline') this.#extend(event.data as PlayedEntry, options.grace)
      if (event.type === 'reset') this.#restart()
    })
  }

  /** How many copies of the agent run, or are about to. */
  get #copies(): number {
    return (this.#groups?.size ?? 0) + this.#changes
  }

  /** Has the requests of several copies wait for their turn before anything else. */
  #letCopiesTakeTurns(): void {
    const { gate } = this.#world
    this.#world.gate = (request) => {
      const { start, isKilled = false } = this.#world.agentLife?.client ?? {}
      const turn = start === undefined || isKilled ? undefined : this.#lockstep.admit(start, request.signal)
      return turn ? turn.then(() => gate?.(request)) : gate?.(request)
    }
  }

  /** Prepares to pace a play. */
  static async create(play: PacedPlay): Promise<PlayPace> {
    const observers = await Observers.listen({
      joined: (process) => pace.#agent.welcome(process),
      changed: () => pace.#agent.noteChange(),
      asks: () => pace.#agent.noteQuestion(),
      noted: (note) => play.options.watcher?.noted?.(note),
    })
    const pace: PlayPace = new PlayPace(play, observers)
    return pace
  }

  get environment(): Pace['environment'] {
    const { mode, options } = this.#play
    const agentTime = mode === 'auto' ? (options.agentTime ?? 'skip') : 'wall'
    return observerEnvironment({ socket: this.#observers.socket, agentTime, env: process.env })
  }

  get facts(): PaceFacts {
    const observed = [...this.#observers.seen].map(([runtime, pids]) => ({ runtime, processes: pids.size }))
    const { lastWork: working } = this.#agent
    return {
      mode: this.#play.mode,
      observed: observed.sort((a, b) => (a.runtime < b.runtime ? -1 : 1)),
      worked_ms: Math.round(this.#agent.worked),
      skipped_ms: Math.round(this.#time?.skipped ?? 0),
      patience_used: this.#agent.patienceUsed,
      ...(this.#play.mode === 'auto' && { jumps: [...this.#jumps] }),
      ...(this.#agent.readsDate && Math.abs(this.#date - this.#world.clock.beganAt) >= day
        ? { own_date: formatInstant(this.#date) }
        : {}),
      ...(this.#observers.listened && { listens: true }),
      ...(this.#looping !== undefined && { looping: this.#looping }),
      ...(this.#play.stopped.aborted && working !== undefined && { working }),
    }
  }

  get end(): number {
    return this.#end
  }

  get processes(): readonly number[] {
    return this.#observers.processes.map(({ pid }) => pid)
  }

  /** Notes the process group of the command once it has started. */
  started(group: number): void {
    // One that starts again has seen nothing yet.
    if (this.#groups) this.#gate.noteNews()
    this.#groups ??= new Set()
    this.#groups.add(group)
    this.#agent.noteChange()
  }

  ended(group: number): void {
    this.#groups?.delete(group)
    if (this.#copies < 2) this.#lockstep.open()
    this.#agent.noteChange()
  }

  changes(change: Promise<unknown>): void {
    this.#changes++
    this.#hasChanged = true
    void change.finally(() => {
      this.#changes--
      if (this.#copies < 2) this.#lockstep.open()
      this.#agent.noteChange()
    })
  }

  /** Notes that the command wrote something. */
  wrote(): void {
    this.#agent.noteActivity()
  }

  async run(agentGone: AbortSignal): Promise<boolean> {
    const { agent, mode, options, stopped } = this.#play
    const { watcher, until } = options
    agentGone.addEventListener('abort', () => this.#gone.abort(), { once: true })
    if (agentGone.aborted) this.#gone.abort()
    stopped.addEventListener('abort', () => this.#observers.leave(), { once: true })
    const over = AbortSignal.any([stopped, agentGone])
    watcher?.waiting?.()
    // Before the story begins, since the first write would otherwise wait for it, which is long on a fast clock.
    const [isReady] = await Promise.all([waitForUrl(options, over), preloadApp()])
    if (over.aborted) return true
    if (!isReady) return false
    const hasSign = mode === 'auto' || mode === 'frozen' || (await this.#awaitAgent(over))
    watcher?.begun?.(hasSign)
    if (agent === 'elsewhere' && mode === 'frozen') return true
    const isEndless =
      until === 'agent-end' || (until === 'agent-rest' && mode !== 'auto') || mode === 'frozen'
    if (mode === 'auto') await this.#tell(isEndless, over)
    else await this.#runClock(isEndless ? Infinity : this.#end, over)
    if (agent !== 'elsewhere' && !over.aborted) watcher?.ending?.()
    const { clock } = this.#world
    if (clock.mode !== 'frozen') clock.setMode('frozen')
    return true
  }

  async close(): Promise<void> {
    this.#stopFollowing()
    this.#gate.close()
    this.#lockstep.open()
    this.#timers.end()
    await this.#observers.close()
  }

  /** Tells the story in the agent's own time. */
  async #tell(isEndless: boolean, over: AbortSignal): Promise<void> {
    const { options, story } = this.#play
    this.#world.clock.setMode('auto')
    const lives = options.until === 'agent-rest'
    const parts = {
      ...{ world: this.#world, agent: this.#agent, gate: this.#gate, thinkTime: options.thinkTime },
      onJump: ({ from, to, why }: TimeJump): void => {
        if (this.#jumps.length >= mostJumps) return
        this.#jumps.push({ from: formatInstant(from), to: formatInstant(to), why })
      },
    }
    this.#time = new AutoTime({
      ...parts,
      end: () => (isEndless ? Infinity : Math.max(this.#end, this.#lastRetry())),
      overtime: () => {
        if (this.#looping !== undefined) return 0
        return lives ? longestLife : options.grace === undefined ? longestOvertime : 0
      },
      lateRounds: lives ? lastRounds : undefined,
    })
    await this.#time.run(over)
    // Tests in processes of their own ask other mailboxes, and end by themselves.
    const isJudged = story.expectations.length > 0 && this.#gate.exchanges > 0
    if (lives && !isJudged && !over.aborted) {
      this.#time = new AutoTime({ ...parts, end: () => Infinity, overtime: () => 0 })
      await this.#time.run(over)
    }
    const now = this.#world.clock.now()
    if (!over.aborted && now < this.#end) await this.#time.advanceTo(this.#end, 'end')
  }

  /**
   * Returns when the last event comes again that an agent missed which was down; 0 without one. Without `grace`, the story
   * does not end before that, for an agent that listens has no other way to learn of it.
   */
  #lastRetry(): number {
    const { options, simulator } = this.#play
    if (!this.#hasChanged || options.grace !== undefined) return 0
    const missed = simulator.deliveries.list().filter(({ attempts }) => attempts.at(-1)?.response === null)
    const due = missed.flatMap(({ next_attempt_at: at }) => (at === null ? [] : [parseInstant(at) ?? 0]))
    return Math.max(0, ...due.filter((at) => at <= this.#end + longestOvertime))
  }

  /** Lets the clock run exactly until the end, and then waits until the agent rests. */
  async #runClock(end: number, over: AbortSignal): Promise<void> {
    const { mode, agent } = this.#play
    this.#restart()
    for (let left = end - this.#world.clock.now(); left > 0 && !over.aborted; ) {
      const speed = speedOf(this.#world.clock.mode)
      await this.#timers.wait(
        speed === 0 ? pollInterval : Math.min(pollInterval, Math.ceil(left / speed)),
        over,
      )
      left = (Number.isFinite(end) ? this.#end : end) - this.#world.clock.now()
    }
    const isThere = agent === 'command' || this.#gate.exchanges > 0
    if (mode !== 'frozen' && isThere && !over.aborted) await this.#agent.rests(over)
  }

  /** Waits until the agent has sent a request, or rests; returns false if there was no sign of either for some time. */
  async #awaitAgent(over: AbortSignal): Promise<boolean> {
    const { readyTimeout = longestStart, ready } = this.#play.options
    if (ready !== undefined) return true
    const begun = new AbortController()
    const asked = this.#play.simulator.events.subscribe(({ type }) => type === 'exchange' && begun.abort())
    const rests = this.#agent.rests(AbortSignal.any([over, begun.signal]))
    const limit = this.#timers.wait(readyTimeout, begun.signal).then(() => !begun.signal.aborted)
    const isLate = await Promise.race([rests.then(() => false), limit])
    begun.abort()
    asked()
    this.#gate.most = Infinity
    this.#gate.open()
    return !isLate
  }

  /** Begins the story again after a reset: an agent would otherwise wait for mail on a clock that stands. */
  #restart(): void {
    const { clock } = this.#world
    const { mode } = this.#play
    this.#began = clock.now() - this.#agent.told
    if (mode !== 'auto' && mode !== 'frozen') clock.stopAt(this.#end)
    if (clock.mode !== mode) clock.setMode(mode)
  }

  /**
   * Lets the story continue for a while after an entry that an act of the agent caused, unless it has come so often in a thread
   * that two programs seem to answer each other forever.
   */
  #extend({ name, at, triggered }: PlayedEntry, grace = defaultGrace): void {
    if (!triggered) return
    const { journal, store } = this.#world
    const message = journal.keptCommands().at(-1)?.message ?? ''
    const turn = `${name} ${store.get('message', message)?.thread_id}`
    const turns = (this.#turns.get(turn) ?? 0) + 1
    this.#turns.set(turn, turns)
    if (turns > mostTurns) {
      this.#looping = name
      return
    }
    const end = (parseInstant(at) as number) + grace
    if (end <= this.#end) return
    this.#end = end
    const { clock } = this.#world
    if (clock.mode !== 'auto' && clock.mode !== 'frozen') clock.stopAt(end)
  }

  /** Lets story time pass like wall time while the agent waits and its waits cannot be skipped. */
  #passWall(isWaiting: boolean): void {
    const { clock } = this.#world
    const { mode: played, options } = this.#play
    // With the think time `real`, it passes anyway.
    if (played !== 'auto' || options.thinkTime === 'real' || !this.#time) return
    const mode = isWaiting ? 'real' : 'auto'
    if (clock.mode !== mode) clock.setMode(mode)
  }
}
