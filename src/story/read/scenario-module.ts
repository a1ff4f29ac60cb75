import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createJiti, type JitiOptions, type TransformOptions } from 'jiti'
import { once } from '../../base/once.js'
import * as authoring from './authoring.js'
import type { NoteFile } from './files.js'
import { explainThrown, type ScenarioError, scenarioError } from './problem.js'

/** All of jiti's options: unset ones come from the environment, but scenarios must be the same everywhere. */
const options: JitiOptions = {
  // A cache would write to a folder of the user or one shared with others.
  fsCache: false,
  // Reloading a scenario must see changed files.
  moduleCache: false,
  interopDefault: false,
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
 * Runs a module, reading it and its local TypeScript imports again each time. Imports of `agent-mailbox-sim` are this package
 * wherever the file is. `expected` is the default export that messages ask for. The returned `explain` converts a value that
 * the module's code throws into an error with its place.
 * @throws ScenarioError
 */
export async function runModule(
  source: { readonly name: string; readonly text: string; readonly url: URL },
  note: NoteFile,
  expected: string,
) {
  const path = realpathSync(fileURLToPath(source.url)).replaceAll('\\', '/')
  // The names of its files in messages.
  const files = new Map([[path, source.name]])
  const add = (file: string): void => {
    const local = file.replaceAll('\\', '/')
    if (files.has(local)) return
    files.set(local, join(dirname(source.name), relative(dirname(path), local)))
    note(pathToFileURL(local))
  }
  const jiti = createJiti(path, {
    ...options,
    virtualModules: { 'agent-mailbox-sim': authoring },
    transform(given) {
      add(given.filename ?? path)
      return compile(given)
    },
  })
  const explain = (thrown: unknown, what: string): ScenarioError =>
    explainThrown(thrown, what, source.name, files)
  const kept = createRequire(import.meta.url).cache
  const before = new Set(Object.keys(kept))
  let exports: Readonly<Record<string, unknown>>
  try {
    exports = Object(await jiti.import(path))
  } catch (error) {
    throw explain(error, 'the module')
  } finally {
    // Node itself keeps the JSON that modules import.
    for (const file of Object.keys(kept).filter((file) => file.endsWith('.json') && !before.has(file))) {
      add(file)
      delete kept[file]
    }
  }
  if (Object.hasOwn(exports, 'default')) return { exported: exports['default'], explain }
  // CommonJS: the value assigned to `module.exports`.
  const isAssigned = !Object.hasOwn(exports, '__esModule') && Object.keys(exports).length > 0
  if (isAssigned) return { exported: exports, explain }
  throw scenarioError('invalid', source.name, `there is no default export; expected ${expected}`)
}

const compiler = once(() => createJiti(import.meta.url, options))

/** What this process compiled last of each module, since tests load the same one for each of their mailboxes. */
const compiledModules = once(() => new Map<string, { readonly source: string; readonly code: string }>())

/** Compiles a module unless its text is as before. */
function compile(given: TransformOptions): { readonly code: string } {
  const { filename, source, ts, async } = given
  const key = JSON.stringify([filename, ts, async])
  const known = compiledModules().get(key)
  if (known?.source === source) return known
  const compiled = { source, code: compiler().transform(given) }
  compiledModules().set(key, compiled)
  return compiled
}

/** Compiles a module without local imports to CommonJS. */
export function compileModule(filename: string, source: string): string {
  return compiler().transform({ filename, source, ts: true, interopDefault: true })
}
