import type { RunningServer } from '../server/index.js'
import {
  type Beginning,
  type ClockMode,
  type Exchange,
  formatInstant,
  type Happening,
} from '../world/index.js'
import { Agent } from './agent.js'
import { composeReport } from './compose-report.js'
import { Judge } from './judging/index.js'
import type { ReplayOptions } from './options.js'
import { playOut, playUntil } from './playing.js'
import { type RequestsHeard, readyTimeoutOf, waitForAgent } from './readiness.js'
import { isListening, type LocalReceiver, localReceivers } from './receivers.js'
import { ReplayError } from './replay-error.js'
import { type CommandOutcome, type ReplayReport, wasPlayed } from './report.js'
import { storyLength, usualGrace } from './story-length.js'
import type { Tapes } from './tapes.js'

/** What a story is played with. */
export interface PlaythroughParts {
  readonly server: RunningServer
  readonly beginning: Beginning
  readonly tapes: Tapes
  readonly options: ReplayOptions
  /** The requests the server has had, those to the control API included. */
  readonly requests: RequestsHeard
}

/** One story, played once, from its beginning to its end. */
export class Playthrough {
  readonly #parts: PlaythroughParts
  readonly #judge: Judge
  readonly #mode: ClockMode
  /** When the story is over, in milliseconds since the epoch. */
  readonly #end: number
  readonly #broken = new AbortController()
  readonly #stopped: AbortSignal
  #requests = 0
  #failure: unknown

  constructor(parts: PlaythroughParts) {
    const { server, beginning, options } = parts
    this.#parts = parts
    this.#judge = new Judge(server.simulator)
    this.#mode = options.clock ?? (options.command ? '10x' : 'frozen')
    this.#end = beginning.start + storyLength(beginning, options.grace ?? usualGrace)
    this.#stopped = AbortSignal.any([this.#broken.signal, ...(options.signal ? [options.signal] : [])])
  }

  /** Plays it, and reports what became of it. @throws TapeError, ReplayError */
  async play(): Promise<Omit<ReplayReport, 'wall_ms'>> {
    const { beginning, tapes, options } = this.#parts
    this.#refuseToGoOn()
    tapes.begin(beginning)
    this.#announce()
    this.#listen()
    const command = options.command ? await this.#playWith(options.command) : await this.#playAlone()
    this.#refuseToGoOn()
    if (command) options.watcher?.ended?.(command)
    if (wasPlayed({ command })) await playOut(this.#parts.server.simulator, this.#end)
    this.#refuseToGoOn()
    return this.#report(command)
  }

  #listen(): void {
    const { events } = this.#parts.server.simulator
    // What happens at the very start has happened.
    for (const happening of events.after(0)) this.#take(happening)
    events.subscribe((happening) => this.#take(happening))
  }

  #take(happening: Happening): void {
    const { tapes, options } = this.#parts
    if (happening.type === 'exchange') {
      this.#requests++
      this.#guard(() => tapes.take(happening.data as Exchange))
    }
    options.watcher?.happened?.(happening)
  }

  /** Has the story end where what it is played for cannot be done. */
  #guard(act: () => void): void {
    if (this.#broken.signal.aborted) return
    try {
      act()
    } catch (error) {
      this.#failure = error
      this.#broken.abort()
    }
  }

  #announce(): void {
    const { server, beginning, options } = this.#parts
    const { scenario, seed, start, timeline } = beginning
    options.watcher?.started?.({
      scenario,
      seed,
      clock: this.#mode,
      url: server.url,
      start: formatInstant(start),
      length: this.#end - start,
      entries: timeline.length,
      now: () => server.simulator.clock.now(),
    })
  }

  async #playWith(words: readonly string[]): Promise<CommandOutcome> {
    const { server, options } = this.#parts
    const receivers = await this.#freeReceivers()
    const agent = new Agent(words, server, options)
    const over = AbortSignal.any([this.#stopped, agent.gone])
    const ready = await this.#waitForAgent(receivers, over)
    const { ready: url, watcher } = options
    if (!ready && !over.aborted && url !== undefined) return agent.endUnready(url, readyTimeoutOf(options))
    if (!over.aborted) {
      watcher?.begun?.(ready)
      // On a clock that stands still, it is the command alone that says when it is over.
      await this.#playUntil(this.#mode === 'frozen' ? Number.POSITIVE_INFINITY : this.#end, over)
      if (!over.aborted) watcher?.ending?.()
    }
    return agent.end()
  }

  /** Nobody acts whom this program has started; on a clock that runs, somebody else may. */
  async #playAlone(): Promise<null> {
    const { ready: url, watcher } = this.#parts.options
    const waits = this.#mode !== 'frozen' || url !== undefined
    const ready =
      !waits || (await this.#waitForAgent(localReceivers(this.#parts.server.simulator), this.#stopped))
    this.#refuseToGoOn()
    if (!ready && url !== undefined) {
      throw new ReplayError('not-ready', `Nobody answered at ${url}; the story was not played.`)
    }
    watcher?.begun?.(ready)
    if (this.#mode !== 'frozen') await this.#playUntil(this.#end, this.#stopped)
    return null
  }

  #playUntil(end: number, signal: AbortSignal): Promise<void> {
    return playUntil(this.#parts.server.simulator, { mode: this.#mode, end, signal })
  }

  #waitForAgent(receivers: readonly LocalReceiver[], signal: AbortSignal): Promise<boolean> {
    const { options, requests } = this.#parts
    options.watcher?.waiting?.()
    return waitForAgent({ url: options.ready, receivers, requests }, readyTimeoutOf(options), signal)
  }

  /** The places at which the agent is to receive deliveries; where somebody does already, it is not the agent. */
  async #freeReceivers(): Promise<LocalReceiver[]> {
    const { server, options } = this.#parts
    const free: LocalReceiver[] = []
    for (const receiver of localReceivers(server.simulator)) {
      const place = `${receiver.host}:${receiver.port}`
      if (!(await isListening(receiver))) free.push(receiver)
      else options.watcher?.noted?.(`Another program listens at ${place} already; deliveries go there.`)
    }
    return free
  }

  #refuseToGoOn(): void {
    if (this.#broken.signal.aborted) throw this.#failure
    if (this.#stopped.aborted)
      throw new ReplayError('interrupted', 'Interrupted; there is nothing to report.')
  }

  #report(command: CommandOutcome | null): Omit<ReplayReport, 'wall_ms'> {
    const { server, beginning, tapes } = this.#parts
    const played = wasPlayed({ command })
    return composeReport({
      simulator: server.simulator,
      beginning,
      clock: this.#mode,
      verdicts: played ? this.#judge.verdicts() : [],
      command,
      tape: played ? tapes.end() : null,
      requests: this.#requests,
    })
  }
}
