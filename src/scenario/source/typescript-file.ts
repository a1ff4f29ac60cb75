import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createJiti, type JitiOptions, type ModuleCache } from 'jiti'
import { ScenarioError } from '../problems/scenario-error.js'
import type { NoteFile } from './files.js'
import type { ScenarioSource } from './find-scenario.js'
import { type LocalModule, readModules } from './local-modules.js'
import { explainThrown } from './thrown.js'

/** The module of a scenario, once it has run. */
export interface ScenarioModule {
  /** What it exports as its default. */
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
 * Runs the module of a scenario, anew each time: what it imports from beside it is read again as well.
 * Imports of `agent-mailbox-sim` give this very package, wherever the file stands.
 * @throws ScenarioError
 */
export async function runScenarioModule(source: ScenarioSource, note: NoteFile): Promise<ScenarioModule> {
  const path = realpathSync(fileURLToPath(source.url)).replaceAll('\\', '/')
  const nameOf = (other: string): string =>
    other === path ? source.name : join(dirname(source.name), relative(dirname(path), other))
  const modules = readModules(path, source.text, {
    jiti: createJiti(path, options),
    provided: [self],
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
  const message = 'there is no default export; expected export default defineScenario({ … })'
  throw new ScenarioError('invalid', source.name, [{ key: '', message }])
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
