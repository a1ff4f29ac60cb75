import { fileSystem } from '../../base/file-system.js'
import { packageRoot } from '../../base/package.js'
import { isError } from '../../base/platform.js'
import { nearestName } from '../../base/text.js'
import { fromBase64 } from '../../mail/transfer-encoding.js'
import { hashText, hexOf } from '../../service/time/random.js'
import { shippedAttachments } from '../letters/shipped.js'

/** The maximum size of a scenario's own file, in bytes. */
export const maxScenarioBytes = 10 * 1024 * 1024

/** The maximum size of an attachment or an `.eml` file, in bytes. */
export const maxMailFileBytes = 25 * 1024 * 1024

/** The kind of entry that is expected under a name. */
type FileKind = 'file' | 'folder'

/** A file or folder a scenario names that cannot be used. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: 'missing' | 'wrong-kind' | 'no-permission' | 'too-large' | 'unreadable'
  /** The problem, e.g. `is a folder, not a file`; the message also names the file. */
  readonly reason: string
  /** The name of the most similar file in the same folder, if a file is missing. */
  readonly near: string | undefined

  constructor(
    code: FileError['code'],
    file: string,
    reason: string,
    {
      message = `"${file}" ${reason}`,
      near,
    }: { readonly message?: string; readonly near?: string | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.reason = reason
    this.near = near
  }
}

/** Converts a file system error into a FileError; `where` is appended if the file is missing. */
function fileErrorOf(error: unknown, file: string, kind: FileKind, url: URL, where = ''): FileError {
  if (error instanceof FileError) return error
  const code = isError(error) && 'code' in error ? String(error.code) : String(error)
  if (code === 'ENOENT' || (code === 'ENOTDIR' && kind === 'file')) {
    const near = nearestFile(url)
    const hint = near === undefined ? '' : `; did you mean "${file.replace(/[^/\\]*$/, '')}${near}"?`
    const message = `there is no ${kind} "${file}"${where}${hint}`
    return new FileError('missing', file, 'is missing', { message, near })
  }
  if (code === 'ENOTDIR') return new FileError('wrong-kind', file, 'is a file, not a folder')
  if (code === 'EACCES' || code === 'EPERM') {
    return new FileError('no-permission', file, 'cannot be read: permission denied')
  }
  return new FileError('unreadable', file, `cannot be read (${code})`)
}

/** Returns the name of the most similar file or folder beside one that is missing; its ending matters least. */
function nearestFile(missing: URL): string | undefined {
  try {
    const stemOf = (name: string): string => name.replace(/(?<=.)\.\w+$/, '')
    const names = fileSystem()?.fs.readdirSync(new URL('.', missing)) ?? []
    const wanted = decodeURIComponent(missing.pathname.split('/').at(-1) ?? '')
    const nearest = nearestName(stemOf(wanted), names.map(stemOf))
    const alike = names.filter((name) => stemOf(name) === nearest)
    return nearestName(wanted, alike) ?? alike[0]
  } catch {
    return undefined
  }
}

/** Returns the message of a FileError; rethrows any other error. */
export function reasonOf(error: unknown): string {
  if (error instanceof FileError) return error.message
  throw error
}

/** Reads the files a scenario names: those beside it, and those that ship with the package. */
export interface ScenarioFiles {
  /** Reads a shipped attachment of that name, or else a file beside the scenario, of at most 25 MiB. @throws FileError */
  read(name: string, maxBytes?: number): Promise<Uint8Array>
  /** Lists a folder beside the scenario, sorted by name. @throws FileError */
  list(folder: string): Promise<FolderEntry[]>
  /** The digests of what was read and listed, by name and kind. */
  readonly digests: ReadonlyMap<string, string>
}

/** An entry of a folder: a file, a link or another folder. */
export interface FolderEntry {
  readonly name: string
  /** The name to pass to `read` and `list`. */
  readonly path: string
  readonly isFolder: boolean
}

/** Called with each file or folder of a scenario before it is read, even if it does not exist. */
export type NoteFile = (file: URL) => void

/** Returns Node's modules for files; `file` is what they are needed for. @throws FileError `unreadable` without them */
export function modulesFor(file: string): NonNullable<ReturnType<typeof fileSystem>> {
  const modules = fileSystem()
  if (modules) return modules
  throw new FileError('unreadable', file, `cannot be read, since ${noFileSystem}`)
}

const noFileSystem =
  'this runtime has no files: give the scenario, an extension or assumptions as an object, and a message or an attachment by its content'

