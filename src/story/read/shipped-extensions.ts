import { once } from '../../base/once.js'
import { builtFolder } from '../../base/package.js'
import type { ExtensionInput } from '../../contract/extensions.js'
import * as authoring from './authoring.js'
import { modulesFor } from './files.js'

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
export function shippedExtension(
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
