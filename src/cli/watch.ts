import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Simulator } from '../doors/simulator/simulator.js'
import { Timers } from '../service/time/wall-time.js'
import { formatFailure } from './failure.js'

/** Observes reloads. */
interface ReloadListener {
  reloaded(): void
  failed(error: unknown): void
}

/** The milliseconds between two polls of the files. */
const pollInterval = 120

/**
 * Reloads the scenario of a simulator when one of its files changes. It polls the files, which also works where the
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
    let loaded = look(simulator.files)
    let before = loaded
    /** The last failure, if the present scenario is not the one that is served. */
    let failure: string | undefined
    for (;;) {
      await this.#timers.wait(pollInterval)
      if (this.#closed) return
      const now = look(loaded.urls)
      // After a failure, a change next to the files may have fixed it.
      const isChanged = failure === undefined ? now.files !== loaded.files : !isSame(now, loaded)
      const hasEnded = isSame(now, before)
      before = now
      if (!isChanged || !hasEnded) continue
      this.#busy = true
      const error = await simulator.reload().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      this.#busy = false
      if (this.#closed) return
      const next = error === undefined ? undefined : formatFailure(error)
      if (next === undefined) listener.reloaded()
      // The same failure again only if a file was saved.
      else if (now.files !== loaded.files || next !== failure) listener.failed(error)
      failure = next
      // A change during the read may be missing from it.
      loaded = isSame(look(now.urls), now) ? look(simulator.files) : now
    }
  }
}

/** The states of files and of the folders they are in. */
interface Snapshot {
  readonly urls: readonly URL[]
  readonly files: string
  readonly folders: string
}

function look(urls: readonly URL[]): Snapshot {
  const folders = new Set(urls.map((url) => new URL('.', url).href))
  return {
    urls,
    files: urls.map(stateOf).join('\n'),
    folders: [...folders].map((folder) => stateOf(new URL(folder))).join('\n'),
  }
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
