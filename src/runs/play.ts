import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDuration } from '../base/text.js'
import type { AnsweredRequest } from '../doors/server/request-listener.js'
import { openServer, type RunningServer } from '../doors/server/start-server.js'
import type { Simulator } from '../doors/simulator/simulator.js'
import { type ClockMode, formatInstant, parseInstant } from '../service/time/time.js'
import { stopwatch, Timers } from '../service/time/wall-time.js'
import type { WorldEvent } from '../service/world/entries.js'
import type { RecordedExchange } from '../service/world/exchange.js'
import type { AttackResult } from '../story/expectations/attack-checker.js'
import { AttackChecker } from '../story/expectations/attack-checker.js'
import { ExpectationChecker } from '../story/expectations/expectation-checker.js'
import { decidesLife, isStartExpected, lifeRefusal, type Story } from '../story/story.js'
import { type AgentStart, type CommandAgent, CommandLife } from './agent/command-life.js'
import type { PlayOptions } from './agent/options.js'
import {
  type DeliveryPorts,
  freePorts,
  isListening,
  type LocalReceiver,
  localReceivers,
  longestStart,
  toldPorts,
  withPorts,
} from './agent/receivers.js'
import { type CommandEnd, runCommand, type StopReason } from './agent/run-command.js'
import { RunError } from './errors.js'
import type { PaceFacts } from './pace/pace.js'
import { PlayPace } from './pace/play-pace.js'
import { ServedCount, type ServedFacts } from './served-count.js'
import { type PlayVerdicts, timelineOf, verdictsOf, wasPlayed, watchedFor } from './verdicts.js'

/** What happened when a story was played to an agent. */
export interface Play extends PlayVerdicts {
  readonly story: Story
  readonly clock: ClockMode
  /** The world as it was at the end. */
  readonly simulator: Simulator
  /** Serves the simulator until `close()`. */
  readonly server: RunningServer
  /** How the agent ended; null if none was started. */
  readonly agent: CommandEnd | null
  /** Whether the play was interrupted before the story ended; the results are as of then. */
  readonly interrupted: boolean
  /** What became of the attacks that are laid over the story. */
  readonly attacks: readonly AttackResult[]
  readonly timeline: ReturnType<typeof timelineOf>
  /** Why a message of the agents was refused: they had sent as many as the story allows; null if none was. */
  readonly runaway: string | null
  /** What each start of the agent's program did; undefined unless the story starts it more than once. */
  readonly starts: readonly AgentStart[] | undefined
  /** The number of requests to the service. */
  readonly requests: number
  /** How much the agent was served. */
  readonly served: ServedFacts
  /** The first requests that reached the server, but not the service: for other paths, or for its tools. */
  readonly aside: readonly AnsweredRequest[]
  /** Whether a receiver responded to a delivery. */
  readonly receives: boolean
  /** Whether one did, or something listened where the agent receives deliveries. */
  readonly listens: boolean
  /** Whether another program was listening where the agent receives deliveries. */
  readonly portTaken: boolean
  /** How the agent was paced. */
  readonly pace: PaceFacts
  /** Wall time in milliseconds. */
  readonly wallMs: number
  /** Closes the world, and what serves it. */
  close(): Promise<void>
}

/** The maximum number of requests beside the service that a play keeps. */
const maxAside = 50

/**
 * Plays a story to an agent, from its beginning to its end, in a fresh world; without an agent, alone.
 * @throws ServerError; RunError `interrupted` before it begins, or `not-ready` if an agent that was started elsewhere does
 * not respond
 */
export async function play(
  story: Story,
  agent: CommandAgent | null,
  options: PlayOptions = {},
): Promise<Play> {
  if (options.signal?.aborted) throw new RunError('interrupted', 'Interrupted before the story began.')
  return new PlaySession(story, agent, options).play()
}

/** A story that is played once. */
class PlaySession {
  readonly #story: Story
  readonly #agent: CommandAgent | null
  readonly #options: PlayOptions
  readonly #mode: ClockMode
  readonly #elapsed = stopwatch()
  /** Aborted when the play is interrupted. */
  readonly #stopped: AbortSignal
  /** Aborted when the agent has sent too many requests. */
  readonly #endless = new AbortController()
  #requests = 0
  readonly #served = new ServedCount()
  readonly #aside: AnsweredRequest[] = []
  /** Where the agent may receive deliveries. */
  #receivers: readonly LocalReceiver[] = []
  #listens = false
  /** The life of the agent's program, if the story decides about it. */
  #life: CommandLife | undefined
  /** The number of requests of each start. */
  readonly #requestsOf = new Map<number, number>()
  #stateDir: string | undefined

