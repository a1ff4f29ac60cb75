import type { Changes } from './changes.js'
import { type CommandTrial, runTrial, type TrialSetting } from './command-trial.js'
import { ExploreError } from './explore-error.js'
import type { Trial } from './trial.js'

/** Told what goes on. */
export interface Watcher {
  /** Changes the command is about to be run under; one without any is among them where it runs as it is. */
  planned?(changes: readonly Changes[]): void
  started?(changes: Changes): void
  ended?(trial: Trial): void
}

/** How runs are watched and limited. */
export interface RunnerOptions {
  /** Milliseconds of wall time for each run; see `ExploreOptions`. */
  readonly timeLimit?: number | undefined
  readonly watcher?: Watcher | undefined
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds that a run may take where nobody has said how long, at least and at most. */
const limits = { least: 30_000, most: 300_000 }

/** Runs the command, and remembers of the first run what the others are compared with. */
export class Runner {
  readonly #setting: TrialSetting
  readonly #options: RunnerOptions
  readonly #running = new Set<AbortController>()
  #timeLimit: number
  #known: ReadonlySet<string> = new Set()
  #command: readonly string[] = []
  #runs = 0

  constructor(setting: TrialSetting, options: RunnerOptions) {
    this.#setting = setting
    this.#options = options
    this.#timeLimit = options.timeLimit ?? limits.most
    // Heard once for all runs, of which there may be many.
    options.signal?.addEventListener('abort', () => {
      for (const running of this.#running) running.abort()
    })
  }

  /** The command as the first run had it, with keys masked. */
  get command(): readonly string[] {
    return this.#command
  }

  /** How often the command was run. */
  get runs(): number {
    return this.#runs
  }

  /** The run that the others are compared with. @throws ExploreError */
  async first(): Promise<Trial> {
    this.#options.watcher?.planned?.([{}])
    const { trial, seen, command } = await this.#run({})
    this.#command = command
    this.#known = seen
    const tenfold = Math.min(limits.most, Math.max(limits.least, 10 * trial.wallMs))
    this.#timeLimit = this.#options.timeLimit ?? tenfold
    return trial
  }

  /** A run under some changes. @throws ExploreError */
  readonly run = async (changes: Changes): Promise<Trial> => (await this.#run(changes)).trial

  async #run(changes: Changes): Promise<CommandTrial> {
    const { signal: whole, watcher } = this.#options
    if (whole?.aborted) throw new ExploreError('interrupted', 'Interrupted.')
    const controller = new AbortController()
    this.#running.add(controller)
    watcher?.started?.(changes)
    try {
      const name = `run-${++this.#runs}`
      const { signal } = controller
      const own = { changes, name, timeLimit: this.#timeLimit, signal, known: this.#known }
      const done = await runTrial(this.#setting, own)
      watcher?.ended?.(done.trial)
      return done
    } finally {
      this.#running.delete(controller)
    }
  }
}
