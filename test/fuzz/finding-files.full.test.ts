import { describe, expect, it } from 'vitest'
import { writeFinding } from '../../src/fuzz/fuzz.js'
import { FuzzedScenario } from '../../src/fuzz/fuzzed-scenario.js'
import { loadScenario } from '../../src/scenario/index.js'
import { useFolder } from '../cli/temporary-folder.js'

const failure = {
  judgedBy: 'command',
  name: 'command',
  why: 'it failed',
  cause: 'command',
  written: undefined,
} as const
const found = { elements: [], failure, foundAfterRuns: 1, shrinkRuns: 0 }

/** Returns the rows that a story begins with. */
async function rowsOf(file: string): Promise<unknown[]> {
  const { base, timeline } = await loadScenario(file)
  const { database } = base
  return [[...database.all('message')], [...database.all('attachment')], timeline]
}

describe('the file of a finding', () => {
  it.each(['prompt-injection', 'refund-request', 'world-mail'])(
    'begins with the same rows as %s',
    async (name) => {
      const folder = await useFolder()
      const scenario = await FuzzedScenario.load(name)
      const how = { folder: folder('found'), name, seed: 1, advice: '', again: () => '' }
      const { file } = await writeFinding(scenario, found, how)
      expect(await rowsOf(file)).toEqual(await rowsOf(name))
    },
  )
})
