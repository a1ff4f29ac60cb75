import { open, readFile, rename, rm, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Files are for this user only: they contain mail and secrets. */
const mode = 0o600

/**
 * Returns the lines of a file, which is created if there is none. What follows the last line feed was not written to its end:
 * it is cut off.
 */
export async function openLines(
  path: string,
): Promise<{ readonly lines: readonly string[]; readonly isNew: boolean }> {
  const text = await readIfAny(path)
  if (text === undefined) {
    await writeDurably(path, '', 'a')
    return { lines: [], isNew: true }
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole))
  return { lines: whole.split('\n').slice(0, -1), isNew: false }
}

/** Returns the text of a file; undefined if there is none. */
export async function readIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
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
  if (text === '') await syncFolderOf(path)
}

/** Makes the names in the folder of a file durable. */
async function syncFolderOf(path: string): Promise<void> {
  // Windows cannot open folders, and does not need this.
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
