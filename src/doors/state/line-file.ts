import { open, readFile, rename, rm, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Files are for this user only: they contain mail and secrets. */
const mode = 0o600

/** Returns the lines of a file; undefined if there is none. What follows the last line feed was not written to its end. */
export async function readLines(path: string): Promise<string[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text?.split('\n').slice(0, -1)
}

/** Creates a file if there is none, and cuts off a last line that was not written to its end. */
export async function prepareLines(path: string): Promise<void> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  const whole = content ? content.lastIndexOf('\n') + 1 : 0
  if (!content) await writeDurably(path, '', 'a')
  else if (whole < content.length) await truncate(path, whole)
  if (!content) await syncFolderOf(path)
}

/** Appends a line; resolves when it is durable. On failure, a part of it may have been written. */
export function appendLine(path: string, line: string): Promise<void> {
  return writeDurably(path, `${line}\n`, 'a')
}

/** Replaces a file by one that has one line, all or nothing. */
export async function replaceByLine(path: string, line: string): Promise<void> {
  const beside = `${path}.new`
  try {
    await writeDurably(beside, `${line}\n`, 'w')
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolderOf(path)
}

async function writeDurably(path: string, text: string, flags: 'a' | 'w'): Promise<void> {
  const file = await open(path, flags, mode)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Makes the names in the folder of a file durable. */
async function syncFolderOf(path: string): Promise<void> {
  // Windows cannot open folders, and does not need this.
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
