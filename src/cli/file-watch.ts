import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Told that something has changed: one of the files, or something else where they are. */
export type OnChange = (isOurs: boolean) => void

interface WatchedFolder {
  readonly identity: string
  readonly watcher: FSWatcher
}

/**
 * Watches files for changes. It is their folders that are watched: editors replace a file by another one of
 * its name, and a watch of the file alone would stay with the old one.
 */
export class FileWatch {
  readonly #onChange: OnChange
  readonly #watched = new Map<string, WatchedFolder>()
  #files: ReadonlySet<string> = new Set()

  constructor(onChange: OnChange) {
    this.#onChange = onChange
  }

  /** Watches these files from now on, whether they are there or not. */
  update(files: readonly URL[]): void {
    this.#files = new Set(files.map((file) => fileURLToPath(file)))
    const wanted = new Set([...this.#files].map(dirname).map(nearestFolder))
    for (const [folder, { identity }] of this.#watched) {
      // A folder that was made anew is another one, of which the watch hears nothing.
      if (!wanted.has(folder) || identityOf(folder) !== identity) this.#drop(folder)
    }
    for (const folder of wanted) {
      if (!this.#watched.has(folder)) this.#add(folder)
    }
  }

  /** Watches nothing any more. */
  close(): void {
    for (const folder of [...this.#watched.keys()]) this.#drop(folder)
  }

  #add(folder: string): void {
    const identity = identityOf(folder)
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      const isOurs = name === null || this.#files.has(join(folder, name)) || this.#files.has(folder)
      this.#onChange(isOurs)
    })
    // As when the folder goes away: what is left of its files is told when they are looked for.
    watcher.on('error', () => {
      this.#drop(folder)
      this.#onChange(true)
    })
    this.#watched.set(folder, { identity, watcher })
  }

  #drop(folder: string): void {
    this.#watched.get(folder)?.watcher.close()
    this.#watched.delete(folder)
  }
}

/** The folder, or the nearest one around it that is there. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

/** What tells a folder from another one that had its name before, even where its number is used again. */
function identityOf(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? {}
  return `${ino} ${birthtimeMs}`
}
