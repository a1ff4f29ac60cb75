import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Makes a folder and those it is in. Level by level, since Node's own `recursive` never returns where a folder exists
 * but takes no others, as in `/proc`.
 * @throws an error of the file system
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolder(parent)
  try {
    await mkdir(path)
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!(await isFolder(path))) throw error
  }
}

/** Tells whether there is a folder at a path. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

/**
 * Writes a file as a whole or not at all: what was there before stays if there is no room for all of it.
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

/** A file that is written beside the one it is to replace. */
export interface FileBeside {
  /** Where to write; the file itself if it is a device, or in a folder that takes no other files. */
  readonly beside: string
  /** Replaces the file with what was written. */
  finish(): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
}

/** Finds out where to write what is to replace a file. @throws an error of the file system */
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
