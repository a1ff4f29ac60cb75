import { once } from '../../contract/once.js'
import { packageRoot } from '../../contract/package.js'

/** The most a scenario's own file may have, in bytes. */
export const maxScenarioBytes = 10 * 1024 * 1024

/** The most an attachment or an `.eml` file may have, in bytes. */
export const maxMailFileBytes = 25 * 1024 * 1024

/** What is wanted under a name. */
type FileKind = 'file' | 'folder'

/** A file or folder a scenario names that cannot be used. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: 'missing' | 'wrong-kind' | 'no-permission' | 'too-large' | 'unreadable' | 'outside'
  /** What is wrong with it, e.g. `is a folder, not a file`; the message has its name as well. */
  readonly reason: string

  constructor(code: FileError['code'], file: string, reason: string, message = `"${file}" ${reason}`) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

/** What an error of the file system means for a name; `where` says where it was looked for. */
export function fileErrorOf(error: unknown, file: string, kind: FileKind, where = ''): FileError {
  if (error instanceof FileError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (code === 'ENOENT' || (code === 'ENOTDIR' && kind === 'file')) {
    return new FileError('missing', file, 'is missing', `there is no ${kind} "${file}"${where}`)
  }
  if (code === 'ENOTDIR') return new FileError('wrong-kind', file, 'is a file, not a folder')
  if (code === 'EACCES' || code === 'EPERM') {
    return new FileError('no-permission', file, 'may not be read: permission denied')
  }
  return new FileError('unreadable', file, `cannot be read (${code})`)
}

/** Reads what a scenario names: files beside it, and what ships with the package. */
export interface ScenarioFiles {
  /** Bytes of a file beside the scenario, or of a shipped attachment of that name. @throws FileError */
  read(name: string): Promise<Uint8Array>
  /** Lines of a file beside the scenario, which may be of any size. @throws FileError */
  lines(name: string): AsyncIterable<string>
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

/** Called with a file or folder that a scenario is made of, as soon as it is looked for. */
export type NoteFile = (file: URL) => void

/** Which files a scenario may name besides those of its project. */
export interface FileAccess {
  readonly note?: NoteFile | undefined
  /** Further folders whose files it may name. */
  readonly allowed?: readonly string[] | undefined
}

/** Loads Node's modules only where a file is read, so that the library runs without them. */
const node = once(async () => ({
  ...(await import('node:fs/promises')),
  ...(await import('node:url')),
  ...(await import('node:path')),
}))

/** What ships with the package, by its folder there. */
export const shippedFolder = (folder: string): URL => new URL(`${folder}/`, packageRoot)

const shippedAttachments = (): URL => shippedFolder('fixtures/attachments')

/** The files of a scenario's project; those of one that is no file itself, from the folder the program runs in. */
export function filesBeside(
  scenario: URL | undefined,
  { note, allowed = [] }: FileAccess = {},
): ScenarioFiles {
  const where = scenario ? ' beside the scenario' : ' in the folder the program runs in'
  const access = folderAccess(scenario, allowed)
  const resolve = async (name: string): Promise<URL> => {
    const { folder, check } = await access()
    const url = await resolveName(name, folder)
    await check(url, name)
    note?.(url)
    return url
  }
  const readShipped = async (name: string): Promise<Uint8Array> =>
    readWithin(await resolveName(name, shippedAttachments()), name, maxMailFileBytes)
  return {
    readShipped,
    async read(name) {
      if (/[/\\]/.test(name)) return readWithin(await resolve(name), name, maxMailFileBytes, where)
      const bytes = await readShipped(name).catch(() => undefined)
      return (
        bytes ?? readWithin(await resolve(name), name, maxMailFileBytes, `${where} or among the shipped ones`)
      )
    },
    async *lines(name) {
      const url = await resolve(name)
      const file = await reading(name, 'file', where, async () => (await node()).open(url))
      try {
        yield* file.readLines()
      } finally {
        await file.close()
      }
    },
    async list(folder) {
      const url = await resolve(folder)
      const entries = await reading(folder, 'folder', where, async () =>
        (await node()).readdir(url, { withFileTypes: true }),
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

/** Where names of files lead from, and which of them may be read. */
interface FolderAccess {
  readonly folder: URL
  /** Refuses what is in no allowed folder, by way of links as well. @throws FileError `outside` */
  check(file: URL, name: string): Promise<void>
}

/** Finds out once, when it is first asked, which folders a scenario may read. */
export function folderAccess(
  scenario: URL | undefined,
  allowed: readonly string[] = [],
): () => Promise<FolderAccess> {
  return once(() => findAccess(scenario, allowed))
}

async function findAccess(scenario: URL | undefined, allowed: readonly string[]): Promise<FolderAccess> {
  const { realpath, resolve, dirname, sep, fileURLToPath, pathToFileURL } = await node()
  // What is not there would be in the nearest folder that is.
  const real = (path: string): Promise<string> => {
    return realpath(path).catch(() => (path === dirname(path) ? path : real(dirname(path))))
  }
  const own = scenario ? dirname(fileURLToPath(scenario)) : resolve('.')
  const roots = [await projectOf(own), ...allowed.map((path) => resolve(path))]
  const folders = new Set([
    ...roots,
    ...(await Promise.all(roots.map(real))),
    resolve(fileURLToPath(packageRoot), 'fixtures'),
  ])
  const isInside = (path: string): boolean => {
    return [...folders].some(
      (root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep),
    )
  }
  return {
    folder: pathToFileURL(own + sep),
    async check(file, name) {
      // An object comes from the program's own code, which may read whatever the program may.
      if (!scenario) return
      const path = fileURLToPath(file)
      if (isInside(path) && isInside(await real(path))) return
      const how = isInside(path) ? 'leads by a link out of' : 'is outside'
      const remedy = 'allow a folder with --allow-files or the option allowFiles'
      throw new FileError(
        'outside',
        name,
        `${how} ${roots[0]}, whose files this scenario may name; ${remedy}`,
      )
    },
  }
}

/** What marks the topmost folder of a project. */
const projectMarks = ['.git', 'package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', 'pom.xml', 'Gemfile']

/** The nearest folder at or above one that is a project's, but for a home folder; otherwise the folder itself. */
async function projectOf(folder: string): Promise<string> {
  const [{ dirname, join }, { homedir }, { existsSync }] = await Promise.all([
    import('node:path'),
    import('node:os'),
    import('node:fs'),
  ])
  for (let at = folder; at !== homedir() && at !== dirname(at); at = dirname(at)) {
    if (projectMarks.some((mark) => existsSync(join(at, mark)))) return at
  }
  return folder
}

/**
 * Files for a scenario that came from somebody who may not read this machine: the shipped attachments, by the
 * very names they have. Nothing else is even looked for.
 */
export function shippedFiles(): ScenarioFiles {
  const refuse = (name: string, shipped: readonly string[]): FileError => {
    const names = shipped.toSorted().join(', ')
    const reason = `is no shipped file; this scenario may name ${names}, and has other content in itself`
    return new FileError('missing', name, reason)
  }
  const readShipped = async (name: string): Promise<Uint8Array> => {
    const names = await (await node()).readdir(shippedAttachments())
    // A name that leads elsewhere is none of these, whatever it is made of.
    if (!names.includes(name)) throw refuse(name, names)
    return readWithin(new URL(encodeURIComponent(name), shippedAttachments()), name, maxMailFileBytes)
  }
  return {
    readShipped,
    read: readShipped,
    async *lines(name) {
      yield* new TextDecoder().decode(await readShipped(name)).split('\n')
    },
    async list(name) {
      throw refuse(name, await (await node()).readdir(shippedAttachments()))
    },
  }
}

/** Reads a text file, if it lies where it may. @throws FileError */
export async function readText(url: URL, name: string, access?: Promise<FolderAccess>): Promise<string> {
  await (await access)?.check(url, name)
  return new TextDecoder().decode(await readWithin(url, name, maxScenarioBytes))
}

/** Bytes of a regular file of at most that many. @throws FileError */
export function readWithin(url: URL, name: string, limit: number, where?: string): Promise<Uint8Array> {
  return reading(name, 'file', where, async () => {
    const { readFile, stat } = await node()
    const found = await stat(url)
    if (!found.isFile()) {
      throw new FileError(
        'wrong-kind',
        name,
        `is ${found.isDirectory() ? 'a folder, not a file' : 'not a file'}`,
      )
    }
    if (found.size > limit) {
      const reason = `has ${formatSize(found.size)}; up to ${formatSize(limit)} are read`
      throw new FileError('too-large', name, reason)
    }
    return readFile(url)
  })
}

/** A size as people read it, rounded up so that one above a limit never reads like the limit: `10.1 MiB`. */
function formatSize(bytes: number): string {
  return `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MiB`
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
  const { resolve, fileURLToPath, pathToFileURL } = await node()
  let path = name
  try {
    if (name.startsWith('file:')) path = fileURLToPath(name)
  } catch {
    // It is no URL of a file here, and so a path.
  }
  return pathToFileURL(resolve(fileURLToPath(folder), path))
}

/** The folder the program runs in. */
export async function workingFolder(): Promise<URL> {
  return (await node()).pathToFileURL('./')
}
