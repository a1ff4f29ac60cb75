import { packageRoot } from '../../contract/package-root.js'
import { type FileKind, fileErrorOf, notAFile, notShipped, tooLarge } from './file-error.js'
import { maxMailFileBytes } from './sizes.js'

/** Reads what a scenario names: files beside it, and what ships with the package. */
export interface ScenarioFiles {
  /** Bytes of a file beside the scenario, or of a shipped attachment of that name. @throws FileError */
  read(name: string): Promise<Uint8Array>
  /** What is in a folder beside the scenario, in the order of the names. @throws FileError */
  list(folder: string): Promise<FolderEntry[]>
  /** Bytes of a shipped attachment. @throws FileError */
  readShipped(name: string): Promise<Uint8Array>
}

/** What is in a folder: a file, a link, or a folder in its turn. */
export interface FolderEntry {
  readonly name: string
  /** As `read` and `list` take it. */
  readonly path: string
  readonly isFolder: boolean
}

/** Told of a file or folder that a scenario is made of, as soon as it is looked for. */
export type NoteFile = (file: URL) => void

// Node's modules are loaded only where a file is read, so that the library runs without them.
const nodeFiles = () => import('node:fs/promises')

/** What ships with the package, by its folder there. */
export const shippedFolder = (folder: string): URL => new URL(`${folder}/`, packageRoot)

/** Files beside a scenario; one that is no file itself has the folder the program runs in. */
export function filesBeside(scenario: URL | undefined, note: NoteFile = () => undefined): ScenarioFiles {
  const where = scenario ? ' beside the scenario' : ' in the folder the program runs in'
  const resolve = async (name: string): Promise<URL> => {
    const url = await resolveName(name, scenario ? new URL('.', scenario) : await workingFolder())
    note(url)
    return url
  }
  const readShipped = async (name: string): Promise<Uint8Array> =>
    readWithin(await resolveName(name, shippedFolder('fixtures/attachments')), name, maxMailFileBytes)
  return {
    readShipped,
    async read(name) {
      if (name.includes('/')) return readWithin(await resolve(name), name, maxMailFileBytes, where)
      const bytes = await readShipped(name).catch(() => undefined)
      return (
        bytes ?? readWithin(await resolve(name), name, maxMailFileBytes, `${where} or among the shipped ones`)
      )
    },
    async list(folder) {
      const url = await resolve(folder)
      const entries = await reading(folder, 'folder', where, async () =>
        (await nodeFiles()).readdir(url, { withFileTypes: true }),
      )
      const start = folder.replace(/[/\\]+$/, '')
      return entries
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((entry) => ({
          name: entry.name,
          path: `${start}/${folder.startsWith('file:') ? encodeURIComponent(entry.name) : entry.name}`,
          isFolder: entry.isDirectory(),
        }))
    },
  }
}

/**
 * Files for a scenario that came from somebody who may not read this machine: the shipped attachments, by the
 * very names they have. Nothing else is even looked for.
 */
export function shippedFiles(): ScenarioFiles {
  const folder = shippedFolder('fixtures/attachments')
  const readShipped = async (name: string): Promise<Uint8Array> => {
    const names = await (await nodeFiles()).readdir(folder)
    // A name that leads elsewhere is none of these, whatever it is made of.
    if (!names.includes(name)) throw notShipped(name, names)
    return readWithin(new URL(encodeURIComponent(name), folder), name, maxMailFileBytes)
  }
  return {
    readShipped,
    read: readShipped,
    async list(name) {
      throw notShipped(name, await (await nodeFiles()).readdir(folder))
    },
  }
}

/** Bytes of a file of at most that many. @throws FileError */
export function readWithin(url: URL, name: string, limit: number, where?: string): Promise<Uint8Array> {
  return reading(name, 'file', where, async () => {
    const { readFile, stat } = await nodeFiles()
    const found = await stat(url)
    if (!found.isFile()) throw notAFile(name, found.isDirectory())
    if (found.size > limit) throw tooLarge(name, found.size, limit)
    return readFile(url)
  })
}

async function reading<T>(
  name: string,
  kind: FileKind,
  where: string | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw fileErrorOf(error, name, kind, where)
  }
}

/** Where a name leads from a folder. It is a path, in which `#`, `?` and `%` mean nothing, or a `file:` URL. */
export async function resolveName(name: string, folder: URL): Promise<URL> {
  const [{ resolve }, { fileURLToPath, pathToFileURL }] = await Promise.all([
    import('node:path'),
    import('node:url'),
  ])
  return pathToFileURL(resolve(fileURLToPath(folder), pathOf(name, fileURLToPath)))
}

function pathOf(name: string, fileURLToPath: (url: string) => string): string {
  try {
    return name.startsWith('file:') ? fileURLToPath(name) : name
  } catch {
    return name
  }
}

/** The folder the program runs in. */
export async function workingFolder(): Promise<URL> {
  return (await import('node:url')).pathToFileURL('./')
}
