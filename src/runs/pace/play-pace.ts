import { formatDuration } from '../../base/text.js'
import { AgentTime } from '../../doors/pace/agent-time.js'
import { RequestGate } from '../../doors/pace/request-gate.js'
import { preloadApp } from '../../doors/server/request-listener.js'
import type { RunningServer } from '../../doors/server/start-server.js'
import { type ClockMode, formatInstant, parseInstant } from '../../service/time/time.js'
import { stopwatch, Timers, wallTime, withinLimit } from '../../service/time/wall-time.js'
import type { PlayedEntry } from '../../service/world/story-entry.js'
import type { World } from '../../service/world/world.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import type { Story } from '../../story/story.js'
import type { PlayOptions } from '../agent/options.js'
import { longestStart, waitForUrl } from '../agent/receivers.js'
import { ObservedAgent } from './observed-agent.js'
import type { PaceFacts } from './pace.js'

/** The time that a story continues after its last entry unless said otherwise, in milliseconds of story time. */
const defaultGrace = 30_000

/** The same in the agent's own time, so that one that looks seldom has its turn. */
const ownGrace = 3_600_000

/** A day in milliseconds. */
const day = 86_400_000

/**
 * How long an agent on a running clock may pause, once its story is over, until it asks for something new, in milliseconds of
 * wall time: how long it still waits is not known there.
 */
const longestPause = 3_000

/** How often a running clock is looked at, in milliseconds of wall time: an agent may have moved it or set its mode. */
const pollInterval = 200

/** The play that is paced. */
interface PacedPlay {
  readonly story: Story
  readonly server: RunningServer
  /** What the story is played to; `elsewhere` is an agent that was not started here, if there is one. */
  readonly agent: 'command' | 'elsewhere'
  readonly mode: ClockMode
  readonly options: PlayOptions
  /** Aborted when the play is interrupted. */
  readonly stopped: AbortSignal
}

/**
 * Paces an agent by what the observers in its processes see: on an `auto` clock, story time stands still while it works, and
 * jumps while it rests; on any other clock, the story waits for it at the end.
 */
export class PlayPace {
  readonly #play: PacedPlay
  readonly #world: World
  readonly #gate: RequestGate
  /** What watches the processes of the command. */
  readonly agent: ObservedAgent
  readonly #time: AgentTime
  readonly #timers = new Timers()
  readonly #stopFollowing: () => void
  readonly #grace: number
  readonly #notes = new Set<string>()
  #patienceUsed = 0
  #wasUnanswered = false
  /** The date that they show when it begins. */
  readonly #date: number
  /** When the story is over, if nothing of it is due then. */
  end: number

  constructor(play: PacedPlay) {
    const { options, server, story, mode } = play
    this.#play = play
    this.#world = server.simulator.view.world
    const { clock, dispatcher, patience } = this.#world
    this.#grace = options.grace ?? (mode === 'auto' ? ownGrace : defaultGrace)
    this.end = clock.beganAt + storyLength(story, this.#grace)
    this.#gate = new RequestGate(this.#world, () => this.#movesAtRest)
    this.#date = options.agentTime === 'story' ? clock.beganAt : wallTime()
    this.agent = new ObservedAgent({
      ...{ server, gate: this.#gate, date: this.#date },
      agentTime: mode === 'auto' ? (options.agentTime ?? 'skip') : 'wall',
      thinkTime: options.thinkTime,
      answered: (question, took) => this.#time.work.answered(question, took),
      noted: (note) => this.#noted(note),
    })
    this.#time = new AgentTime({
      ...{ world: this.#world, agent: this.agent, gate: this.#gate, ignored: options.ignoreHosts },
      end: () => (this.#isEndless ? Infinity : this.end),
      onImpatient: (what, why) => {
        if (why === 'worked') {
          this.#noted(`${what} had not ended after ${formatDuration(10 * patience)}, so time went on`)
          return
        }
        this.#patienceUsed++
        this.#wasUnanswered ||= dispatcher.inFlight > 0 || hasUnanswered(this.#world)
        if (what.includes('lost')) this.#noted(what)
      },
    })
    this.#stopFollowing = server.simulator.events.subscribe((event) => {
      if (event.type === 'timeline') this.#extend(event.data as PlayedEntry)
      if (event.type === 'reset') this.#restart()
    })
  }

