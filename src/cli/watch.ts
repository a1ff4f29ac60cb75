import type { Simulator } from '../simulator/simulator.js'
import { type Debounced, debounce } from '../world/debounce.js'
import { formatFailure } from './failure.js'
import { FileWatch } from './file-watch.js'

/** What hears how a reload went. */
export interface ReloadListener {
  reloaded(): void
  failed(error: unknown): void
  /** Changes are not noticed: the system has no more watches to give, or none for such folders. */
  unwatched(error: unknown): void
}

/** Editors save in several steps, which are over by then; milliseconds. */
const quiet = 80

/**
 * Loads the scenario of a simulator again whenever a file it was read from changes. When that has failed,
 * whatever changes beside these files may be what was missing, so then that counts as well.
 */
export class ScenarioWatch {
  readonly #simulator: Simulator
  readonly #listener: ReloadListener
  readonly #files: FileWatch
  readonly #ask: Debounced
  #last: Promise<void> = Promise.resolve()
  #running = 0
  #closed = false
  /** Whether a file of the scenario has changed since it was last read. */
  #changed = false
  /** Whether something beside these files has. */
  #stirred = false
  /** What was said last, where the scenario as it is now is not the one that is served. */
  #failure: string | undefined

  /** Watches until it is closed; it keeps no process alive. */
  constructor(simulator: Simulator, listener: ReloadListener) {
    this.#simulator = simulator
    this.#listener = listener
    this.#ask = debounce(() => this.#begin(), quiet)
    this.#files = new FileWatch((isOurs) => {
      this.#changed ||= isOurs
      this.#stirred = true
      if (isOurs || this.#failure !== undefined) this.#ask()
    })
    this.#watchFiles()
  }

  /** Whether the scenario is being read right now. */
  get busy(): boolean {
    return this.#running > 0
  }

  /** Ends the watch; of a reload that is going on, nothing is heard any more. */
  close(): void {
    this.#closed = true
    this.#ask.cancel()
    this.#files.close()
  }

  #begin(): void {
    this.#running++
    this.#last = this.#last.then(() => this.#reload()).finally(() => this.#running--)
  }

  async #reload(): Promise<void> {
    if (this.#closed) return
    const changed = this.#changed
    this.#changed = false
    this.#stirred = false
    // Before anything is read, so that nothing changes unseen after that.
    this.#watchFiles()
    const error = await this.#simulator.reload().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (this.#closed) return
    // Before anybody is told, who may go on at once.
    const moved = this.#watchFiles()
    this.#tell(error, changed)
    // What has changed on the way may not be in what was read.
    if (moved || (error !== undefined && this.#stirred)) this.#ask()
  }

  /** Tells how it went; what has been said already is said again only to who has saved a file again. */
  #tell(error: unknown, changed: boolean): void {
    const failure = error === undefined ? undefined : formatFailure(error)
    if (failure === undefined) this.#listener.reloaded()
    else if (changed || failure !== this.#failure) this.#listener.failed(error)
    this.#failure = failure
  }

  /** Watches the files as they are named now; whether one of them was moved meanwhile. */
  #watchFiles(): boolean {
    try {
      return this.#files.update(this.#simulator.files)
    } catch (error) {
      this.#listener.unwatched(error)
      return false
    }
  }
}
