import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Makes a folder that is gone after the test, and gives what makes paths in it. */
export async function useFolder(): Promise<(...names: string[]) => string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'scenarios-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return (...names) => join(folder, ...names)
}