  /** Notes why a part of the agent is not observed, or what went on for too long. */
  #noted(note: string): void {
    if (this.#notes.has(note)) return
    this.#notes.add(note)
    this.#play.options.watcher?.noted?.(note)
  }

  /** Whether only the end of the agent ends the play: tests that ask mailboxes of their own end by themselves. */
  get #isEndless(): boolean {
    const isTest = this.agent.hasOwnMailbox && this.#gate.exchanges === 0
    return isTest || this.#play.mode === 'frozen'
  }

  /** Whether time waits for the agent to rest: always on an `auto` clock; on one that runs, after the end of the story. */
  get #movesAtRest(): boolean {
    const { mode } = this.#play
    if (mode === 'auto' || mode === 'frozen') return mode === 'auto'
    return !this.#isEndless && this.#world.clock.now() >= this.end
  }

  get facts(): PaceFacts {
    const { seen, elsewhere, unavailable, listens } = this.agent
    const observed = [...seen].map(([runtime, pids]) => ({ runtime, processes: pids.size }))
    const { working, worked, skipped } = this.#time
    const { request, times } = this.#gate.repeated
    // Nobody knows how an agent pauses that is not observed.
    const asked =
      this.#patienceUsed === 0 && times > 1
        ? [`it asked ${request} without a pause, and had to wait ${times} times until time moved`]
        : []
    const notes = [...this.#notes, ...asked]
    const isOtherDay = Math.abs(this.#date - this.#world.clock.beganAt) >= day
    return {
      mode: this.#play.mode,
      observed: observed.sort((a, b) => (a.runtime < b.runtime ? -1 : 1)),
      worked_ms: Math.round(worked),
      skipped_ms: Math.round(skipped),
      patience_used: this.#patienceUsed,
      elsewhere,
      ...(unavailable !== undefined && { unavailable }),
      ...(this.#wasUnanswered && { unanswered: true }),
      ...(notes.length > 0 && { notes }),
      ...(seen.size > 0 && isOtherDay && { own_date: formatInstant(this.#date).slice(0, 10) }),
      ...(listens && { listens: true }),
      ...(this.#play.stopped.aborted && working !== undefined && { working }),
    }
  }

  async run(agentGone: AbortSignal): Promise<boolean> {
    const { agent, mode, options, stopped } = this.#play
    const { watcher } = options
    stopped.addEventListener('abort', () => this.agent.leave(), { once: true })
    const over = AbortSignal.any([stopped, agentGone])
    watcher?.waiting?.()
    // Before the story begins, since the first write would otherwise wait for it, which is long on a fast clock.
    const ready = waitForUrl(options.ready, longestStart(this.#world), over)
    const [isReady] = await Promise.all([ready, preloadApp()])
    if (over.aborted) return true
    if (!isReady) return false
    const hasSign = mode === 'auto' || mode === 'frozen' || (await this.#awaitAgent(over))
    watcher?.begun?.(hasSign)
    if (agent === 'elsewhere' && mode === 'frozen') return true
    if (mode === 'auto') {
      this.#world.clock.setMode('auto')
      await this.#time.run(over)
    } else await this.#runClock(over)
    const { clock } = this.#world
    if (clock.mode !== 'frozen') clock.setMode('frozen')
    return true
  }

  async close(): Promise<void> {
    this.#stopFollowing()
    this.#gate.close()
    this.#timers.end()
    this.agent.leave()
  }

  /** Lets the clock run until the end, and then waits until the agent asks for nothing new any more. */
  async #runClock(over: AbortSignal): Promise<void> {
    const { mode, agent } = this.#play
    this.#restart()
    // A reset gives the world another clock.
    while (!over.aborted && (this.#isEndless || this.#world.clock.now() < this.end)) {
      await this.#timers.wait(pollInterval, over)
    }
    if (mode === 'frozen' || (agent === 'elsewhere' && this.#gate.exchanges === 0)) return
    for (let quiet = stopwatch(); !over.aborted && quiet() < longestPause; ) {
      await this.#time.rests(over)
      if (this.#gate.takeRound().isNew || this.#world.clock.waiting > 0) quiet = stopwatch()
      await this.#timers.wait(pollInterval, over)
    }
  }

  /** Waits until the agent has sent a request, or rests; returns false if it did neither as long as the patience. */
  async #awaitAgent(over: AbortSignal): Promise<boolean> {
    const { server, options } = this.#play
    if (options.ready !== undefined || this.#gate.exchanges > 0) return true
    const begun = new AbortController()
    const ends = AbortSignal.any([over, begun.signal])
    const stop = server.simulator.events.subscribe(({ type }) => type === 'exchange' && begun.abort())
    const resting = withinLimit(this.#world.patience, ends, (signal) => this.#time.rests(signal))
    const hasRested = await resting.then(Boolean, () => false)
    stop()
    return begun.signal.aborted || (hasRested && this.#patienceUsed === 0)
  }

  /** Begins the story again after a reset: an agent would otherwise wait for mail on a clock that stands. */
  #restart(): void {
    const { clock } = this.#world
    const { mode } = this.#play
    this.agent.began = clock.now() - this.agent.told
    if (mode !== 'auto' && mode !== 'frozen') clock.stopAt(this.end)
    if (clock.mode !== mode) clock.setMode(mode)
  }

  /** Lets the story continue for a while after an entry that an act of the agent caused, as after each other. */
  #extend({ at, triggered }: PlayedEntry): void {
    if (!triggered) return
    this.end = Math.max(this.end, (parseInstant(at) as number) + this.#grace)
    const { clock } = this.#world
    if (clock.mode !== 'auto' && clock.mode !== 'frozen') clock.stopAt(this.end)
  }
}

/** Returns whether a message arrived in a thread in which nothing was sent since. */
function hasUnanswered({ journal, store }: World): boolean {
  const unanswered = new Set<string>()
  for (const { command, message } of journal.keptCommands()) {
    const thread = store.get('message', message ?? '')?.thread_id
    if (command.type === 'receive-message' && thread) unanswered.add(thread)
    if (command.type === 'send-message' && thread) unanswered.delete(thread)
  }
  return unanswered.size > 0
}

/** Returns the length of a story in milliseconds: until a grace period after its last entry, or the last `within`. */
function storyLength({ timeline, triggered = [], expectations }: Story, grace: number): number {
  const told = timeline.map(({ after, commands }) => {
    return (
      after +
      Math.max(0, ...commands.map((command) => ('event_delay' in command && command.event_delay) || 0))
    )
  })
  // People answer a while after the agent has written.
  const answers = triggered.map(({ when }) => ('after' in when && when.after) || 0)
  const last = Math.max(0, ...told) + Math.max(0, ...answers)
  return Math.max(last + grace, ...expectations.map((expectation) => deadlineOf(expectation, timeline, last)))
}

/**
 * Returns when the window of an expectation ends; a window that begins with an act of the agent ends after
 * the last entry.
 */
function deadlineOf({ window }: Expectation, timeline: Story['timeline'], last: number): number {
  const { after, before, within } = window ?? {}
  if (!within) return before?.after ?? 0
  const entry = timeline.find(({ name }) => name === after?.name)
  const from = after ? (after.after ?? entry?.after ?? last) : 0
  return from + within.milliseconds
}
