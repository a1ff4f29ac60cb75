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
  const { shippedOnly, beside, note = () => undefined } = access
  const unreadable = (error: unknown): never => {
    if (!(error instanceof FileError)) throw error
    if (error.code !== 'missing') throw scenarioError('unreadable', name, `it ${error.reason}`)
    const message = 'there is no such file; an extension is a file such as ./operations.ts, or common'
    throw scenarioError('not-found', name, message)
  }
  if (name === shippedExtension) return loadShipped().catch(unreadable)
  if (shippedOnly) {
    throw scenarioError('not-found', name, `expected a shipped extension: ${shippedExtension}`)
  }
  if (!/\.[cm]?[jt]s$/.test(name)) {
    const message = `expected a .ts or .js file such as ./operations.ts, or a shipped one: ${shippedExtension}`
    throw scenarioError('not-found', name, message)
  }
  const read = async () => {
    const url = resolveFile(name, beside, note)
    return { url, text: await readText(url, name) }
  }
  const { url, text } = await read().catch(unreadable)
  // A file may be named once directly and once through a link.
  const file = modulesFor(name).fs.realpathSync(url)
  const known = loaded.get(file)
  if (known) return known
  const exported = await runExtension({ name, text, url }, note)
  try {
    combineExtensions([exported])
    loaded.set(file, exported)
    return exported
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error
    throw scenarioError('invalid', name, error.message)
  }
}

async function runExtension(
  source: { readonly name: string; readonly text: string; readonly url: URL },
  note: NoteFile,
): Promise<ExtensionInput> {
  const { runModule } = await import('./scenario-module.js')
  const expected = 'export default defineExtension(({ operation }) => [ … ])'
  return (await runModule(source, note, expected)).exported as ExtensionInput
}

/** Loads the extensions of a scenario, and those that are `added` to them. @throws ScenarioError */
export async function extensionsOf(
  { extend }: { readonly extend?: string | readonly string[] | undefined },
  {
    source,
    locate,
    url,
  }: { readonly source: string; readonly locate: Locate; readonly url: URL | undefined },
  { note, shippedOnly, added }: ExtensionAccess & { readonly added: readonly ExtensionSource[] },
): Promise<Extensions> {
  const loaded = new Map<string, ExtensionInput>()
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

/** The name of the extension that ships with the package. */
export const shippedExtension = 'common'

/** The same as CommonJS, in the folder of the build. */
const compiledFile = (): URL => new URL(`prepared/${shippedExtension}.extension.txt`, builtFolder())

async function readShipped() {
  const url = new URL(`${shippedExtension}.ts`, shippedFolder('extensions'))
  return { name: `extensions/${shippedExtension}.ts`, url, text: await readText(url, shippedExtension) }
}

/** Loads the shipped extension. @throws FileError where there are no files */
async function loadShipped(): Promise<ExtensionInput> {
  modulesFor(shippedExtension)
  return runShipped()
}

/** Runs the shipped extension, once in a process: it has no state, so every simulator may have the same one. */
const runShipped = once(async (): Promise<ExtensionInput> => {
  const { fs, vm } = modulesFor(shippedExtension)
  const code = await fs.promises.readFile(compiledFile(), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  // There is no build when the sources are run directly.
  if (code === undefined) return runExtension(await readShipped(), () => undefined)
  const exports: { readonly default?: ExtensionInput } = {}
  const run = vm.compileFunction(code, ['exports', 'require'], { filename: `${shippedExtension}.ts` })
  run(exports, () => authoring)
  return exports.default as ExtensionInput
})

/** Compiles the shipped extension into the folder of the build. */
export async function prepareExtension(): Promise<void> {
  const { compileModule } = await import('./scenario-module.js')
  const { name, text } = await readShipped()
  modulesFor(name).fs.writeFileSync(compiledFile(), compileModule(name, text))
}
