import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Simulator } from '../doors/simulator/simulator.js'
import { stopwatch, Timers } from '../service/time/wall-time.js'
import { formatFailure } from './failure.js'

/** Observes reloads. */
export interface ReloadListener {
  reloaded(): void
  failed(error: unknown): void
}

/** The milliseconds between two polls of the files. */
const pollInterval = 120

/** The minimum ratio of pauses to polls, so that many files cost little. */
const restFactor = 20

/**
 * Reloads the scenario of a simulator when one of its files changes. It polls the files, which also works where the
 * system reports no changes, as in containers and on network drives.
 */
export class ScenarioWatch {
  readonly #simulator: Simulator
  readonly #listener: ReloadListener
  readonly #timers = new Timers()
  #busy = false
  #closed = false
  /** The last failure, if the present scenario is not the one that is served. */
  #failure: string | undefined

  /** Watches until it is closed. */
  constructor(simulator: Simulator, listener: ReloadListener) {
    this.#simulator = simulator
    this.#listener = listener
    void this.#watch()
  }

  /** Whether the scenario is being read. */
  get busy(): boolean {
    return this.#busy
  }

  /** Stops watching; a reload in progress is no longer reported. */
  close(): void {
    this.#closed = true
    this.#timers.end()
  }

  async #watch(): Promise<void> {
    let loaded = this.#look()
    while (!this.#closed) {
      const changed = await this.#nextChange(loaded)
      if (this.#closed) return
      const isSaved = changed.files !== loaded.files
      this.#busy = true
      const error = await this.#simulator.reload().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      this.#busy = false
      // A change during the read may be missing from it.
      loaded = isSame(this.#look(changed.urls), changed) ? this.#look() : changed
      if (!this.#closed) this.#report(error, isSaved)
    }
  }

  /** Waits until the files differ from what was loaded and have stopped changing. */
  async #nextChange(loaded: Snapshot): Promise<Snapshot> {
    let before = loaded
    for (;;) {
      const elapsed = stopwatch()
      const now = this.#look(loaded.urls)
      if (this.#isChanged(now, loaded) && isSame(now, before)) return now
      before = now
      await this.#timers.wait(Math.max(pollInterval, restFactor * elapsed()))
      if (this.#closed) return now
    }
  }

  /** After a failure, a change next to the files may have fixed it. */
  #isChanged(now: Snapshot, loaded: Snapshot): boolean {
    return now.files !== loaded.files || (this.#failure !== undefined && now.folders !== loaded.folders)
  }

  #look(urls: readonly URL[] = this.#simulator.files): Snapshot {
    const folders = new Set(urls.map((url) => new URL('.', url).href))
    return {
      urls,
      files: urls.map(stateOf).join('\n'),
      folders: [...folders].map((folder) => stateOf(new URL(folder))).join('\n'),
    }
  }

  /** Reports the result; the same failure again only if a file was saved. */
  #report(error: unknown, isSaved: boolean): void {
    const failure = error === undefined ? undefined : formatFailure(error)
    if (failure === undefined) this.#listener.reloaded()
    else if (isSaved || failure !== this.#failure) this.#listener.failed(error)
    this.#failure = failure
  }
}

/** The states of files and of the folders they are in. */
interface Snapshot {
  readonly urls: readonly URL[]
  readonly files: string
  readonly folders: string
}

function isSame(one: Snapshot, other: Snapshot): boolean {
  return one.files === other.files && one.folders === other.folders
}

/** Returns a text that changes whenever a file or a folder changes. */
function stateOf(url: URL): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(fileURLToPath(url))
    return [ino, size, mtimeMs, ctimeMs].join(' ')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  }
}
