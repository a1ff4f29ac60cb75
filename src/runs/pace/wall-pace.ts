import type { AnsweredRequest } from '../../doors/server/index.js'
import { preloadApp } from '../../doors/server/request-listener.js'
import { parseInstant, speedOf, stopwatch, Timers } from '../../service/world/index.js'
import { storyLength } from '../story-length.js'
import { type AskedWait, ClientWaits } from './client-waits.js'
import type { Pace, PacedPlay } from './pace.js'
import { RequestActivity, readyTimeoutOf, waitForAgent } from './readiness.js'

/** The default time that a story continues after its last entry, in milliseconds of story time. */
const defaultGrace = 30_000

/** The minimum time that it continues, in milliseconds of wall time, since agents wait in wall time. */
const leastGrace = 3_000

/** The maximum time that its end waits for an agent, in milliseconds of wall time. */
const longestEnd = 30_000

/** How often the clock is checked, in milliseconds of wall time: an agent may have advanced it or changed its mode. */
const pollInterval = 200

/** Lets story time pass at a multiple of wall time, or stand still. */
export class WallPace implements Pace {
  readonly environment = {}
  readonly facts = undefined
  readonly end: number
  readonly #play: PacedPlay
  readonly #timers = new Timers()
  readonly #activity = new RequestActivity()
  readonly #waits: ClientWaits
  /** The milliseconds of wall time that the agent has at the end. */
  readonly #leastGrace: number
  #waiting: AskedWait | null = null

  constructor(play: PacedPlay) {
    const { story, simulator, mode, options } = play
    this.#play = play
    const grace = options.grace ?? Math.max(defaultGrace, leastGrace * speedOf(mode))
    this.#leastGrace = Math.min(leastGrace, grace / (speedOf(mode) || 1))
    this.end = story.start + storyLength(story, grace)
    this.#waits = new ClientWaits(simulator, { passes: mode === 'frozen' })
  }

  get waiting(): AskedWait | null {
    return this.#waiting
  }

  get moreTime(): number {
    return 1000 * this.#waits.seconds
  }

  answered({ target }: AnsweredRequest): void {
    // A request for the health only waits for the server.
    if (!target.startsWith('/_sim/health')) this.#activity.note()
  }

  async run(agentGone: AbortSignal): Promise<boolean> {
    const { mode, agent, options, stopped } = this.#play
    const { ready: url, watcher, until } = options
    const over = AbortSignal.any([stopped, agentGone])
    const isAlone = agent === 'elsewhere'
    // An agent that decides when its story ends needs no time to come up.
    const waits = url !== undefined || (isAlone ? mode !== 'frozen' : until !== 'agent-end')
    const ready = !waits || (await this.#waitForAgent(over))
    if (over.aborted) return true
    if (!ready && url !== undefined) return false
    watcher?.begun?.(ready)
    if (isAlone && mode === 'frozen') return true
    // On a frozen clock, the command alone decides when the story ends.
    const isEndless = until === 'agent-end' || mode === 'frozen'
    await this.#runClock(isEndless ? Number.POSITIVE_INFINITY : this.end, over)
    if (!isAlone && !over.aborted) watcher?.ending?.()
    return true
  }

  async close(): Promise<void> {
    this.#waits.close()
    this.#timers.end()
  }

  async #waitForAgent(signal: AbortSignal): Promise<boolean> {
    const { options, receivers } = this.#play
    options.watcher?.waiting?.()
    const signs = { url: options.ready, receivers, activity: this.#activity }
    const agent = waitForAgent(signs, readyTimeoutOf(options), signal)
    // Before the story begins, since the first write would otherwise wait for it, which is long on a fast
    // clock.
    const [ready] = await Promise.all([agent, preloadApp()])
    return ready
  }

  /**
   * Lets time pass exactly until the end, where the agent finishes, or until the signal; then freezes the
   * clock.
   */
  async #runClock(end: number, signal: AbortSignal): Promise<void> {
    const { simulator, mode } = this.#play
    const { clock, events } = simulator
    const run = (): void => {
      if (Number.isFinite(end)) clock.stopAt(end)
      clock.setMode(mode)
    }
    run()
    // An agent that restarts the story would otherwise wait for mail on a frozen clock.
    const stop = mode === 'frozen' ? undefined : events.subscribe(({ type }) => type === 'reset' && run())
    const now = (): number => parseInstant(clock.now()) as number
    for (let left = end - now(); left > 0 && !signal.aborted; left = end - now()) {
      const speed = speedOf(clock.mode)
      await this.#timers.wait(
        speed === 0 ? pollInterval : Math.min(pollInterval, Math.ceil(left / speed)),
        signal,
      )
    }
    stop?.()
    await this.#awaitAgent(signal)
    if (clock.mode !== 'frozen') clock.setMode('frozen')
  }

  /**
   * At the end, lets an agent respond to deliveries, and continue while something that is expected is not
   * met: it works in wall time, of which a fast clock leaves little. The clock stays at the end meanwhile,
   * but waits still pass at its speed. An agent has done what it can once it has seen everything again or
   * does nothing more.
   */
  async #awaitAgent(signal: AbortSignal): Promise<void> {
    const elapsed = stopwatch()
    this.#waits.countAnswers()
    while (!signal.aborted && (this.#isDelivering() || (this.#isUnmet() && !this.#isDone()))) {
      if (elapsed() + this.#waits.left() > longestEnd) break
      await this.#timers.wait(pollInterval, signal)
    }
    if (!signal.aborted) this.#waiting = this.#waits.pending
  }

  /** Returns whether an attempt of a delivery is in flight, or about to be sent. */
  #isDelivering(): boolean {
    return this.#play.simulator.deliveries.list().some(({ status, next_attempt_at, attempts }) => {
      const isDue = status === 'pending' && next_attempt_at === null
      return isDue || attempts.some(({ duration_ms }) => duration_ms === null)
    })
  }

  /** Returns whether something that is expected is not met, and still can be. */
  #isUnmet(): boolean {
    const { checker } = this.#play
    const decided = new Set(checker.decided().map(({ index }) => index))
    return checker.results().some(({ passed, index }) => !passed && !decided.has(index))
  }

  /** Returns whether the agent has done what it can: it waits for nothing, and repeats itself or does nothing more. */
  #isDone(): boolean {
    const { server } = this.#play
    const isBack = (server?.answering ?? 0) === 0 && this.#waits.left(this.#leastGrace) === 0
    return isBack && (this.#waits.mostAnswers > 2 || this.#activity.isQuiet(this.#leastGrace))
  }
}
