import { fileSystem } from '../base/file-system.js'
import { once } from '../base/once.js'
import { builtFolder, packageRoot } from '../base/package.js'
import type { Extensions } from '../contract/extensions.js'
import type { AssumptionsLayer } from '../service/assumptions/assumptions.js'
import type { Base, BaseBuilder, Body } from '../service/model/base.js'
import { type ModelName, modelNames, type Rows, type Unplaced } from '../service/model/rows.js'
import type { OnProgress } from './compile/compilation.js'
import { MovedBaseBuilder } from './compile/compilation.js'
import { Lookups, Names } from './compile/names.js'
import { compileExpectations } from './expectations/kinds.js'
import type { Scenario } from './format/scenario.js'
import { prepareExtension } from './read/extensions.js'
import { modulesFor, readText, shippedFolder } from './read/files.js'
import type { LoadedScenario } from './story.js'

/** The scenario that is prepared: the default one. */
export const preparedName = 'support-desk'

/** The prepared form, in the folder of the build: JSON, compressed because it would be a tenth of the package. */
const fileName = `prepared/${preparedName}.json.br`

/** The JSON form of a scenario that was loaded when the package was built. */
interface PreparedScenario {
  /** The source text; if the file's text differs, the prepared form is out of date. */
  readonly text: string
  /** The files and folders it was loaded from, as paths in the package. */
  readonly sources: readonly string[]
  /** The scenario's own assumptions. */
  readonly layers: readonly AssumptionsLayer[]
  readonly loaded: Omit<LoadedScenario, 'base' | 'mailboxes' | 'expectations'>
  /** What its expectations are compiled from: they are functions. */
  readonly expecting: Pick<Scenario, 'timeline' | 'expect' | 'secrets'>
  readonly rows: { readonly [M in ModelName]: readonly Unplaced<Rows[M]>[] }
  /** The bodies of generated messages by key, as nested JSON that is parsed on demand: few are ever read. */
  readonly bodies: string
}

/** Writes the prepared form of the default scenario, and the shipped extension, into the folder of the build. */
export async function writePrepared(
  sources: readonly string[],
  layers: readonly AssumptionsLayer[],
  { timeline, expect, secrets }: Scenario,
  { base, mailboxes: _mailboxes, expectations: _expectations, ...loaded }: LoadedScenario,
): Promise<void> {
  const rows = Object.fromEntries(modelNames.map((model) => [model, [...base.database.all(model)]]))
  const prepared: PreparedScenario = {
    text: await preparedText(),
    sources: sources.map((href) => href.slice(packageRoot().href.length)),
    layers,
    loaded,
    expecting: { timeline, expect, secrets },
    rows: rows as never,
    bodies: JSON.stringify(bodiesOf(base)),
  }
  await prepareExtension()
  const { fs, zlib } = modulesFor(preparedName)
  fs.writeFileSync(new URL(fileName, builtFolder()), zlib.brotliCompressSync(JSON.stringify(prepared)))
}

const preparedText = (): Promise<string> =>
  readText(new URL(`${preparedName}.yaml`, shippedFolder('scenarios')), preparedName)

function bodiesOf({ database, bodies }: Base): Record<string, Body> {
  const keys = [...database.all('message')].flatMap(({ body_key }) => body_key ?? [])
  return Object.fromEntries(keys.map((key) => [key, bodies(key)]))
}

/**
 * Reads the default scenario in the form prepared when the package was built. Undefined for a seed other than its own,
 * without a build, where there are no files, or if its text has changed since.
 */
export async function readPrepared(seed: number | undefined) {
  const modules = fileSystem()
  if (!modules) return undefined
  const { fs, zlib } = modules
  const found = await fs.promises.readFile(new URL(fileName, builtFolder())).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (found === undefined) return undefined
  const prepared: PreparedScenario = JSON.parse(zlib.brotliDecompressSync(found).toString())
  const { loaded, expecting, layers, rows, sources, bodies } = prepared
  if ((seed ?? loaded.seed) !== loaded.seed || prepared.text !== (await preparedText())) return undefined
  return {
    layers,
    sources: sources.map((path) => new URL(path, packageRoot())),
    load(extensions: Extensions, onProgress?: OnProgress, start = loaded.start): LoadedScenario {
      const messages = rows.message.length
      onProgress?.({ messages, of: messages })
      const builder = new MovedBaseBuilder(loaded.seed, start - loaded.start)
      // They name operations and entries only, so no agent or thread has to be found.
      const lookups = new Lookups(new Names([], [], loaded.seed), extensions)
      const { expectations } = compileExpectations(expecting, lookups)
      return { ...loaded, expectations, start, base: baseOf(rows, builder, bodies) }
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
