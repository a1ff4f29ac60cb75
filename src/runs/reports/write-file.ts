import { appendFile, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createFolder } from '../../base/create-folder.js'

/** Returns whether a path is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

/** Creates the folder of a file and makes sure that it can be written. @throws an error of the file system */
export async function prepareFile(path: string): Promise<void> {
  await createFolder(dirname(path))
  const { target, beside } = await openBeside(path)
  if (beside !== target) await rm(beside)
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
  const { target, beside } = await openBeside(path)
  try {
    await writeFile(beside, content)
    if (beside !== target) await rename(beside, target)
  } catch (error) {
    if (beside !== target) await rm(beside, { force: true })
    throw error
  }
}

/** Returns the text of a file; a pipe in its place could wait for its writer. @throws an error that says why there is none */
export async function readWholeFile(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('there is no such file') : error
  })
  if (!found.isFile()) throw new Error('it is not a file')
  return readFile(path, 'utf8')
}

/** Appends to a file; anything else at its path could wait for a reader. @throws an error of the file system */
export async function appendToFile(path: string, content: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isFile()) throw new Error('it is not a file')
  await appendFile(path, content)
}

/** Creates a temporary file next to one that is to be replaced, which may be one of the system. @throws an error of the file system */
async function openBeside(path: string): Promise<{ readonly target: string; readonly beside: string }> {
  const target = await realpath(path).catch(() => path)
  const before = await stat(target).catch(() => undefined)
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
  // Any other pipe or device there was put in the place of a report, which would wait for its reader.
  if (before && !before.isFile() && /^\/(?:dev|proc)\//.test(target)) return { target, beside: target }
  await rm(beside, { force: true })
  await writeFile(beside, '', { flag: 'wx', ...(before?.isFile() && { mode: before.mode }) })
  return { target, beside }
}
