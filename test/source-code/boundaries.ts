import { type Import, placeIn, type SourceFile } from './source-files.js'

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
export function wrongDirections(files: readonly SourceFile[]): string[] {
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

/** Names and Node modules that only some folders may use. */
const reserved = [
  {
    folders: ['service/time/', 'service/webhooks/'],
    words:
      /\b(?:Date|Temporal|Math\s*\.\s*random|crypto|performance|(?<!socket\.)(?:set|clear)(?:Timeout|Interval|Immediate))\b/g,
    modules: ['node:crypto', 'node:timers', 'node:timers/promises', 'node:perf_hooks'],
  },
  { folders: ['cli/'], words: /\bprocess\s*\.\s*exit\b/g, modules: [] },
]

/** Returns uses of time, randomness and process.exit outside their folders. */
export function wrongUses(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    reserved
      .filter(({ folders }) => !folders.some((folder) => file.path.startsWith(folder)))
      .flatMap(({ words, modules }) => [
        ...[...file.code.matchAll(words)].map((match) => `${placeIn(file, match.index)} uses ${match[0]}`),
        ...file.imports
          .filter(({ specifier }) => modules.includes(specifier))
          .map(({ place, specifier }) => `${place} uses ${specifier}`),
      ]),
  )
}

/** Returns the imports of Node modules in a file and in all that it imports, also later. */
export function nodeModulesReachedFrom(path: string, files: readonly SourceFile[]): string[] {
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
export function importCycles(files: readonly SourceFile[]): string[] {
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
