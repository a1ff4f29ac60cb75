import type { RunningServer } from '../server/index.js'
import { type CommandEnd, runCommand } from './command/index.js'
import type { ReplayOptions } from './options.js'
import { portableText } from './portable-text.js'
import type { CommandOutcome } from './report.js'
import { formatDuration } from './story-time.js'

/** An agent that runs as a command. */
export class Agent {
  readonly #words: readonly string[]
  readonly #server: RunningServer
  readonly #told = new AbortController()
  readonly #gone = new AbortController()
  readonly #end: Promise<CommandEnd>
  #unready: string | undefined

  /** Starts it, with what it needs to find the service in its environment. */
  constructor(words: readonly string[], server: RunningServer, { watcher }: Pick<ReplayOptions, 'watcher'>) {
    this.#words = words
    this.#server = server
    this.#end = runCommand(words, {
      env: {
        MAILBOX_BASE_URL: server.url,
        MAILBOX_API_KEY: server.simulator.apiKey,
        MAILBOX_SIM_URL: server.controlUrl,
      },
      onLines: watcher?.wrote,
      signal: this.#told.signal,
    }).finally(() => this.#gone.abort())
  }

  /** Aborted once it has ended, by itself or otherwise. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Has it end, and waits until it and all it started are gone; gives what became of it. */
  async end(): Promise<CommandOutcome> {
    this.#told.abort()
    const end = await this.#end
    const shown = (text: string): string => portableText(text, this.#server)
    const problem = end.ended === 'told' && this.#unready !== undefined ? this.#unready : end.problem
    const passed = problem === null
    return {
      command: this.#words.map(shown),
      status: end.status,
      signal: end.signal,
      ended: this.#howEnded(end),
      passed,
      problem: problem === null ? null : shown(problem),
      notes: end.notes.map(shown),
      output: passed ? '' : shown(end.output),
    }
  }

  /** Has it end since nobody answered where it should have by then. */
  async endUnready(url: string, waited: number): Promise<CommandOutcome> {
    this.#unready = `did not answer at ${url} within ${formatDuration(waited)} of its start`
    return this.end()
  }

  #howEnded({ ended }: CommandEnd): CommandOutcome['ended'] {
    if (ended === 'not-started') return 'not-started'
    if (ended === 'by-itself') return 'by-itself'
    return this.#unready === undefined ? 'story-over' : 'not-ready'
  }
}
