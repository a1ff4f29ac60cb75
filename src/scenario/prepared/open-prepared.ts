import { once } from '../../contract/once.js'
import { builtFolder, packageRoot } from '../../contract/package-root.js'
import { type Base, BaseBuilder, modelNames } from '../../model/index.js'
import { mixNumber } from '../../world/index.js'
import type { OpenedScenario, OpenOptions } from '../opened-scenario.js'
import type { ScenarioSource } from '../source/find-scenario.js'
import { type PreparedBodies, type PreparedScenario, preparedFiles } from './prepared-scenario.js'
import { stateOf } from './source-state.js'

/**
 * Opens a scenario that ships as it was when the package was built, for the seed it has itself. Undefined where it was
 * not prepared, as where there is no build, and where its text or a file of it is another one since.
 */
export async function openPrepared(
  { ships, text }: ScenarioSource,
  { seed, note }: Pick<OpenOptions, 'seed' | 'note'>,
  folder: URL = new URL('prepared/', builtFolder),
): Promise<OpenedScenario | undefined> {
  if (ships === undefined) return undefined
  const found = await readPrepared(ships, folder)
  if (!found) return undefined
  const prepared: PreparedScenario = JSON.parse(found.scenario)
  const isFor = prepared.text === text && (seed ?? prepared.loaded.seed) === prepared.loaded.seed
  if (!isFor || !(await areAsThen(prepared.sources))) return undefined
  for (const [path] of prepared.sources) note(new URL(path, packageRoot))
  return {
    layers: prepared.layers,
    checkReadings: () => undefined,
    async load(onProgress) {
      const messages = prepared.rows.message.length
      onProgress?.({ messages, of: messages })
      return { ...prepared.loaded, base: baseOf(prepared, found.bodies) }
    },
  }
}

async function areAsThen(sources: PreparedScenario['sources']): Promise<boolean> {
  const states = await Promise.all(sources.map(([path]) => stateOf(new URL(path, packageRoot))))
  return sources.every(([, state], index) => states[index] === state)
}

/** What lies prepared under a name: JSON, and the bytes of more. */
async function readPrepared(name: string, folder: URL) {
  const { readFile } = await import('node:fs/promises')
  const files = preparedFiles(name)
  const [scenario, bodies] = await Promise.all([
    readFile(new URL(files.scenario, folder), 'utf8').catch(noneIfMissing),
    readFile(new URL(files.bodies, folder)).catch(noneIfMissing),
  ])
  return scenario === undefined || bodies === undefined ? undefined : { scenario, bodies }
}

function noneIfMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error
}

function baseOf({ rows, loaded: { seed } }: PreparedScenario, bytes: Uint8Array): Base {
  const builder = new BaseBuilder((ordinal) => mixNumber(ordinal, seed))
  for (const model of modelNames) {
    for (const row of rows[model]) builder.add(model, row)
  }
  const bodies = once((): PreparedBodies => JSON.parse(new TextDecoder().decode(bytes)))
  return builder.build((key) => {
    const body = bodies()[key]
    if (!body) throw new Error(`No prepared message has the body "${key}".`)
    const [text, html, snippet] = body
    return { text, html, snippet }
  })
}
