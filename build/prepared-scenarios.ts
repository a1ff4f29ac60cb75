import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import type { PreparedFile } from '../src/scenario/prepared/prepare-scenarios.js'

/** Runs the bundle, which loads the shipped scenarios, and leaves what it gives in its place. */
export function preparedScenarios(): Plugin {
  return {
    name: 'prepared-scenarios',
    async writeBundle({ dir = '' }, bundle) {
      const [program = ''] = Object.keys(bundle)
      const { prepareScenarios } = await import(pathToFileURL(join(dir, program)).href)
      const files: readonly PreparedFile[] = await prepareScenarios()
      for (const { name, content } of files) await writeFile(join(dir, name), content)
      await rm(join(dir, program))
    },
  }
}
