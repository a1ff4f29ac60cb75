import { describe, expect, it } from 'vitest'
import {
  browserFiles,
  type Import,
  placeIn,
  type SourceFile,
  sourceFile,
  sourceFiles,
} from './source-files.js'

/** The folders of `src` in the direction of imports; those of one level do not import each other. */
const levels = [
  ['base'],
  ['contract'],
  ['mail'],
  ['service'],
  ['story'],
  ['doors'],
  ['runs'],
  ['live'],
  ['cli'],
]

/** The level of the public entry, which may import up to here and is never imported. */
const entry = { path: 'index.ts', level: levels.findIndex((folders) => folders.includes('doors')) }

/** Browser code, which imports from the rest only types, and how the contract writes numbers and names. */
const browserFolder = 'inspector'

/** The part of the rest of `src` that also runs in browsers. */
const forBrowsers = 'base/text.ts'

function levelOf(path: string): number {
  if (path === entry.path) return entry.level
  return levels.findIndex((folders) => folders.includes(folderOf(path)))
}

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/', 1)[0] as string) : ''
}

/** Returns imports in a wrong direction, and files in unknown folders. */
function wrongDirections(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const known = levelOf(file.path) >= 0 || folderOf(file.path) === browserFolder
    const unknown = known ? [] : [`${file.path} is in an unknown folder`]
    return [...unknown, ...file.imports.flatMap((found) => wrongDirection(file, found))]
  })
}

function wrongDirection({ path }: SourceFile, { place, target, kind }: Import): string[] {
  if (target === undefined || target.startsWith('..')) return []
  if (target === entry.path) return [`${place} imports the public entry`]
  if (folderOf(path) === browserFolder) {
    const inside = folderOf(target) === browserFolder || target === forBrowsers
    return inside || kind === 'type' ? [] : [`${place} imports more than types of ${target}`]
  }
  if (path !== entry.path && folderOf(path) === folderOf(target)) return []
  const down = levelOf(target) < levelOf(path) || (path === entry.path && levelOf(target) === entry.level)
  return down && levelOf(target) >= 0 ? [] : [`${place} imports ${target}, which is not below it`]
}

/** The folders that may use time, randomness and timers, and these names and Node modules. */
const reserved = {
  folders: ['service/time/', 'service/webhooks/'],
  words:
    /\b(?:Date|Temporal|Math\s*\.\s*random|crypto|performance|(?<!socket\.)(?:set|clear)(?:Timeout|Interval|Immediate))\b/g,
  modules: ['node:crypto', 'node:timers', 'node:timers/promises', 'node:perf_hooks'],
}

/** Returns uses of time, randomness and timers outside their folders. */
function wrongUses(files: readonly SourceFile[]): string[] {
  const { folders, words, modules } = reserved
  return files
    .filter(({ path }) => !folders.some((folder) => path.startsWith(folder)))
    .flatMap((file) => [
      ...[...file.code.matchAll(words)].map((match) => `${placeIn(file, match.index)} uses ${match[0]}`),
      ...file.imports
        .filter(({ specifier }) => modules.includes(specifier))
        .map(({ place, specifier }) => `${place} uses ${specifier}`),
    ])
}

/** Returns the imports of Node modules in a file and in all that it imports, also later. */
function nodeModulesReachedFrom(path: string, files: readonly SourceFile[]): string[] {
  const needed = files.map((file) => ({
    ...file,
    imports: file.imports.filter(({ kind }) => kind !== 'type'),
  }))
  const targets = new Map(
    needed.map(({ path: from, imports }) => [from, imports.flatMap(({ target }) => target ?? [])]),
  )
  const reached = new Set([path, ...reachedFrom(path, targets)])
  return needed
    .filter((file) => reached.has(file.path))
    .flatMap(({ imports }) => imports.filter(({ specifier }) => specifier.startsWith('node:')))
    .map(({ place, specifier }) => `${place} imports ${specifier}`)
}

/** Returns import cycles, including those of types, one in each line. */
function importCycles(files: readonly SourceFile[]): string[] {
  return cyclesIn(
    new Map(files.map((file) => [file.path, file.imports.flatMap(({ target }) => target ?? [])])),
  )
}

function cyclesIn(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = new Map([...targets.keys()].map((path) => [path, reachedFrom(path, targets)]))
  const cycles = [...reached].map(([path, others]) => {
    return [...others].filter((other) => reached.get(other)?.has(path)).toSorted()
  })
  return [...new Set(cycles.filter((cycle) => cycle.length > 0).map((cycle) => cycle.join(' ↔ ')))]
}

/** Returns what a file imports, directly or not; itself only in a cycle. */
function reachedFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const pending = [path]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const target of targets.get(next) ?? []) {
      if (reached.has(target)) continue
      reached.add(target)
      pending.push(target)
    }
  }
  return reached
}

const files = sourceFiles()
/** With the code of the page. */
const all = [...files, ...browserFiles()]

describe('the code of the package', () => {
  it('imports one way', () => {
    expect(wrongDirections(all)).toEqual([])
  })

  it('has no import cycles, even of types', () => {
    expect(importCycles(all)).toEqual([])
  })

  it('takes time, randomness and timers from one room only', () => {
    expect(wrongUses(files)).toEqual([])
  })

  it('imports no Node module from its public entry, not even later', () => {
    // The build replaces the one by what it reads, and leaves out the other for browsers.
    const replaced = ['story/letters/shipped.ts', 'story/read/scenario-module.ts']
    const built = files.filter(({ path }) => !replaced.includes(path))
    expect(nodeModulesReachedFrom('index.ts', built)).toEqual([])
  })
})

it('finds what is wrong in planted files', () => {
  const planted = [
    sourceFile('contract/gaps.ts', "import { World } from '../service/world/world.js'"),
    sourceFile('service/world/world.ts', "import type { Gap } from '../../contract/gaps.js'\nDate.now()"),
    sourceFile('index.ts', "export const load = () => import('./story/read/files.js')"),
    sourceFile('story/read/files.ts', "import { readFile } from 'node:fs/promises' // Date"),
    sourceFile('inspector/page.ts', "import { gaps } from '../contract/gaps.js'"),
  ]
  expect(wrongDirections(planted)).toEqual([
    'contract/gaps.ts:1 imports service/world/world.ts, which is not below it',
    'inspector/page.ts:1 imports more than types of contract/gaps.ts',
  ])
  expect(importCycles(planted)).toEqual(['contract/gaps.ts ↔ service/world/world.ts'])
  expect(wrongUses(planted)).toEqual(['service/world/world.ts:2 uses Date'])
  expect(nodeModulesReachedFrom('index.ts', planted)).toEqual([
    'story/read/files.ts:1 imports node:fs/promises',
  ])
})
