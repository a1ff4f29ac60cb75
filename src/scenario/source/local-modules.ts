import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import { ScenarioError } from '../problems/scenario-error.js'
import { fileErrorOf } from './file-error.js'
import type { NoteFile } from './files.js'

/** The module of a scenario or one that it imports from beside it; what comes from packages is none. */
export interface LocalModule {
  readonly path: string
  readonly text: string
  /** What runs, in JavaScript; its lines are those of the text. */
  readonly code: string
}

/** What modules are read with. */
export interface ModuleReading {
  readonly jiti: Jiti
  /** Modules that are there already, by what imports call them. */
  readonly provided: readonly string[]
  /** How messages name a file. */
  nameOf(path: string): string
  readonly note: NoteFile
}

/**
 * Reads a module and all it imports from beside it, in the order in which they run: each after those it needs.
 * @throws ScenarioError `syntax`, and `invalid` for an import that cannot be found
 */
export function readModules(path: string, text: string, reading: ModuleReading): Map<string, LocalModule> {
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
    throw new ScenarioError('unreadable', nameOf(path), [{ key: '', message }])
  }
}

function compile(path: string, text: string, { jiti, nameOf }: ModuleReading): string {
  const ts = /ts$/.test(path)
  const code = jiti.transform({ filename: path, source: text, ts, async: true, interopDefault: true })
  // What cannot be compiled becomes a module that says why.
  const broken = /^exports\.__JITI_ERROR__ = (\{.*\})/m.exec(code)?.[1]
  if (broken === undefined) return code
  const { line, column, message } = JSON.parse(broken) as { line: number; column: number; message: string }
  const problem = { line, column: column + 1, key: '', message: message.trim() }
  throw new ScenarioError('syntax', nameOf(path), [problem])
}

/** The local modules that a module needs before it runs; whatever else it names beside it is noted. */
function importedBy(module: LocalModule, reading: ModuleReading): string[] {
  return importsOf(module.code).flatMap(({ specifier, needed }) => {
    if (reading.provided.includes(specifier) || isBuiltin(specifier)) return []
    const url = reading.jiti.esmResolve(specifier, { parentURL: pathToFileURL(module.path), try: true })
    if (url === undefined) {
      if (specifier.startsWith('.')) reading.note(pathToFileURL(resolve(dirname(module.path), specifier)))
      if (needed) throw notFound(module, specifier, reading)
      return []
    }
    if (!url.startsWith('file:') || url.includes('/node_modules/')) return []
    const path = fileURLToPath(url).replaceAll('\\', '/')
    reading.note(pathToFileURL(path))
    return needed && /\.[cm]?[jt]s$/.test(path) ? [path] : []
  })
}

interface Imported {
  readonly specifier: string
  /** Whether it is loaded before the module runs, and not when the module asks for it. */
  readonly needed: boolean
}

function importsOf(code: string): Imported[] {
  const calls = code.matchAll(/(await )?\bjitiImport\((["'])([^"'\\]+)\2\)/g)
  return [...calls].map(([, awaited, , specifier]) => ({
    specifier: specifier as string,
    needed: awaited !== undefined,
  }))
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
  return new ScenarioError('invalid', nameOf(module.path), [{ ...place, key: '', message }])
}
