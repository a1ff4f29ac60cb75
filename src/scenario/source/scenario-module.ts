import { readFileSync, realpathSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createJiti, type Jiti, type JitiOptions, type ModuleCache } from 'jiti'
import { explainThrown, type ScenarioError, scenarioError } from '../problems/problem.js'
import { fileErrorOf, type NoteFile } from './files.js'
import type { ScenarioSource } from './find-scenario.js'

/** The name under which scenarios import this package. */
const self = 'agent-mailbox-sim'

/** All of jiti's options: unset ones come from the environment, but scenarios must be the same everywhere. */
const options: JitiOptions = {
  // There is little to compile, and a cache would write to a folder of the user or one shared with others.
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
  const modules = readModules(path, source.text, {
    jiti: createJiti(path, options),
    nameOf,
    note(url) {
      forgetData(url)
      note(url)
    },
  })
  const explain = (thrown: unknown, what: string): ScenarioError =>
    explainThrown(thrown, what, source.name, { paths: modules.keys(), nameOf })
  const exports = await run(path, modules).catch((error: unknown) => {
    throw explain(error, 'the module')
  })
  if (Object.hasOwn(exports, 'default')) return { exported: exports['default'], explain }
  // CommonJS: the value assigned to `module.exports`.
  const isAssigned = !Object.hasOwn(exports, '__esModule') && Object.keys(exports).length > 0
  if (isAssigned) return { exported: exports, explain }
  const message = `there is no default export; expected ${expected}`
  throw scenarioError('invalid', source.name, message)
}

/** Removes a JSON file from Node's cache: Node itself reads the JSON that modules import. */
function forgetData(url: URL): void {
  if (url.pathname.endsWith('.json')) delete createRequire(import.meta.url).cache[fileURLToPath(url)]
}

/** Runs modules one after another, and returns the exports of the one at a path. */
async function run(
  path: string,
  modules: ReadonlyMap<string, LocalModule>,
): Promise<Readonly<Record<string, unknown>>> {
  const compiler = createJiti(path, options)
  const jiti = createJiti(path, {
    ...options,
    virtualModules: { [self]: await import('agent-mailbox-sim') },
    transform: (input) => ({ code: modules.get(input.filename ?? '')?.code ?? compiler.transform(input) }),
  })
  // Imports are answered from this cache. Otherwise jiti would let Node run some modules, and only once.
  const cache: ModuleCache = {}
  for (const { path: filename, text } of modules.values()) {
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

/** A scenario's module or one of its local imports; modules of packages are not included. */
interface LocalModule {
  readonly path: string
  readonly text: string
  /** The compiled JavaScript, with the same lines as the text. */
  readonly code: string
}

interface ModuleReading {
  readonly jiti: Jiti
  /** Returns the name of a file in messages. */
  nameOf(path: string): string
  readonly note: NoteFile
}

/**
 * Reads a module and its local imports, in the order in which they run: each after those it needs.
 * @throws ScenarioError `syntax`, and `invalid` for an import that cannot be found
 */
function readModules(path: string, text: string, reading: ModuleReading): Map<string, LocalModule> {
  const begun = new Set<string>()
  const modules = new Map<string, LocalModule>()
  const visit = (at: string, source: string): void => {
    begun.add(at)
    const module = { path: at, text: source, code: compile(at, source, reading) }
    for (const target of importedBy(module, reading)) {
      if (!begun.has(target)) visit(target, textOf(target, reading))
    }
    modules.set(at, module)
  }
  visit(path, text)
  return modules
}

function textOf(path: string, { nameOf }: ModuleReading): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const message = `it ${fileErrorOf(error, path, 'file').reason}`
    throw scenarioError('unreadable', nameOf(path), message)
  }
}

function compile(path: string, text: string, { jiti, nameOf }: ModuleReading): string {
  const ts = /ts$/.test(path)
  const code = jiti.transform({ filename: path, source: text, ts, async: true, interopDefault: true })
  // jiti compiles a module with a syntax error to one that holds the error.
  const broken = /^exports\.__JITI_ERROR__ = (\{.*\})/m.exec(code)?.[1]
  if (broken === undefined) return code
  const { line, column, message } = JSON.parse(broken) as { line: number; column: number; message: string }
  throw scenarioError('syntax', nameOf(path), message.trim(), { line, column: column + 1 })
}

/** Returns the local modules that a module needs before it runs; notes its other local imports. */
function importedBy(module: LocalModule, reading: ModuleReading): string[] {
  const calls = module.code.matchAll(/(await )?\bjitiImport\((["'])([^"'\\]+)\2\)/g)
  return [...calls].flatMap(([, awaited, , specifier = '']) => {
    // Dynamic imports are loaded when the module requests them.
    const isNeeded = awaited !== undefined
    if (specifier === self || isBuiltin(specifier)) return []
    const url = reading.jiti.esmResolve(specifier, { parentURL: pathToFileURL(module.path), try: true })
    if (url === undefined) {
      if (specifier.startsWith('.')) reading.note(pathToFileURL(resolve(dirname(module.path), specifier)))
      if (isNeeded) throw notFound(module, specifier, reading)
      return []
    }
    if (!url.startsWith('file:') || url.includes('/node_modules/')) return []
    const path = fileURLToPath(url).replaceAll('\\', '/')
    reading.note(pathToFileURL(path))
    return isNeeded && /\.[cm]?[jt]s$/.test(path) ? [path] : []
  })
}

function notFound(module: LocalModule, specifier: string, { nameOf }: ModuleReading): ScenarioError {
  const lines = module.text.split('\n')
  const line = lines.findIndex((text) => text.includes(`'${specifier}'`) || text.includes(`"${specifier}"`))
  const column = lines[line]?.indexOf(specifier)
  const isFile = /^[./]/.test(specifier)
  const message = isFile
    ? `there is no module "${specifier}"`
    : `there is no package "${specifier}"; it has to be installed where this file finds it`
  const place = column === undefined ? {} : { line: line + 1, column }
  return scenarioError('invalid', nameOf(module.path), message, place)
}