  constructor(story: Story, agent: CommandAgent | null, options: PlayOptions) {
    this.#story = story
    this.#agent = agent
    this.#options = options
    this.#mode = options.clock ?? (agent ? 'auto' : 'frozen')
    this.#stopped = options.signal ?? new AbortController().signal
  }

  async play(): Promise<Play> {
    await this.#refuseLife()
    await runBefore(this.#options)
    const ports = await freePorts(toldPorts(this.#agent?.variables))
    const server = await this.#open(ports)
    try {
      return await this.#playIn(server, ports)
    } catch (error) {
      await server.close()
      throw error
    } finally {
      if (this.#stateDir) await rm(this.#stateDir, { recursive: true, force: true })
    }
  }

  async #playIn(server: RunningServer, ports: DeliveryPorts): Promise<Play> {
    const { watcher } = this.#options
    const { simulator } = server
    // Whatever becomes of the journal, and of the world: what judges an agent is beside what the agent may change.
    const checker = new ExpectationChecker(simulator, {
      outlivesReset: true,
      expectations: watchedFor(this.#story),
    })
    const attacks = new AttackChecker(simulator)
    const receivers = localReceivers(simulator.webhooks.list(), ports)
    const free = this.#agent ? await this.#freeReceivers(receivers) : receivers
    if (this.#agent) this.#receivers = free
    const pace = new PlayPace({
      ...{ story: this.#story, server, mode: this.#mode },
      agent: this.#agent ? 'command' : 'elsewhere',
      options: { ...this.#options, ready: withPorts(this.#options.ready, ports) },
      stopped: this.#stopped,
    })
    try {
      await pace.agent.listen()
      this.#announce(server, pace)
      this.#listen(simulator)
      const agent = await this.#act(server, pace, ports)
      if (agent) watcher?.ended?.(agent)
      const isPlayed = wasPlayed(agent)
      if (isPlayed) await this.#playRest(simulator, pace.end)
      const portTaken = free.length < receivers.length
      const deliveries = simulator.deliveries.list()
      const receives = deliveries.some(({ attempts }) => attempts.some(({ response }) => response !== null))
      return {
        ...{ story: this.#story, clock: this.#mode, simulator, server, agent },
        interrupted: this.#stopped.aborted,
        ...verdictsOf(this.#story, checker, isPlayed),
        attacks: attacks.results(),
        runaway: simulator.runaway(),
        timeline: timelineOf(simulator),
        starts: await this.#starts(),
        served: this.#served.facts,
        ...{ requests: this.#requests, aside: this.#aside },
        ...{ receives, portTaken, listens: receives || portTaken || this.#listens },
        pace: pace.facts,
        wallMs: Math.round(this.#elapsed()),
        close: () => server.close(),
      }
    } finally {
      checker.close()
      attacks.close()
      await pace.close()
    }
  }

  /** Opens the world of the story. Time stands still until it begins. */
  #open(deliveryPorts: DeliveryPorts): Promise<RunningServer> {
    return openServer({
      ...this.#options,
      ...{ initialState: this.#story, clock: 'frozen', port: this.#options.port ?? 0, deliveryPorts },
      onAnswer: (request) => this.#noteAside(request),
      aroundRequest: (socket, handle) => {
        if (this.#life) this.#life.handle(socket, handle)
        else handle()
      },
    })
  }

  #announce({ simulator, url }: RunningServer, pace: PlayPace): void {
    const { scenario, seed, start, timeline, triggered = [] } = this.#story
    this.#options.watcher?.started?.({
      scenario,
      seed,
      clock: this.#mode,
      url,
      start: formatInstant(start),
      length: pace.end - start,
      entries: timeline.length + triggered.length,
      now: () => simulator.clock.now(),
    })
  }

  #listen({ events }: Simulator): void {
    // Events of the start have already happened.
    for (const event of events.after(0)) this.#take(event)
    events.subscribe((event) => {
      const entry = events.log.at(event.seq)
      if (entry?.type === 'exchange' && !this.#note(entry.recorded)) return
      this.#take(event)
    })
  }

  /** Notes an exchange; returns whether it is a request to the service, rather than to a path outside of it. */
  #note(exchange: RecordedExchange): boolean {
    const { operation, via, path } = exchange
    if (operation === null && via === undefined && !path.startsWith('/api/v1')) return false
    this.#served.note(exchange)
    const { start } = exchange
    if (start !== undefined) this.#requestsOf.set(start, (this.#requestsOf.get(start) ?? 0) + 1)
    return true
  }

  #take(event: WorldEvent): void {
    const { maxRequests = Number.POSITIVE_INFINITY, watcher } = this.#options
    if (event.type === 'exchange') {
      // It may be gone when it has received nothing by the end.
      if (++this.#requests === 1) void this.#noteListening()
      if (this.#requests > maxRequests) this.#endless.abort()
    }
    watcher?.happened?.(event)
  }

  /** Notes a request that the service did not answer: the server refused it, or it is for the tools. */
  #noteAside(request: AnsweredRequest): void {
    const { target, status } = request
    const isForService = /^\/api\/v1(\/|\?|$)/.test(target)
    const isOther = !isForService && (status >= 400 || /^\/mcp(\/|\?|$)/.test(target))
    if (isOther && this.#aside.length < maxAside) this.#aside.push(request)
  }

  /** Returns the addresses where the agent receives deliveries, without those where another program listens. */
  async #freeReceivers(receivers: readonly LocalReceiver[]): Promise<LocalReceiver[]> {
    const taken = await Promise.all(receivers.map(isListening))
    for (const { host, port } of receivers.filter((_, index) => taken[index])) {
      const note = `Another program is already listening at ${host}:${port}; deliveries go there.`
      this.#options.watcher?.noted?.(note)
    }
    return receivers.filter((_, index) => !taken[index])
  }

  /** Lets the agent act while the story passes; returns how it ended. */
  async #act(server: RunningServer, pace: PlayPace, ports: DeliveryPorts): Promise<CommandEnd | null> {
    const { ready: url } = this.#options
    if (!this.#agent) {
      if (await pace.run(new AbortController().signal)) return null
      throw new RunError(
        'not-ready',
        `Nothing responded at ${url}, so the story was not played; start the agent first.`,
      )
    }
    const agent = await this.#startCommand(this.#agent, server, ports, pace)
    const isReady = await pace.run(AbortSignal.any([agent.gone, this.#endless.signal]))
    if (!agent.gone.aborted) await this.#noteListening()
    const waited = formatDuration(longestStart(server.simulator.view.world))
    const [reason, problem] = isReady
      ? this.#whyStopped()
      : (['not-ready', `did not respond at ${url} within ${waited} of its start`] as const)
    return agent.stop(reason, problem)
  }

  async #startCommand(agent: CommandAgent, server: RunningServer, ports: DeliveryPorts, pace: PlayPace) {
    const { simulator } = server
    const stateDir = await mkdtemp(join(tmpdir(), 'ams-state-'))
    this.#stateDir = stateDir
    const life = new CommandLife(
      { agent, server, ports, stateDir, observed: pace.agent, options: this.#options },
      () => isStartExpected(this.#story, simulator.view.world),
    )
    this.#life = life
    if (this.#isLiving || this.#options.restart) simulator.view.world.agentLife = life
    return life
  }

  /** Whether the story decides about the life of the agent's program. */
  get #isLiving(): boolean {
    return decidesLife(this.#story)
  }

  /** Refuses a story about the life of a program if none is started. @throws ScenarioError */
  async #refuseLife(): Promise<void> {
    if (!this.#isLiving || this.#agent) return
    const why = 'nothing is started, so nothing can be killed; name the command of the agent after --'
    throw lifeRefusal(this.#story, why)
  }

  /** Returns what each start of the agent did, if the story decides about that. */
  async #starts(): Promise<readonly AgentStart[] | undefined> {
    const isLiving = this.#isLiving || this.#options.restart
    const starts = isLiving ? await this.#life?.starts() : undefined
    return starts?.map((one) => ({ ...one, requests: this.#requestsOf.get(one.start) ?? 0 }))
  }

  /** Notes whether the agent listens where it receives deliveries. */
  async #noteListening(): Promise<void> {
    const listening = await Promise.all(this.#receivers.map(isListening))
    this.#listens ||= listening.includes(true)
  }

  /** Returns why an agent that still runs is stopped. */
  #whyStopped(): [StopReason, string?] {
    if (this.#stopped.aborted) return ['interrupted']
    return [this.#endless.signal.aborted ? 'too-many-requests' : 'story-over']
  }

  /** Plays the rest of the story immediately, and waits for deliveries in progress. */
  async #playRest({ clock }: Simulator, end: number): Promise<void> {
    if (this.#stopped.aborted || this.#endless.signal.aborted) return
    const played = clock.advance(Math.max(0, end - (parseInstant(clock.now()) as number)))
    const timers = new Timers()
    await Promise.race([played, timers.wait(Infinity, this.#stopped)]).finally(() => timers.end())
  }
}

/** Runs the command line that the user wants to run before each play. @throws RunError `before-failed` */
async function runBefore({ before, signal }: PlayOptions): Promise<void> {
  if (before === undefined) return
  const { problem, output } = await runCommand(['sh', '-c', before], { signal })
  if (problem !== null)
    throw new RunError('before-failed', `--before ${before} ${problem}.\n${output}`.trim())
}
