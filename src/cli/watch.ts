import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Simulator } from '../doors/simulator/simulator.js'
import { Timers } from '../service/time/wall-time.js'

/** The milliseconds between two polls of the files. */
const pollInterval = 120

/**
 * Reloads the scenario of a simulator when one of its files has changed, and tells how that went. It polls the files, which also
 * works where the system reports no changes, as in containers and on network drives. Returns what ends it; a reload in progress
 * is then no longer told.
 */
export function watchFiles(
  simulator: Simulator,
  tell: (failure: { readonly error: unknown } | undefined) => void,
): () => void {
  const timers = new Timers()
  let isClosed = false
  const watch = async (): Promise<void> => {
    let files = simulator.files
    let loaded = stateOf(files)
    let before = loaded
    for (;;) {
      await timers.wait(pollInterval)
      if (isClosed) return
      const now = stateOf(files)
      // A file that still changes is only half written.
      const isWritten = now === before
      before = now
      if (now === loaded || !isWritten) continue
      const failure = await simulator.reload().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      if (isClosed) return
      loaded = now
      // A change during the read may be missing from it.
      if (stateOf(files) === now) {
        files = simulator.files
        loaded = stateOf(files)
      }
      tell(failure)
    }
  }
  void watch()
  return () => {
    isClosed = true
    timers.end()
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
