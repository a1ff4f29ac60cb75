import { ExpectationChecker } from '../expectations/expectation-checker.js'
import type { ExpectationResult } from '../expectations/tracker.js'
import { FailureLine } from '../processes/failure-line.js'
import type { ClientVariables } from '../processes/run-command.js'
import { createSimulator } from '../simulator/create-simulator.js'
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
  readonly #running = new Set<AbortController>()
  /** Runs that came to their end. */
  played = 0

  constructor(options: CommandClientOptions) {
    this.#options = options
    // One listener for all runs, of which there may be many.
    options.signal?.addEventListener('abort', () => {
      for (const running of this.#running) running.abort()
    })
  }

  async play(story: InitialState, mostRequests: number): Promise<PlayedStory> {
    const { signal, replay, ...options } = this.#options
    if (signal?.aborted) throw new FuzzError('interrupted', 'Interrupted.')
    const elapsed = stopwatch()
    const running = new AbortController()
    this.#running.add(running)
    const line = new FailureLine()
    let requests = 0
    try {
      const { report, server } = await replay({
        ...options,
        initialState: story,
        signal: running.signal,
        watcher: {
          wrote: (lines) => line.add(lines),
          happened({ type }) {
            // What goes on without end is ended; the invariant says the rest.
            if (type === 'exchange' && ++requests > mostRequests) running.abort()
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
    } finally {
      this.#running.delete(running)
    }
  }
}

/** A client in this process: it gets a mailbox of its own, and throws if it fails. */
export type ClientFunction = (mailbox: Simulator) => Promise<unknown>

/** A function, which is called for each story, with a world of its own on a frozen clock. */
export class FunctionClient implements Client {
  readonly #client: ClientFunction
  /** One for all bases: each story is a world of it. */
  #simulator: Promise<Simulator> | undefined

  constructor(client: ClientFunction) {
    this.#client = client
  }

  async play(story: InitialState, mostRequests: number): Promise<PlayedStory> {
    const elapsed = stopwatch()
    this.#simulator ??= createSimulator({ initialState: story, trace: undefined })
    const mailbox = (await this.#simulator).worldOf(story)
    const checker = new ExpectationChecker(mailbox)
    const limit = new RequestLimit(mailbox, mostRequests)
    try {
      checker.noteClient('running')
      let why: string | null = null
      try {
        await limit.within(this.#client(mailbox))
      } catch (error) {
        why = messageOf(error)
      }
      checker.noteClient('ended')
      return factsOf(mailbox, { passed: why === null, ended: true, why }, checker.results(), elapsed())
    } finally {
      limit.end()
      checker.close()
      mailbox.close()
    }
  }
}

/** Closes a mailbox whose client asks without end. */
class RequestLimit {
  readonly #end: () => unknown
  readonly #reached: Promise<void>

  constructor({ events }: Simulator, most: number) {
    let requests = 0
    let reach = (): void => undefined
    this.#reached = new Promise((_, reject) => {
      reach = () => reject(new Error(`more than ${most} requests`))
    })
    // Nobody may be waiting when it is reached.
    this.#reached.catch(() => undefined)
    const { feed } = events
    this.#end = feed.subscribe(() => {
      if (feed.keptAt(feed.latest)?.type === 'exchange' && ++requests > most) reach()
    })
  }

  /** Waits for a client, or until there are too many requests. */
  async within(client: Promise<unknown>): Promise<void> {
    client.catch(() => undefined)
    await Promise.race([client, this.#reached])
  }

  end(): void {
    this.#end()
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first = ''] = error.message.split('\n')
  return error.name === 'Error' ? first : `${error.name}: ${first}`
}
