import { readFileSync, realpathSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createJiti, type Jiti, type JitiOptions, type ModuleCache, type TransformOptions } from 'jiti'
import { once } from '../../base/once.js'
import { type ScenarioError, scenarioError } from '../problems/problem.js'
import type { NoteFile } from '../source/files.js'
import type { ScenarioSource } from '../source/find-scenario.js'
import * as authoring from './authoring.js'
import { explainThrown } from './explain-thrown.js'

/** The name under which scenarios import this package. */
const self = 'agent-mailbox-sim'

/** All of jiti's options: unset ones come from the environment, but scenarios must be the same everywhere. */
const options: JitiOptions = {
  // A cache would write to a folder of the user or one shared with others.
  fsCache: false,
  // Reloading a scenario must see changed files.
  moduleCache: false,
  interopDefault: true,
  tryNative: false,
  esmEvalTempFile: false,
  sourceMaps: false,
  tsconfigPaths: false,
  jsx: false,
  alias: {},
  nativeModules: [],
  transformModules: [],
}

/**
 * Runs a module, reading it and its local imports again each time. Imports of `agent-mailbox-sim` resolve to this
 * package wherever the file is. `expected` is the default export that messages ask for. The returned `explain` converts a
 * value that the module's code throws into an error with its place.
 * @throws ScenarioError
 */
export async function runModule(
  source: Pick<ScenarioSource, 'name' | 'text' | 'url'>,
  note: NoteFile,
  expected: string,
) {
  const path = realpathSync(fileURLToPath(source.url)).replaceAll('\\', '/')
  const nameOf = (other: string): string =>
    other === path ? source.name : join(dirname(source.name), relative(dirname(path), other))
  const jiti = createJiti(path, { ...options, transform: compile, virtualModules: { [self]: authoring } })
  const modules = readModules(path, source.text, {
    jiti,
    note(url) {
      forgetData(url)
      note(url)
    },
  })
  const explain = (thrown: unknown, what: string): ScenarioError =>
    explainThrown(thrown, what, source.name, { paths: modules.keys(), nameOf })
  const exports = await run(jiti, path, modules).catch((error: unknown) => {
    throw explain(error, 'the module')
  })
  if (Object.hasOwn(exports, 'default')) return { exported: exports['default'], explain }
  // CommonJS: the value assigned to `module.exports`.
  const isAssigned = !Object.hasOwn(exports, '__esModule') && Object.keys(exports).length > 0
  if (isAssigned) return { exported: exports, explain }
  const message = `there is no default export; expected ${expected}`
  throw scenarioError('invalid', source.name, message)
}

interface Compiled {
  readonly source: string
  readonly code: string
  readonly imports: readonly Imported[]
}

/** What this process compiled last of each module, since tests load the same one for each of their mailboxes. */
const compiledModules = once(() => new Map<string, Compiled>())

const compiler = once(() => createJiti(import.meta.url, options))

/** Compiles a module unless its text is as before, and finds what it imports. */
function compile(given: TransformOptions): Compiled {
  const { filename, source, ts, async } = given
  const key = JSON.stringify([filename, ts, async])
  const known = compiledModules().get(key)
  if (known?.source === source) return known
  const imports: Imported[] = []
  const babel = { ...given.babel, plugins: [importsPlugin(imports)] }
  const compiled = { source, code: compiler().transform({ ...given, babel }), imports }
  compiledModules().set(key, compiled)
  return compiled
}

/** Compiles a module without local imports to CommonJS. */
export function compileModule(filename: string, source: string): string {
  return createJiti(import.meta.url, options).transform({ filename, source, ts: true, interopDefault: true })
}

/** Removes a JSON file from Node's cache: Node itself reads the JSON that modules import. */
function forgetData(url: URL): void {
  if (url.pathname.endsWith('.json')) delete createRequire(import.meta.url).cache[fileURLToPath(url)]
}

/** Runs modules one after another, and returns the exports of the one at a path. */
async function run(
  jiti: Jiti,
  path: string,
  modules: ReadonlyMap<string, string>,
): Promise<Readonly<Record<string, unknown>>> {
  // Imports are resolved from this cache. Otherwise, jiti would let Node run some modules, and only once.
  const cache: ModuleCache = {}
  for (const [filename, text] of modules) {
    if (filename in cache) continue
    const module = { id: filename, filename, ext: extname(filename), cache }
    try {
      await jiti.evalModule(text, { ...module, async: true, forceTranspile: true })
    } catch (error) {
      // jiti may fail to wrap the exports of a module that ran, as with `export default null`.
      if (!cache[filename]?.loaded) throw error
    }
  }
  return cache[path]?.exports
}

interface ModuleReading {
  readonly jiti: Jiti
  readonly note: NoteFile
}

/** Reads a module and its local imports, in the order in which they run: each after those it needs. */
function readModules(path: string, text: string, reading: ModuleReading): Map<string, string> {
  const begun = new Set<string>()
  const modules = new Map<string, string>()
  const visit = (at: string, source: string): void => {
    begun.add(at)
    const { imports } = compile({ filename: at, source, ts: /ts$/.test(at), async: true })
    for (const target of imports.flatMap((one) => localImport(one, at, reading))) {
      if (begun.has(target)) continue
      try {
        visit(target, readFileSync(target, 'utf8'))
      } catch {
        // The module throws when it requests what cannot be read.
      }
    }
    modules.set(at, source)
  }
  visit(path, text)
  return modules
}

interface Imported {
  readonly specifier: string
  /** Whether the module needs it before it runs; dynamic imports are loaded when they are requested. */
  readonly isNeeded: boolean
}

/** Returns a plugin of the compiler that adds what a module imports to a list. */
function importsPlugin(imports: Imported[]): () => object {
  const add = (from: Source, isNeeded: boolean): void => {
    if (typeof from?.value === 'string') imports.push({ specifier: from.value, isNeeded })
  }
  const declaration = ({ node }: { node: { source?: Source; importKind?: string } }): void => {
    if (node.importKind !== 'type') add(node.source, true)
  }
  const visitor = {
    ImportDeclaration: declaration,
    ExportNamedDeclaration: declaration,
    ExportAllDeclaration: declaration,
    CallExpression({ node }: { node: { callee: { type: string }; arguments: Source[] } }): void {
      if (node.callee.type === 'Import') add(node.arguments[0], false)
    },
  }
  // From the start of the program, before other plugins rewrite it.
  const Program = (program: { traverse(visitor: object): void }): void => program.traverse(visitor)
  return () => ({ visitor: { Program } })
}

/** The source of an import in the compiler's tree: a text, or for a dynamic import any expression. */
type Source = { readonly value?: unknown } | null | undefined

/** Returns the path of a local module that has to run before another one; notes every local import. */
function localImport(
  { specifier, isNeeded }: Imported,
  from: string,
  { jiti, note }: ModuleReading,
): string[] {
  if (specifier === self || isBuiltin(specifier)) return []
  const url = jiti.esmResolve(specifier, { parentURL: pathToFileURL(from), try: true })
  // The module throws when it requests what is missing.
  if (url === undefined && specifier.startsWith('.')) note(pathToFileURL(resolve(dirname(from), specifier)))
  if (!url?.startsWith('file:') || url.includes('/node_modules/')) return []
  const path = fileURLToPath(url).replaceAll('\\', '/')
  note(pathToFileURL(path))
  return isNeeded && /\.[cm]?[jt]s$/.test(path) ? [path] : []
}