/** Returns the URL of a folder in the package. */
export const shippedFolder = (folder: string): URL => new URL(`${folder}/`, packageRoot())

/** Reads files by names relative to the scenario's folder, or to the working folder if it is not a file. */
export function filesBeside(scenario: URL | undefined, note?: NoteFile): ScenarioFiles {
  const where = scenario ? ' beside the scenario' : ' in the folder the program runs in'
  return filesBy((name) => resolveFile(name, scenario, note), where)
}

/**
 * Gives access to the shipped attachments only, for a scenario from a client that may not read this machine's files.
 * Other names are refused before any file is looked up.
 */
export function shippedFiles(): ScenarioFiles {
  return filesBy((name) => {
    const known = [...shippedAttachments.keys()].toSorted().join(', ')
    const reason = `is not a shipped file; this scenario may name ${known}, and has other content in itself`
    throw new FileError('missing', name, reason)
  })
}

/** Reads the files that `resolve` finds by their names; `where` is the place that messages mention. */
function filesBy(resolve: (name: string) => URL, where = ''): ScenarioFiles {
  const digests = new Map<string, string>()
  const note = (name: string, kind: 'read' | 'list', content: string): void => {
    digests.set(JSON.stringify([name, kind]), hexOf(hashText(content)))
  }
  return {
    digests,
    async read(name, maxBytes = maxMailFileBytes) {
      const shipped = shippedAttachments.get(name)
      if (shipped !== undefined) return fromBase64(shipped)
      const around = /[/\\]/.test(name) ? where : `${where} or among the shipped ones`
      const bytes = await readWithin(resolve(name), name, maxBytes, around)
      note(name, 'read', new TextDecoder('latin1').decode(bytes))
      return bytes
    },
    async list(folder) {
      const url = resolve(folder)
      const entries = await reading(folder, 'folder', url, where, () =>
        modulesFor(folder).fs.promises.readdir(url, { withFileTypes: true }),
      )
      const start = folder.replace(/[/\\]+$/, '')
      const found = entries
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((entry) => ({
          name: entry.name,
          path: `${start}/${folder.startsWith('file:') ? encodeURIComponent(entry.name) : entry.name}`,
          isFolder: entry.isDirectory(),
        }))
      note(folder, 'list', JSON.stringify(found))
      return found
    },
  }
}

/** Reads a text file. @throws FileError */
export async function readText(url: URL, name: string): Promise<string> {
  return new TextDecoder().decode(await readWithin(url, name, maxScenarioBytes))
}

/** Reads a regular file of at most `limit` bytes. @throws FileError */
export function readWithin(url: URL, name: string, limit: number, where?: string): Promise<Uint8Array> {
  return reading(name, 'file', url, where, async () => {
    const { readFile, stat } = modulesFor(name).fs.promises
    const found = await stat(url)
    if (!found.isFile()) {
      throw new FileError(
        'wrong-kind',
        name,
        `is ${found.isDirectory() ? 'a folder, not a file' : 'not a file'}`,
      )
    }
    assertSize(name, found.size, limit)
    return readFile(url)
  })
}

/**
 * Refuses a file, or a message in a file, that is larger than `limit` bytes. @throws FileError `too-large`
 */
export function assertSize(name: string, bytes: number, limit: number): void {
  if (bytes <= limit) return
  throw new FileError('too-large', name, `has ${formatSize(bytes)}; up to ${formatSize(limit)} are read`)
}

/** Formats a size, rounded up so that one above a limit never looks equal to it: `10.1 MiB`. */
function formatSize(bytes: number): string {
  return `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MiB`
}

async function reading<T>(
  name: string,
  kind: FileKind,
  url: URL,
  where: string | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw fileErrorOf(error, name, kind, url, where)
  }
}

/**
 * Resolves a name relative to a file, or to the working folder, and notes it: a path, in which `#`, `?` and `%` are not special, or
 * a `file:` URL.
 */
export function resolveFile(name: string, beside: URL | undefined, note?: NoteFile): URL {
  const { path: paths, url } = modulesFor(name)
  const { fileURLToPath, pathToFileURL } = url
  let path = name
  try {
    if (name.startsWith('file:')) path = fileURLToPath(name)
  } catch {
    // Not a valid file URL on this machine, so it is a path.
  }
  const file = pathToFileURL(paths.resolve(beside ? paths.dirname(fileURLToPath(beside)) : '.', path))
  note?.(file)
  return file
}
