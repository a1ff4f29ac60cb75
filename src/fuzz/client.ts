import type { ExpectationResult } from '../expectations/tracker.js'
import { FailureLine } from '../processes/failure-line.js'
import type { ClientVariables } from '../processes/run-command.js'
import type { Simulator } from '../simulator/simulator.js'
import { type ClockMode, type InitialState, stopwatch } from '../world/index.js'
import { FuzzError } from './errors.js'
import { factsOf, type PlayedStory } from './facts.js'

/** A client that plays stories. */
export interface Client {
  /** Plays a story once, from its beginning; with at most so many requests. @throws FuzzError `interrupted` */
  play(story: InitialState, mostRequests: number): Promise<PlayedStory>
}

/** How a command is played a story: what a replay does, as far as it matters here. */
export type ReplayStory = (options: {
  readonly command: readonly string[]
  readonly scenario: string
  readonly initialState: InitialState
  readonly clock?: ClockMode | undefined
  readonly allowDeliveriesTo?: readonly string[] | undefined
  readonly signal: AbortSignal
  readonly kill?: AbortSignal | undefined
  readonly watcher: {
    wrote(lines: readonly string[]): void
    happened(event: { readonly type: string }): void
  }
}) => Promise<{
  readonly report: {
    readonly command: {
      readonly passed: boolean
      readonly problem: string | null
      readonly ended: string
    } | null
    readonly verdicts: readonly ExpectationResult[]
  }
  readonly server: { readonly url: string; readonly simulator: Simulator; close(): Promise<void> }
}>

/** How a command plays stories. */
export interface CommandClientOptions {
  readonly replay: ReplayStory
  readonly command: readonly string[]
  readonly variables?: ClientVariables | undefined
  readonly scenario: string
  readonly clock?: ClockMode | undefined
  readonly allowDeliveriesTo?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  readonly kill?: AbortSignal | undefined
}

/** A command, which is started for each story, with a server of its own. */
export class CommandClient implements Client {
  readonly #options: CommandClientOptions
  /** Runs that came to their end. */
  played = 0

  constructor(options: CommandClientOptions) {
    this.#options = options
  }

  async play(story: InitialState, mostRequests: number): Promise<PlayedStory> {
    const { signal, replay, ...options } = this.#options
    if (signal?.aborted) throw new FuzzError('interrupted', 'Interrupted.')
    const elapsed = stopwatch()
    const endless = new AbortController()
    const line = new FailureLine()
    let requests = 0
    try {
      const { report, server } = await replay({
        ...options,
        initialState: story,
        signal: AbortSignal.any([endless.signal, ...(signal ? [signal] : [])]),
        watcher: {
          wrote: (lines) => line.add(lines),
          happened({ type }) {
            // What goes on without end is ended; the invariant says the rest.
            if (type === 'exchange' && ++requests > mostRequests) endless.abort()
          },
        },
      })
      try {
        if (signal?.aborted) throw new FuzzError('interrupted', 'Interrupted.')
        const { command, verdicts } = report
        const passed = command?.passed !== false
        const why = passed ? null : (line.best ?? command?.problem ?? 'failed')
        this.played++
        const shown = why?.replaceAll(server.url, '$MAILBOX_BASE_URL') ?? null
        const end = { passed, ended: command?.ended === 'by-itself', why: shown }
        return factsOf(server.simulator, end, verdicts, elapsed())
      } finally {
        await server.close()
      }
    } catch (error) {
      if (signal?.aborted) throw new FuzzError('interrupted', 'Interrupted.')
      throw error
    }
  }
}
