import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Simulator } from '../doors/simulator/simulator.js'
import { Timers } from '../service/time/wall-time.js'

/** Observes reloads. */
interface ReloadListener {
  reloaded(): void
  failed(error: unknown): void
}

/** The milliseconds between two polls of the files. */
const pollInterval = 120

/**
 * Reloads the scenario of a simulator when one of its files has changed. It polls the files, which also works where the
 * system reports no changes, as in containers and on network drives.
 */
export class ScenarioWatch {
  readonly #timers = new Timers()
  #busy = false
  #closed = false

  /** Watches until it is closed. */
  constructor(simulator: Simulator, listener: ReloadListener) {
    void this.#watch(simulator, listener)
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

  async #watch(simulator: Simulator, listener: ReloadListener): Promise<void> {
    let files = simulator.files
    let loaded = stateOf(files)
    let before = loaded
    for (;;) {
      await this.#timers.wait(pollInterval)
      if (this.#closed) return
      const now = stateOf(files)
      // A file that still changes is only half written.
      const isWritten = now === before
      before = now
      if (now === loaded || !isWritten) continue
      this.#busy = true
      const failure = await simulator.reload().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      this.#busy = false
      if (this.#closed) return
      // A change during the read may be missing from it.
      loaded = now
      if (stateOf(files) === now) {
        files = simulator.files
        loaded = stateOf(files)
      }
      if (failure) listener.failed(failure.error)
      else listener.reloaded()
    }
  }
}

/** Returns a text that changes whenever one of the files changes. */
function stateOf(files: readonly URL[]): string {
  return files.map(stateOfFile).join('\n')
}

function stateOfFile(url: URL): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(fileURLToPath(url))
    return [ino, size, mtimeMs, ctimeMs].join(' ')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  }
}
