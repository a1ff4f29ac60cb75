import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test files of one run share their build of the program. */
    buildFolder: string
  }
}

/** Makes the folder in which the build finds its dependencies, and removes it when the run is over. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const cache = fileURLToPath(new URL('../node_modules/.cache/agent-mailbox-sim/', import.meta.url))
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'run-'))
  provide('buildFolder', folder)
  return () => rm(folder, { recursive: true })
}
