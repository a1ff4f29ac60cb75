import { once } from '../contract/once.js'
import { builtFolder, packageRoot } from '../contract/package.js'
import { snippetOf } from '../mail/index.js'
import {
  type Base,
  type BaseBuilder,
  type ModelName,
  modelNames,
  type Rows,
  type Unplaced,
} from '../model/index.js'
import type { ReadingsLayer } from '../world/index.js'
import { MovedBaseBuilder } from './moved-base.js'
import type { LoadedScenario, OpenedScenario, OpenOptions } from './open.js'
import { loadExtensions } from './source/extension-files.js'
import { findScenario, type ScenarioSource, shippedScenarios } from './source/find-scenario.js'

/** A shipped scenario as it was loaded when the package was built, in JSON. */
interface PreparedScenario {
  /** The text it was loaded from: with another one, it is another scenario. */
  readonly text: string
  /** The files and folders it was made of, by their paths in the package. */
  readonly sources: readonly string[]
  /** The readings it brings itself. */
  readonly layers: readonly ReadingsLayer[]
  readonly loaded: Omit<LoadedScenario, 'base'>
  readonly rows: { readonly [M in ModelName]: readonly Unplaced<Rows[M]>[] }
  /** The bodies of generated messages by their keys, as JSON of their own: few are ever read. */
  readonly bodies: string
}

/** A text, HTML, and the snippet of what has no text, since that of HTML takes long. */
type PreparedBody = readonly [text: string | null, html: string | null, snippet?: string]

/** Of a scenario with more messages, what is prepared would be larger than the package, and hardly faster to read. */
const mostMessages = 2000

/** Loads the scenarios that ship, for the seeds they have; returns what the build keeps, by the names of files. */
export async function prepareScenarios(): Promise<{ name: string; content: string }[]> {
  // What reads, checks and compiles is not loaded where a scenario is prepared already.
  const { openScenario } = await import('./open.js')
  const prepared = []
  for (const name of await shippedScenarios()) {
    const found = await findScenario(name)
    const sources = new Set<string>()
    const note = ({ href }: URL): void => void sources.add(href.slice(packageRoot.href.length))
    const opened = await openScenario({ found }, { note })
    const { base, ...loaded } = await opened.load()
    if (base.database.count('message') > mostMessages) continue
    const rows = Object.fromEntries(modelNames.map((model) => [model, [...base.database.all(model)]]))
    const content: PreparedScenario = {
      text: found.text,
      sources: [...sources],
      layers: opened.layers,
      loaded,
      rows: rows as never,
      bodies: JSON.stringify(bodiesOf(base)),
    }
    prepared.push({ name: `${name}.json`, content: JSON.stringify(content) })
  }
  return prepared
}

function bodiesOf({ database, bodies }: Base): Record<string, PreparedBody> {
  const keys = [...database.all('message')].flatMap(({ body_key }) => body_key ?? [])
  return Object.fromEntries(
    keys.map((key) => {
      const { text, html } = bodies(key)
      return [key, text === null ? [text, html, snippetOf({ text, html })] : [text, html]]
    }),
  )
}

/**
 * Opens a shipped scenario as it was when the package was built, for the seed it has itself. Undefined where it was
 * not prepared, as where there is no build, and where its text is another one since.
 */
export async function openPrepared(
  { ships, text }: ScenarioSource,
  { seed, note, extend = [] }: Pick<OpenOptions, 'seed' | 'note' | 'extend'>,
  folder: URL = new URL('prepared/', builtFolder),
): Promise<OpenedScenario | undefined> {
  if (ships === undefined) return undefined
  const { readFile } = await import('node:fs/promises')
  const found = await readFile(new URL(`${ships}.json`, folder), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (found === undefined) return undefined
  const prepared: PreparedScenario = JSON.parse(found)
  const { loaded, layers, rows, sources, bodies } = prepared
  if (prepared.text !== text || (seed ?? loaded.seed) !== loaded.seed) return undefined
  for (const path of sources) note(new URL(path, packageRoot))
  return {
    layers,
    givesStart: false,
    extensions: await loadExtensions(extend, { note, from: 'anywhere' }),
    checkReadings: () => undefined,
    async load(onProgress, start = loaded.start) {
      const messages = rows.message.length
      onProgress?.({ messages, of: messages })
      const builder = new MovedBaseBuilder(loaded.seed, start - loaded.start)
      return { ...loaded, start, base: baseOf(rows, builder, bodies) }
    },
  }
}

function baseOf(rows: PreparedScenario['rows'], builder: BaseBuilder, text: string): Base {
  for (const model of modelNames) {
    for (const row of rows[model]) builder.add(model, row)
  }
  const bodies = once((): Readonly<Record<string, PreparedBody>> => JSON.parse(text))
  return builder.build((key) => {
    const prepared = bodies()[key]
    if (!prepared) throw new Error(`No prepared message has the body "${key}".`)
    const [body, html, snippet] = prepared
    return { text: body, html, snippet }
  })
}
