import { readFileSync, realpathSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createJiti, type Jiti, type JitiOptions, type ModuleCache } from 'jiti'
import { type ScenarioError, scenarioError } from '../problems/problem.js'
import { fileErrorOf, type NoteFile } from './files.js'
import type { ScenarioSource } from './find-scenario.js'
import { explainThrown } from './thrown.js'

/** A module, once it has run. */
interface RunModule {
  readonly exported: unknown
  /** What the scenario's own code threw, with its place in the scenario's files. */
  explain(thrown: unknown, what: string): ScenarioError
}

/** The name by which scenarios import this package. */
const self = 'agent-mailbox-sim'

/** What is not stated jiti takes from the environment, and a scenario is to be the same everywhere. */
const options: JitiOptions = {
  // Little is to be compiled, and a cache would write into a folder of the user's, or into one shared with others.
  fsCache: false,
  // What has changed is to be seen when a scenario is loaded again.
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
 * Runs a module, anew each time: what it imports from beside it is read again as well. Imports of `agent-mailbox-sim` give
 * this very package, wherever the file stands. `expected` is the default export that it is to have.
 * @throws ScenarioError
 */
export async function runModule(
  source: Pick<ScenarioSource, 'name' | 'text' | 'url'>,
  note: NoteFile,
  expected: string,
): Promise<RunModule> {
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
  // What CommonJS assigns to `module.exports`.
  const isAssigned = !Object.hasOwn(exports, '__esModule') && Object.keys(exports).length > 0
  if (isAssigned) return { exported: exports, explain }
  const message = `there is no default export; expected ${expected}`
  throw scenarioError('invalid', source.name, message)
}

/** JSON is the one thing that Node reads for a module and keeps where it can be forgotten. */
function forgetData(url: URL): void {
  if (url.pathname.endsWith('.json')) delete createRequire(import.meta.url).cache[fileURLToPath(url)]
}

/** Runs modules one after another, and gives what the one of that path exports. */
async function run(
  path: string,
  modules: ReadonlyMap<string, LocalModule>,
): Promise<Readonly<Record<string, unknown>>> {
  const compiler = createJiti(path, options)
  const jiti = createJiti(path, {
    ...options,
    virtualModules: { [self]: await import('agent-mailbox-sim') },
    transform: (wanted) => ({ code: modules.get(wanted.filename ?? '')?.code ?? compiler.transform(wanted) }),
  })
  // Whatever imports a module finds it here. Left to jiti, Node would run some of them, and only once.
  const cache: ModuleCache = {}
  for (const { path: filename, text } of modules.values()) {
    if (filename in cache) continue
    const module = { id: filename, filename, ext: extname(filename), cache }
    try {
      await jiti.evalModule(text, { ...module, async: true, forceTranspile: true })
    } catch (error) {
      // What jiti gives for a module may fail where the module itself did not, as with `export default null`.
      if (!cache[filename]?.loaded) throw error
    }
  }
  return cache[path]?.exports
}

/** The module of a scenario or one that it imports from beside it; what comes from packages is none. */
interface LocalModule {
  readonly path: string
  readonly text: string
  /** What runs, in JavaScript; its lines are those of the text. */
  readonly code: string
}

interface ModuleReading {
  readonly jiti: Jiti
  /** How messages name a file. */
  nameOf(path: string): string
  readonly note: NoteFile
}

/**
 * Reads a module and all it imports from beside it, in the order in which they run: each after those it needs.
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
  // What cannot be compiled becomes a module that says why.
  const broken = /^exports\.__JITI_ERROR__ = (\{.*\})/m.exec(code)?.[1]
  if (broken === undefined) return code
  const { line, column, message } = JSON.parse(broken) as { line: number; column: number; message: string }
  throw scenarioError('syntax', nameOf(path), message.trim(), { line, column: column + 1 })
}

/** The local modules that a module needs before it runs; whatever else it names beside it is noted. */
function importedBy(module: LocalModule, reading: ModuleReading): string[] {
  const calls = module.code.matchAll(/(await )?\bjitiImport\((["'])([^"'\\]+)\2\)/g)
  return [...calls].flatMap(([, awaited, , specifier = '']) => {
    // Others are loaded when the module asks for them.
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
