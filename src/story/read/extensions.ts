import { quoted } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { builtFolder } from '../../base/package.js'
import {
  combineExtensions,
  ExtensionError,
  type ExtensionInput,
  type Extensions,
  joinExtensions,
  noExtensions,
} from '../../contract/extensions.js'
import * as authoring from './authoring.js'
import { FileError, modulesFor, type NoteFile, readText, resolveFile, shippedFolder } from './files.js'
import { type Locate, refusal, ScenarioError, scenarioError } from './problem.js'

/** An extension to load: a file, a shipped one (`common`), or the value `defineExtension` returned. */
export type ExtensionSource = string | ExtensionInput

/** How extensions are loaded. */
interface ExtensionAccess {
  readonly note?: NoteFile | undefined
  /** The file that names are relative to; the working folder by default. */
  readonly beside?: URL | undefined
  /** Whether only extensions that ship may be named. */
  readonly shippedOnly?: boolean | undefined
  /** The extensions that were loaded before, by the path of their file: one that is named twice is the same. */
  readonly loaded?: Map<string, ExtensionInput> | undefined
}

/**
 * Loads extensions and combines them. Files are read again each time.
 * @throws ScenarioError with the place in a file that cannot be used; ExtensionError for other invalid extensions
 */
export async function loadExtensions(
  sources: readonly ExtensionSource[],
  access: ExtensionAccess = {},
): Promise<Extensions> {
  if (sources.length === 0) return noExtensions
  const inputs = []
  const { loaded = new Map<string, ExtensionInput>() } = access
  for (const source of sources) {
    inputs.push(typeof source === 'string' ? await loadFile(source, access, loaded) : source)
  }
  return combineExtensions(inputs)
}

async function loadFile(
  name: string,
  access: ExtensionAccess,
  loaded: Map<string, ExtensionInput>,
): Promise<ExtensionInput> {
  const { shippedOnly, note = () => undefined } = access
  const ships = shippedExtensions.includes(name)
  if (shippedOnly && !ships) {
    throw scenarioError('not-found', name, `expected a shipped extension: ${shippedExtensions.join(', ')}`)
  }
  if (!ships && !/\.[cm]?[jt]s$/.test(name)) {
    const message = `expected a .ts or .js file such as ./operations.ts, or a shipped one: ${shippedExtensions.join(', ')}`
    throw scenarioError('not-found', name, message)
  }
  const path = ships ? `extensions/${name}.ts` : name
  const { url, text } = await readSource(name, access).catch((error: unknown) => {
    if (!(error instanceof FileError)) throw error
    if (error.code !== 'missing') throw scenarioError('unreadable', name, `it ${error.reason}`)
    const message = 'there is no such file; an extension is a file such as ./operations.ts, or common'
    throw scenarioError('not-found', name, message)
  })
  // A file may be named once directly and once through a link.
  const file = modulesFor(name).fs.realpathSync(url)
  const known = loaded.get(file)
  if (known) return known
  const compile = async (): Promise<unknown> => {
    const { runModule } = await import('./scenario-module.js')
    const expected = 'export default defineExtension(({ operation }) => [ … ])'
    return (await runModule({ name: path, text, url }, note, expected)).exported
  }
  const exported = ships ? await shippedExtension(name, text, compile) : await compile()
  try {
    combineExtensions([exported as ExtensionInput])
    loaded.set(file, exported as ExtensionInput)
    return exported as ExtensionInput
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error
    throw scenarioError('invalid', path, error.message)
  }
}

/** Reads a shipped extension, or a file. @throws FileError */
async function readSource(name: string, { beside, note }: ExtensionAccess) {
  const shipped = shippedExtensions.includes(name) && new URL(`${name}.ts`, shippedFolder('extensions'))
  const url = shipped || resolveFile(name, beside, note)
  return { url, text: await readText(url, name) }
}

/** What the files that a scenario names are read with. */
interface ReadingContext {
  readonly note: NoteFile
  readonly loaded: Map<string, ExtensionInput>
  readonly shippedOnly: boolean
  /** Extensions in addition to those that the scenario names. */
  readonly added: readonly ExtensionSource[]
}

/** Loads the extensions of a scenario. @throws ScenarioError */
export async function extensionsOf(
  { extend }: { readonly extend?: string | readonly string[] | undefined },
  {
    source,
    locate,
    url,
  }: { readonly source: string; readonly locate: Locate; readonly url: URL | undefined },
  { note, loaded, shippedOnly, added }: ReadingContext,
): Promise<Extensions> {
  const further = await loadExtensions(added, { note, loaded })
  const names = [extend ?? []].flat()
  const named = await loadExtensions(names, { note, loaded, beside: url, shippedOnly }).catch(
    (error: unknown) => {
      // A file that cannot be read is a problem of the line that names it.
      const isNamed = error instanceof ScenarioError && ['not-found', 'unreadable'].includes(error.code)
      if (!isNamed || shippedOnly) throw error
      const index = names.indexOf(error.source)
      const path = Array.isArray(extend) ? ['extend', index] : ['extend']
      const [problem] = error.problems
      const message = `${quoted(error.source)}: ${problem?.message}`
      throw index < 0 ? error : refusal(source, locate, [{ path, message }])
    },
  )
  return joinExtensions([further, named])
}

/** The names of the extensions that ship with the package. */
export const shippedExtensions = ['common']

/** A shipped extension as the build compiles it. */
interface CompiledExtension {
  /** The source text; if the file's text differs, the compiled form is out of date. */
  readonly text: string
  /** The same as CommonJS. */
  readonly code: string
}

const compiledFile = (name: string): URL => new URL(`prepared/${name}.extension.json`, builtFolder())

/** What a process has loaded, by text: shipped extensions have no state, so every simulator may have the same one. */
const loadedByText = once(() => new Map<string, Promise<ExtensionInput>>())

/** Returns the value of a shipped extension, which is compiled when the package is built, or else by `compile`. */
function shippedExtension(
  name: string,
  text: string,
  compile: () => Promise<unknown>,
): Promise<ExtensionInput> {
  const known = loadedByText().get(text)
  if (known) return known
  const loading = loadCompiled(name, text).then(
    async (value) => (value ?? (await compile())) as ExtensionInput,
  )
  loadedByText().set(text, loading)
  loading.catch(() => loadedByText().delete(text))
  return loading
}

async function loadCompiled(name: string, text: string): Promise<unknown> {
  const { fs } = modulesFor(name)
  const found = await fs.promises.readFile(compiledFile(name), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (found === undefined) return undefined
  const compiled: CompiledExtension = JSON.parse(found)
  if (compiled.text !== text) return undefined
  const exports: { readonly default?: unknown } = {}
  modulesFor(name).vm.compileFunction(compiled.code, ['exports', 'require'], { filename: `${name}.ts` })(
    exports,
    () => authoring,
  )
  return exports.default
}

/** Compiles the shipped extensions into the folder of the build. */
export async function prepareExtensions(read: (name: string) => Promise<string>): Promise<void> {
  const { compileModule } = await import('./scenario-module.js')
  for (const name of shippedExtensions) {
    const text = await read(name)
    const code = compileModule(`${name}.ts`, text)
    const compiled: CompiledExtension = { text, code }
    modulesFor(name).fs.writeFileSync(compiledFile(name), JSON.stringify(compiled))
  }
}
