import { once } from '../base/once.js'
import { builtFolder, packageRoot } from '../base/package.js'
import type { AssumptionsLayer } from '../service/assumptions/assumptions.js'
import type { Base, BaseBuilder, Body } from '../service/model/base.js'
import { type ModelName, modelNames, type Rows, type Unplaced } from '../service/model/rows.js'
import { MovedBaseBuilder } from './compile/moved-base.js'
import { type LoadedScenario, type OpenedScenario, type OpenOptions, openScenario } from './open.js'
import { loadExtensions, prepareExtensions } from './read/extensions.js'
import { modulesFor, readText, shippedFolder } from './read/files.js'
import { findScenario, type ScenarioSource } from './read/find-scenario.js'

/** The scenario that is prepared: the default one. */
const name = 'support-desk'

/** The prepared form, in the folder of the build: JSON, compressed because it would be a tenth of the package. */
const fileName = `prepared/${name}.json.br`

/** The JSON form of a scenario that was loaded when the package was built. */
interface PreparedScenario {
  /** The source text; if the file's text differs, the prepared form is out of date. */
  readonly text: string
  /** The files and folders it was loaded from, as paths in the package. */
  readonly sources: readonly string[]
  /** The scenario's own assumptions. */
  readonly layers: readonly AssumptionsLayer[]
  readonly loaded: Omit<LoadedScenario, 'base' | 'mailboxes'>
  readonly rows: { readonly [M in ModelName]: readonly Unplaced<Rows[M]>[] }
  /** The bodies of generated messages by key, as nested JSON that is parsed on demand: few are ever read. */
  readonly bodies: string
}

/** Loads the default scenario with its own seed, and writes its prepared form into the folder of the build. */
export async function prepareScenario(): Promise<void> {
  const found = await findScenario(name)
  const sources = new Set<string>()
  const note = ({ href }: URL): void => void sources.add(href.slice(packageRoot().href.length))
  const opened = await openScenario({ found }, { note })
  const { base, mailboxes: _, ...loaded } = await opened.load()
  const rows = Object.fromEntries(modelNames.map((model) => [model, [...base.database.all(model)]]))
  const prepared: PreparedScenario = {
    text: found.text,
    sources: [...sources],
    layers: opened.layers,
    loaded,
    rows: rows as never,
    bodies: JSON.stringify(bodiesOf(base)),
  }
  await prepareExtensions((extension) =>
    readText(new URL(`${extension}.ts`, shippedFolder('extensions')), extension),
  )
  const { fs, zlib } = modulesFor(name)
  fs.writeFileSync(new URL(fileName, builtFolder()), zlib.brotliCompressSync(JSON.stringify(prepared)))
}

function bodiesOf({ database, bodies }: Base): Record<string, Body> {
  const keys = [...database.all('message')].flatMap(({ body_key }) => body_key ?? [])
  return Object.fromEntries(keys.map((key) => [key, bodies(key)]))
}

/**
 * Opens the default scenario in the form prepared when the package was built. Undefined for another scenario,
 * for a seed other than its own, without a build, or if its text has changed since.
 */
export async function openPrepared(
  { ships, text }: ScenarioSource,
  { seed, note, extend = [] }: Pick<OpenOptions, 'seed' | 'note' | 'extend'>,
): Promise<OpenedScenario | undefined> {
  if (ships !== name) return undefined
  const { fs, zlib } = modulesFor(name)
  const found = await fs.promises.readFile(new URL(fileName, builtFolder())).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (found === undefined) return undefined
  const prepared: PreparedScenario = JSON.parse(zlib.brotliDecompressSync(found).toString())
  const { loaded, layers, rows, sources, bodies } = prepared
  if (prepared.text !== text || (seed ?? loaded.seed) !== loaded.seed) return undefined
  for (const path of sources) note(new URL(path, packageRoot()))
  return {
    layers,
    hasFixedAssumptions: false,
    givesStart: false,
    extensions: await loadExtensions(extend, { note }),
    checkAssumptions: () => undefined,
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
  const bodies = once((): Readonly<Record<string, Body>> => JSON.parse(text))
  return builder.build((key) => bodies()[key] as Body)
}
