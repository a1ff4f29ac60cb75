import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Creates a folder with these files outside the project until the test ends; returns its path. */
export async function folderOf(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeInto(folder, files)
  return folder
}

/** Writes files into a folder, replacing existing ones. */
export async function writeInto(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

/** Creates an empty folder for all tests of a file or a describe; returns its path. */
export function sharedFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tests-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
