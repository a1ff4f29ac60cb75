import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
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

/** A temporary file next to the file that it will replace. */
export interface FileBeside {
  /** The path to write to; the file itself if it is a device, or if its folder accepts no new files. */
  readonly beside: string
  /** Replaces the file with the temporary file. */
  finish(): Promise<void>
  /** Deletes the temporary file. */
  discard(): Promise<void>
}

/** Creates a temporary file next to a file that is to be replaced. @throws an error of the file system */
export async function openBeside(path: string): Promise<FileBeside> {
  const target = await realpath(path).catch(() => path)
  const before = await stat(target).catch(() => undefined)
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
  const inPlace = { beside: target, finish: async () => undefined, discard: async () => undefined }
  if (before && !before.isFile()) return inPlace
  try {
    await writeFile(beside, '', before ? { mode: before.mode } : {})
  } catch (error) {
    const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (before && isForbidden) return inPlace
    throw error
  }
  return {
    beside,
    finish: () => rename(beside, target),
    discard: () => rm(beside, { force: true }),
  }
}
