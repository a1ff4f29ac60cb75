import { snippetOf } from '../../mail/index.js'
import { type Base, modelNames } from '../../model/index.js'
import { openFound } from '../open-written.js'
import type { LoadedScenario } from '../opened-scenario.js'
import { findScenario, shippedScenarios } from '../source/find-scenario.js'
import { type PreparedBodies, type PreparedScenario, preparedFiles } from './prepared-scenario.js'

/** A file to be written, by its name. */
export interface PreparedFile {
  readonly name: string
  readonly content: string
}

/** Of a scenario with more, what is prepared would be larger than the package, and hardly faster to read. */
const mostMessages = 2000

/**
 * Loads the scenarios that ship, for the seeds they have, as the build keeps them. Large ones are left out, and those
 * with further files beside them: only the text of a scenario tells whether it is still the one that was prepared.
 */
export async function prepareScenarios(): Promise<PreparedFile[]> {
  const prepared = []
  for (const name of await shippedScenarios()) prepared.push(...(await prepare(name)))
  return prepared
}

async function prepare(name: string): Promise<PreparedFile[]> {
  const found = await findScenario(name)
  const further: URL[] = []
  const note = (file: URL): void => void further.push(file)
  const opened = await openFound(found, { seed: undefined, note, confined: false })
  const loaded = await opened.load()
  if (further.length > 0 || loaded.base.database.count('message') > mostMessages) return []
  const files = preparedFiles(name)
  return [
    { name: files.scenario, content: JSON.stringify(contentOf(found.text, opened.layers, loaded)) },
    { name: files.bodies, content: JSON.stringify(bodiesOf(loaded.base)) },
  ]
}

function contentOf(
  text: string,
  layers: PreparedScenario['layers'],
  { base, ...loaded }: LoadedScenario,
): PreparedScenario {
  const rows = Object.fromEntries(modelNames.map((model) => [model, [...base.database.all(model)]]))
  return { text, layers, loaded, rows: rows as never }
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
