import { appendFile, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Creates a folder and its parents. Creates them one by one, because Node's own `recursive` never returns for a folder
 * that exists but cannot contain others, as in `/proc`.
 * @throws an error of the file system
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolder(parent)
  try {
    await mkdir(path)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isFolder(path))) throw error
  }
}

/** Returns whether a path is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

/** Creates the folder of a file and makes sure that it can be written. @throws an error of the file system */
export async function prepareFile(path: string): Promise<void> {
  await makeFolder(dirname(path))
  const { discard } = await openBeside(path)
  await discard()
}

/** Explanations of errors of the file system whose own messages do not say what to change, by code. */
const explanations: Readonly<Record<string, string>> = {
  EEXIST: 'a file has this name; choose a folder, or another name',
  EISDIR: 'this is a folder; name a file in it',
  ENOENT: 'there is no such folder; create it first, or choose another path',
  ENOTDIR: 'a part of this path is a file, not a folder; choose another path',
  ...Object.fromEntries(
    ['EACCES', 'EPERM', 'EROFS'].map((code) => [code, 'this user may not write there; choose another path']),
  ),
}

/** Explains why a file or a folder cannot be written. */
export function explainWriteError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return explanations[code] ?? message
}

/**
 * Writes a file completely or not at all: if there is not enough space, an existing file stays unchanged.
 * @throws an error of the file system
 */
export async function writeFileWhole(path: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
  const { beside, finish, discard } = await openBeside(path)
  try {
    await writeFile(beside, content)
    await finish()
  } catch (error) {
    await discard()
    throw error
  }
}

/** Appends to a file; anything else at its path could wait for a reader. @throws an error of the file system */
export async function appendToFile(path: string, content: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isFile()) throw new Error('it is not a file')
  await appendFile(path, content)
}

/** A temporary file next to the file that it will replace. */
interface FileBeside {
  /** The path to write to; the file itself if it is one of the system, or if its folder accepts no new files. */
  readonly beside: string
  /** Replaces the file with the temporary file. */
  finish(): Promise<void>
  /** Deletes the temporary file. */
  discard(): Promise<void>
}

/** Creates a temporary file next to a file that is to be replaced. @throws an error of the file system */
async function openBeside(path: string): Promise<FileBeside> {
  const target = await realpath(path).catch(() => path)
  const before = await stat(target).catch(() => undefined)
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
  const inPlace = { beside: target, finish: async () => undefined, discard: async () => undefined }
  // Any other pipe or device there was put in the place of a report, which would wait for its reader.
  if (before && !before.isFile() && isOfSystem(target)) return inPlace
  try {
    await rm(beside, { force: true })
    await writeFile(beside, '', { flag: 'wx', ...(before?.isFile() && { mode: before.mode }) })
  } catch (error) {
    const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (before?.isFile() && isForbidden) return inPlace
    throw error
  }
  return {
    beside,
    finish: () => rename(beside, target),
    discard: () => rm(beside, { force: true }),
  }
}

/** Returns whether a path is one of the system's devices, or a stream of a process, such as `/dev/stdout`. */
function isOfSystem(path: string): boolean {
  return /^\/(?:dev|proc)\//.test(path)
}
