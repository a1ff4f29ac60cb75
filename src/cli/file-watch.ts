import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Told that something has changed: one of the files, or something else where they are. */
export type OnChange = (isOurs: boolean) => void

/** A folder to be watched: by its name, and by what tells it from another one that had the name before. */
interface Place {
  readonly folder: string
  readonly mark: string
}

/**
 * Watches files for changes. It is their folders that are watched: editors replace a file by another one of
 * its name, and a watch of the file alone would stay with the old one.
 */
export class FileWatch {
  readonly #onChange: OnChange
  /** By the marks of their places. */
  readonly #watchers = new Map<string, FSWatcher>()
  /** Where each file, or folder among them, is watched. */
  #places: ReadonlyMap<string, Place> = new Map()

  constructor(onChange: OnChange) {
    this.#onChange = onChange
  }

  /**
   * Watches these files from now on, whether they are there or not. Tells whether one that was watched already had to
   * be looked for in another place: what happened to it on the way there, nobody has heard.
   */
  update(files: readonly URL[]): boolean {
    const before = this.#places
    const folders = new Map(files.map((file) => fileURLToPath(file)).map((path) => [path, folderFor(path)]))
    // What comes or goes while a watch is put up is not heard of: then the folders are looked for once more.
    do this.#watch(placesOf(folders))
    while (!isSame(this.#places, placesOf(folders)))
    return [...this.#places].some(([path, { mark }]) => before.has(path) && before.get(path)?.mark !== mark)
  }

  /** Watches nothing any more. */
  close(): void {
    for (const mark of [...this.#watchers.keys()]) this.#drop(mark)
  }

  #watch(places: ReadonlyMap<string, Place>): void {
    this.#places = places
    const wanted = new Map([...places.values()].map((place) => [place.mark, place]))
    for (const mark of [...this.#watchers.keys()]) if (!wanted.has(mark)) this.#drop(mark)
    for (const place of wanted.values()) if (!this.#watchers.has(place.mark)) this.#add(place)
  }

  #add(place: Place): void {
    try {
      const watcher = watch(place.folder, { persistent: false }, (_, name) => this.#heard(place, name))
      // As when the folder goes away: what is left of its files is told when they are looked for.
      watcher.on('error', () => {
        this.#drop(place.mark)
        this.#onChange(true)
      })
      this.#watchers.set(place.mark, watcher)
    } catch (error) {
      // One that has just gone is looked for again.
      if (isThere(place)) throw error
    }
  }

  #heard(place: Place, name: string | null): void {
    const { folder } = place
    const isNamed = name === null || this.#places.has(join(folder, name)) || this.#places.has(folder)
    // It says so by its own name when it goes or is moved away, and of one in its place it hears nothing.
    this.#onChange(isNamed || (name === basename(folder) && !isThere(place)))
  }

  #drop(mark: string): void {
    this.#watchers.get(mark)?.close()
    this.#watchers.delete(mark)
  }
}

/** The folder to watch for a path: itself where it is one, else the one it is in. */
function folderFor(path: string): string {
  return markOf(path) === undefined ? dirname(path) : path
}

/** Where each path is watched, by the folder for it; many have the same. */
function placesOf(folders: ReadonlyMap<string, string>): ReadonlyMap<string, Place> {
  const places = new Map([...new Set(folders.values())].map((folder) => [folder, placeOf(folder)]))
  return new Map([...folders].map(([path, folder]) => [path, places.get(folder) as Place]))
}

/** The folder, or the nearest one around it that is there. */
function placeOf(folder: string): Place {
  const mark = markOf(folder)
  const isTop = dirname(folder) === folder
  return mark !== undefined || isTop ? { folder, mark: mark ?? folder } : placeOf(dirname(folder))
}

/** What tells a folder from others, even where its number is used again; undefined where there is none. */
function markOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isDirectory() ? `${path} ${stats.ino} ${stats.birthtimeMs}` : undefined
  } catch {
    return undefined
  }
}

function isThere({ folder, mark }: Place): boolean {
  return (markOf(folder) ?? folder) === mark
}

function isSame(one: ReadonlyMap<string, Place>, other: ReadonlyMap<string, Place>): boolean {
  return [...one].every(([path, { mark }]) => other.get(path)?.mark === mark)
}
