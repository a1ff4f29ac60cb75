import { type RunningServer, startServer } from '../../doors/server/index.js'
import { preloadApp } from '../../doors/server/request-listener.js'
import { requestedLayers } from '../../doors/simulator/scenario-loader.js'
import {
  type ClockMode,
  formatDuration,
  formatInstant,
  type InitialState,
  parseInstant,
  profileReadings,
  speedOf,
  stopwatch,
  Timers,
  type WorldEvent,
} from '../../service/world/index.js'
import { ExpectationChecker } from '../../story/expectations/expectation-checker.js'
import type { ExpectationResult } from '../../story/expectations/tracker.js'
import { loadScenario } from '../../story/index.js'
import { startAgent } from '../agent/command-agent.js'
import { RunError } from '../errors.js'
import { type AskedWait, ClientWaits, describeWait } from '../pace/client-waits.js'
import {
  isListening,
  type LocalReceiver,
  localReceivers,
  RequestActivity,
  readyTimeoutOf,
  waitForAgent,
} from '../pace/readiness.js'
import { storyLength } from '../story-length.js'
import type { Replayed, ReplayOptions } from './options.js'
import { type CommandOutcome, judge, type ReplayReport, wasPlayed } from './outcome.js'

/**
 * Plays a story against an agent, on its own server, and reports the results of all expectations.
 * @throws ScenarioError, ReadingError, ServerError, RunError
 * @example const report = await replay({ scenario: 'refund-request', command: ['python', 'my_agent.py'] })
 */
export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const { report, server } = await replayAndKeep(options)
  await server.close()
  return report
}

