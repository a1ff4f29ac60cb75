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

/** The JSON form of a shipped scenario that was loaded when the package was built. */
interface PreparedScenario {
  /** The source text; if the file's text differs, the prepared form is out of date. */
  readonly text: string
  /** The files and folders it was loaded from, as paths in the package. */
  readonly sources: readonly string[]
  /** The scenario's own readings. */
  readonly layers: readonly ReadingsLayer[]
  readonly loaded: Omit<LoadedScenario, 'base'>
  readonly rows: { readonly [M in ModelName]: readonly Unplaced<Rows[M]>[] }
  /** The bodies of generated messages by key, as nested JSON that is parsed on demand: few are ever read. */
  readonly bodies: string
}

/** A text, an HTML body, and the snippet if there is no text, because computing it from HTML is slow. */
type PreparedBody = readonly [text: string | null, html: string | null, snippet?: string]

/** The most messages of a prepared scenario: larger ones would outgrow the package and hardly load faster. */
const mostMessages = 2000

/** Loads the shipped scenarios with their own seeds; returns the files for the build to keep. */
export async function prepareScenarios(): Promise<{ name: string; content: string }[]> {
  // Imported here so that a prepared scenario does not load the parser, the checks and the compiler.
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
 * Opens a shipped scenario that was prepared when the package was built. undefined for a seed other than its own, if
 * it was not prepared (as without a build), or if its text has changed since.
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
