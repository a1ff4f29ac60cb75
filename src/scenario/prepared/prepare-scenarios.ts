import { packageRoot } from '../../contract/package-root.js'
import { snippetOf } from '../../mail/index.js'
import { type Base, modelNames } from '../../model/index.js'
import { openFound } from '../open-written.js'
import type { LoadedScenario } from '../opened-scenario.js'
import { findScenario, shippedScenarios } from '../source/find-scenario.js'
import { type PreparedBodies, type PreparedScenario, preparedFiles } from './prepared-scenario.js'
import { stateOf } from './source-state.js'

/** A file to be written, by its name. */
export interface PreparedFile {
  readonly name: string
  readonly content: string
}

/** Of a scenario with more, what is prepared would be larger than the package, and hardly faster to read. */
const mostMessages = 2000

/** Loads the scenarios that ship, for the seeds they have, as the build keeps them; large ones are left out. */
export async function prepareScenarios(): Promise<PreparedFile[]> {
  const prepared = []
  for (const name of await shippedScenarios()) prepared.push(...(await prepare(name)))
  return prepared
}

async function prepare(name: string): Promise<PreparedFile[]> {
  const found = await findScenario(name)
  const sources = new Map<string, URL>()
  const note = (source: URL): void => void sources.set(pathOf(source), source)
  const opened = await openFound(found, { seed: undefined, note, confined: false })
  const loaded = await opened.load()
  if (loaded.base.database.count('message') > mostMessages) return []
  const states = await Promise.all(
    [...sources].map(async ([path, url]) => [path, await stateOf(url)] as const),
  )
  const files = preparedFiles(name)
  const content: PreparedScenario = {
    text: found.text,
    sources: states,
    layers: opened.layers,
    ...contentOf(loaded),
  }
  return [
    { name: files.scenario, content: JSON.stringify(content) },
    { name: files.bodies, content: JSON.stringify(bodiesOf(loaded.base)) },
  ]
}

/** Where something is in the package. */
function pathOf({ href }: URL): string {
  if (!href.startsWith(packageRoot.href))
    throw new Error(`A scenario that ships names ${href}, which does not.`)
  return href.slice(packageRoot.href.length)
}

function contentOf({ base, ...loaded }: LoadedScenario): Pick<PreparedScenario, 'loaded' | 'rows'> {
  const rows = Object.fromEntries(modelNames.map((model) => [model, [...base.database.all(model)]]))
  return { loaded, rows: rows as never }
}

function bodiesOf({ database, bodies }: Base): PreparedBodies {
  const keys = [...database.all('message')].flatMap(({ body_key }) => body_key ?? [])
  return Object.fromEntries(
    keys.map((key) => {
      const { text, html } = bodies(key)
      return [key, text === null ? [text, html, snippetOf({ text, html })] : [text, html]]
    }),
  )
}