/** Plays a story like `replay`, and returns the server as well, in its final state; the caller closes it. */
export async function replayAndKeep(options: ReplayOptions): Promise<Replayed> {
  const { scenario = 'support-desk', seed, readings, allowFiles, extend, deliveryFormat } = options
  const { host, allowHosts, controlToken, allowDeliveriesTo, maxSent, trace } = options
  const common = { seed, allowFiles, extend, deliveryFormat }
  const initialState = options.initialState ?? (await loadStory(options))
  const activity = new RequestActivity()
  const server = await startServer({
    ...{ ...common, scenario, readings, initialState },
    ...{ port: options.port ?? 0, host, allowHosts, controlToken, allowDeliveriesTo, maxSent, trace },
    // Time stands still until the story begins.
    clock: 'frozen',
    // A request for the health only waits for the server.
    onAnswer: ({ target }) => void (target.startsWith('/_sim/health') || activity.note()),
  })
  try {
    const report = await new ReplaySession({ server, initialState, options, activity }).play()
    return { report, server }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Loads the scenario of a replay. @throws ScenarioError, ReadingError */
export async function loadStory(options: Omit<ReplayOptions, 'watcher'>): Promise<InitialState> {
  const { scenario = 'support-desk', readings, seed, allowFiles, extend, deliveryFormat, under } = options
  const common = { seed, allowFiles, extend, deliveryFormat, under, onProgress: options.onProgress }
  return loadScenario(scenario, { ...common, readings: requestedLayers(readings) })
}

/** The default time that a story continues after its last entry, in milliseconds of story time. */
const defaultGrace = 30_000

/** The minimum time that it continues, in milliseconds of wall time, since agents wait in wall time. */
const leastGrace = 3_000

/** The maximum time that its end waits for an agent, in milliseconds of wall time. */
const longestEnd = 30_000

/** How often the clock is checked, in milliseconds of wall time: an agent may have advanced it or changed its mode. */
const pollInterval = 200

/** The parts of a session. */
interface SessionParts {
  readonly server: RunningServer
  readonly initialState: InitialState
  readonly options: ReplayOptions
  readonly activity: RequestActivity
}

/** A story that is played once, from its beginning to its end. */
class ReplaySession {
  readonly #parts: SessionParts
  readonly #checker: ExpectationChecker
  readonly #elapsed = stopwatch()
  readonly #timers = new Timers()
  readonly #mode: ClockMode
  /** The milliseconds of wall time that the agent has at the end. */
  readonly #leastGrace: number
  /** When the story ends, in milliseconds since the epoch. */
  readonly #end: number
  /** Aborted when the story is interrupted. */
  readonly #stopped: AbortSignal
  readonly #waits: ClientWaits
  /** The wait that the agent was in when the story ended. */
  #waiting: AskedWait | null = null
  #requests = 0
  /** Whether another program was listening where the agent receives deliveries. */
  #portTaken = false

  constructor(parts: SessionParts) {
    const { server, initialState, options } = parts
    this.#parts = parts
    this.#checker = new ExpectationChecker(server.simulator)
    this.#mode = options.clock ?? (options.command ? '10x' : 'frozen')
    const grace = options.grace ?? Math.max(defaultGrace, leastGrace * speedOf(this.#mode))
    this.#leastGrace = Math.min(leastGrace, grace / (speedOf(this.#mode) || 1))
    this.#end = initialState.start + storyLength(initialState, grace)
    this.#waits = new ClientWaits(server.simulator, { passes: this.#mode === 'frozen' })
    this.#stopped = options.signal ?? new AbortController().signal
  }

  /** Plays the story and returns the report. @throws RunError */
  async play(): Promise<ReplayReport> {
    const { options } = this.#parts
    if (this.#stopped.aborted) throw new RunError('interrupted', 'Interrupted before the story began.')
    this.#announce()
    this.#listen()
    const command = options.command ? await this.#playWith(options.command) : await this.#playAlone()
    if (command) options.watcher?.ended?.(command)
    if (wasPlayed({ command })) await this.#playRest()
    return this.#report(command)
  }

  #announce(): void {
    const { server, initialState, options } = this.#parts
    const { scenario, seed, start, timeline, triggered = [] } = initialState
    options.watcher?.started?.({
      scenario,
      seed,
      clock: this.#mode,
      url: server.url,
      start: formatInstant(start),
      length: this.#end - start,
      entries: timeline.length + triggered.length,
      now: () => server.simulator.clock.now(),
    })
  }

  #listen(): void {
    const { events } = this.#parts.server.simulator
    // Events of the start have already happened.
    for (const event of events.after(0)) this.#take(event)
    events.subscribe((event) => this.#take(event))
  }

  #take(event: WorldEvent): void {
    if (event.type === 'exchange') this.#requests++
    this.#parts.options.watcher?.happened?.(event)
  }

  async #playWith(words: readonly string[]): Promise<CommandOutcome> {
    const { server, options } = this.#parts
    const { ready: url, watcher } = options
    const receivers = await this.#freeReceivers()
    const agent = startAgent(words, server, options)
    this.#checker.noteClient('running')
    const over = AbortSignal.any([this.#stopped, agent.gone])
    const ready = await this.#waitForAgent(receivers, over)
    if (!ready && !over.aborted && url !== undefined) {
      const waited = formatDuration(readyTimeoutOf(options))
      return agent.stop('not-ready', `did not respond at ${url} within ${waited} of its start`)
    }
    if (!over.aborted) {
      watcher?.begun?.(ready)
      // On a frozen clock, the command alone decides when the story ends.
      await this.#runClock(this.#mode === 'frozen' ? Number.POSITIVE_INFINITY : this.#end, over)
      if (!over.aborted) watcher?.ending?.()
    }
    const outcome = await agent.stop(this.#stopped.aborted ? 'interrupted' : 'story-over')
    if (outcome.ended === 'by-itself') this.#checker.noteClient('ended')
    return outcome
  }

  /** Plays without a command; while the clock runs, an agent started elsewhere may act. */
  async #playAlone(): Promise<null> {
    const { ready: url, watcher } = this.#parts.options
    const waits = this.#mode !== 'frozen' || url !== undefined
    const ready =
      !waits ||
      (await this.#waitForAgent(localReceivers(this.#parts.server.simulator.webhooks.list()), this.#stopped))
    if (this.#stopped.aborted) return null
    if (!ready && url !== undefined) {
      throw new RunError(
        'not-ready',
        `Nothing responded at ${url}, so the story was not played; start the agent first, or wait longer with --ready-timeout.`,
      )
    }
    watcher?.begun?.(ready)
    if (this.#mode !== 'frozen') await this.#runClock(this.#end, this.#stopped)
    return null
  }

  async #waitForAgent(receivers: readonly LocalReceiver[], signal: AbortSignal): Promise<boolean> {
    const { options, activity } = this.#parts
    options.watcher?.waiting?.()
    const agent = waitForAgent({ url: options.ready, receivers, activity }, readyTimeoutOf(options), signal)
    // Before the story begins, since the first write would otherwise wait for it, which is long on a fast
    // clock.
    const [ready] = await Promise.all([agent, preloadApp()])
    return ready
  }

  /** Returns the addresses where the agent receives deliveries, without those where another program listens. */
  async #freeReceivers(): Promise<LocalReceiver[]> {
    const { server, options } = this.#parts
    const free: LocalReceiver[] = []
    for (const receiver of localReceivers(server.simulator.webhooks.list())) {
      if (await isListening(receiver)) {
        this.#portTaken = true
        const place = `${receiver.host}:${receiver.port}`
        options.watcher?.noted?.(`Another program is already listening at ${place}; deliveries go there.`)
      } else free.push(receiver)
    }
    return free
  }

  /**
   * Lets time pass exactly until the end, where the agent finishes, or until the signal; then freezes the
   * clock.
   */
  async #runClock(end: number, signal: AbortSignal): Promise<void> {
    const { clock, events } = this.#parts.server.simulator
    const run = (): void => {
      if (Number.isFinite(end)) clock.stopAt(end)
      clock.setMode(this.#mode)
    }
    run()
    // An agent that restarts the story would otherwise wait for mail on a frozen clock.
    const stop =
      this.#mode === 'frozen' ? undefined : events.subscribe(({ type }) => type === 'reset' && run())
    for (let left = end - this.#now(); left > 0 && !signal.aborted; left = end - this.#now()) {
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
    const { deliveries } = this.#parts.server.simulator
    return deliveries.list().some(({ status, next_attempt_at, attempts }) => {
      const isDue = status === 'pending' && next_attempt_at === null
      return isDue || attempts.some(({ duration_ms }) => duration_ms === null)
    })
  }

  /** Returns whether something that is expected is not met, and still can be. */
  #isUnmet(): boolean {
    const decided = this.#decided()
    return this.#checker.results().some(({ passed, index }) => !passed && !decided.has(index))
  }

  /** Returns the indexes of the expectations whose results are final. */
  #decided(): Set<number> {
    return new Set(this.#checker.decided().map(({ index }) => index))
  }

  /** Returns whether the agent has done what it can: it waits for nothing, and repeats itself or does nothing more. */
  #isDone(): boolean {
    const { activity, server } = this.#parts
    const isBack = server.answering === 0 && this.#waits.left(this.#leastGrace) === 0
    return isBack && (this.#waits.mostAnswers > 2 || activity.isQuiet(this.#leastGrace))
  }

  /** Plays the rest of the story immediately, and waits for deliveries in progress. */
  async #playRest(): Promise<void> {
    if (this.#stopped.aborted) return
    const { clock } = this.#parts.server.simulator
    const played = clock.advance(Math.max(0, this.#end - this.#now()))
    const stopped = new Promise((resolve) => {
      this.#stopped.addEventListener('abort', resolve, { once: true })
    })
    await Promise.race([played, stopped])
  }

  #now(): number {
    return parseInstant(this.#parts.server.simulator.clock.now()) as number
  }

  #report(command: CommandOutcome | null): ReplayReport {
    const { server, initialState } = this.#parts
    this.#waits.close()
    const { verdicts, waiting } = this.#verdicts(wasPlayed({ command }))
    const { simulator } = server
    const timeline = { played: simulator.timeline.played(), left: simulator.timeline.left }
    const interrupted = this.#stopped.aborted
    const results = { verdicts, waiting, command, timeline, runaway: simulator.runaway(), interrupted }
    const weights = initialState.expectations.map(({ weight = 1 }) => weight)
    const agent = { tookPart: this.#tookPart(command), portTaken: this.#portTaken, weights }
    return {
      format: 'agent-mailbox-sim/replay-report',
      version: 1,
      scenario: initialState.scenario,
      describe: initialState.describe,
      seed: initialState.seed,
      readings: changedReadings(initialState),
      clock: this.#mode,
      started_at: formatInstant(initialState.start),
      ended_at: simulator.clock.now(),
      ...judge(results, agent),
      // Computed when it is read, since the first digest of a mailbox reads all of its mail.
      get digest() {
        return simulator.digest()
      },
      ...results,
      requests: this.#requests,
      deliveries: simulator.deliveries.list().length,
      reliances: simulator.reliances(),
      wall_ms: Math.round(this.#elapsed()),
    }
  }

  /**
   * Returns whether the agent did anything that could be judged; an agent outside of this process may act
   * unseen.
   */
  #tookPart(command: CommandOutcome | null): boolean {
    if (!command || this.#parts.options.allowEmpty || this.#requests > 0) return true
    const deliveries = this.#parts.server.simulator.deliveries.list()
    return deliveries.some(({ attempts }) => attempts.some(({ response }) => response !== null))
  }

  /**
   * Returns the results, without judging what an agent that waited as a response required could still have
   * done.
   */
  #verdicts(played: boolean): Pick<ReplayReport, 'verdicts' | 'waiting'> {
    const results = played ? this.#checker.results() : []
    const wait = this.#waiting
    const decided = this.#decided()
    const isOpen = ({ passed, index }: ExpectationResult): boolean => !passed && !decided.has(index)
    if (!wait || !results.some(isOpen)) return { verdicts: results, waiting: null }
    const { expectations } = this.#parts.initialState
    const isAboutWaits = ({ index }: ExpectationResult): boolean => {
      const one = expectations[index]
      return one?.kind === 'invariant' && one.invariant === 'obeys-retry-after' && !decided.has(index)
    }
    const open = results.filter((one) => isOpen(one) || isAboutWaits(one))
    const verdicts = results.map((one) => {
      return open.includes(one) ? { ...one, passed: false, found: describeWait(wait), nearest: null } : one
    })
    return { verdicts, waiting: { ...wait, not_judged: open.map(({ index }) => index) } }
  }
}

function changedReadings({ readings }: InitialState): Record<string, string> {
  const defaults: Readonly<Record<string, string>> = profileReadings('default')
  return Object.fromEntries(Object.entries(readings).filter(([gap, reading]) => defaults[gap] !== reading))
}
