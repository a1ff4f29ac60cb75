import { FailureLine } from '../processes/failure-line.js'
import { RunError } from '../replay/errors.js'
import type { ReplayOptions } from '../replay/options.js'
import { replayAndKeep } from '../replay/replay.js'
import { type InitialState, stopwatch } from '../world/index.js'
import { factsOf, type PlayedStory } from './facts.js'

/** A client that plays stories. */
export interface Client {
  /** Plays a story once, and stops the client after `maxRequests`. @throws RunError `interrupted` */
  play(story: InitialState, maxRequests: number): Promise<PlayedStory>
}

/** How a command plays stories. */
export type CommandClientOptions = Pick<
  ReplayOptions,
  'scenario' | 'clock' | 'allowDeliveriesTo' | 'variables' | 'signal' | 'kill'
> & { readonly command: readonly string[] }

/** Starts a command for each story, with its own server. */
export class CommandClient implements Client {
  readonly #options: CommandClientOptions
  /** The number of completed runs. */
  played = 0

  constructor(options: CommandClientOptions) {
    this.#options = options
  }

  async play(story: InitialState, maxRequests: number): Promise<PlayedStory> {
    const { signal, ...options } = this.#options
    const elapsed = stopwatch()
    const endless = new AbortController()
    const line = new FailureLine()
    let requests = 0
    const { report, server } = await replayAndKeep({
      ...options,
      initialState: story,
      signal: AbortSignal.any([endless.signal, ...(signal ? [signal] : [])]),
      watcher: {
        wrote: (lines) => line.add(lines),
        happened({ type }) {
          // A client that never ends is stopped; the invariant `ends` reports it.
          if (type === 'exchange' && ++requests > maxRequests) endless.abort()
        },
      },
    })
    try {
      if (signal?.aborted) throw new RunError('interrupted', 'Interrupted.')
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
  }
}
