import { type Import, packageOf, placeIn, type SourceFile } from './source-files.js'

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

/** The floors that are one room, with one door. */
const wholeFloors = ['base', 'contract', 'mail', 'cli', browserFolder]

/** Files that are doors of their own: only their users load MSW and the Model Context Protocol. */
const furtherDoors = ['service/requests/request-handler.ts', 'doors/mcp/stdio.ts']

/** The part of the rest of `src` that also runs in browsers. */
const forBrowsers = 'base/text.ts'

/** Imported for its effect, before anything else. */
const firstOfAll = 'base/platform.ts'

/** Returns the room of a file: a folder of a floor; the floor itself for its own files, and for those of a floor that is one room. */
function roomOf(path: string): string {
  const [floor = '', ...rest] = path.split('/')
  return rest.length < 2 || wholeFloors.includes(floor) ? folderOf(path) : `${floor}/${rest[0]}`
}

interface Owner {
  /** The folder or file that imports the package. */
  readonly path: string
  /** Folders that may import its types besides. */
  readonly typesIn?: readonly string[]
}

/** The owners of outside packages; an entry point may have another owner. */
export const owners: Readonly<Record<string, Owner>> = {
  zod: { path: 'base/schema.ts' },
  leven: { path: 'base/' },
  'html-to-text': { path: 'mail/' },
  '@mswjs/data': { path: 'service/model/' },
  'csv-parse': { path: 'story/attacks/' },
  yaml: { path: 'story/' },
  '@faker-js/faker': { path: 'story/' },
  jiti: { path: 'story/' },
  msw: { path: 'service/requests/', typesIn: ['doors/'] },
  'msw/node': { path: 'doors/interceptor/' },
  vitest: { path: 'doors/interceptor/' },
  standardwebhooks: { path: 'service/webhooks/' },
  '@modelcontextprotocol/server': { path: 'doors/mcp/' },
  'eventsource-parser': { path: 'doors/mcp/' },
  undici: { path: 'doors/server/' },
  express: { path: 'doors/server/' },
  '@mswjs/http-middleware': { path: 'doors/server/' },
  'fast-check': { path: 'runs/fuzz/' },
  'fast-xml-builder': { path: 'runs/reports/' },
  commander: { path: 'cli/' },
  'classic-level': { path: 'doors/state/' },
  re2js: { path: 'story/expectations/' },
  redis: { path: 'doors/state/' },
}

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

/** Returns imports from another room that do not go through its door, and those of a door that is missing. */
export function deepImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => file.imports.flatMap((found) => deepImport(file, found)))
}

function deepImport({ path }: SourceFile, { place, target, kind, names }: Import): string[] {
  if (target === undefined || target === entry.path || roomOf(target) === roomOf(path)) return []
  if (target === `${roomOf(target)}/index.ts` || furtherDoors.includes(target)) return []
  if (target === firstOfAll && names?.length === 0) return []
  if (target === forBrowsers && folderOf(path) === browserFolder) return []
  // A part of the same floor that is loaded later may be any file.
  if (kind === 'dynamic' && folderOf(target) === folderOf(path)) return []
  return [`${place} imports ${target}, past the door ${roomOf(target)}/index.ts`]
}

/** Returns the places where all names of a file are passed on, so that nobody sees which. */
export function unnamedExports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ imports }) =>
    imports.filter(({ passesAll }) => passesAll).map(({ place }) => place),
  )
}

/** Returns import cycles of rooms, one in each line. */
export function roomCycles(files: readonly SourceFile[]): string[] {
  const targets = new Map<string, string[]>()
  for (const { path, imports } of files) {
    const others = imports.flatMap(({ target }) => (target === undefined ? [] : roomOf(target)))
    const room = roomOf(path)
    targets.set(room, [...(targets.get(room) ?? []), ...others.filter((other) => other !== room)])
  }
  return cyclesIn(targets)
}

/** Returns imports of outside packages by others than their owners, and of packages without an owner. */
export function wrongOwners(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter(({ target, specifier }) => target === undefined && !specifier.startsWith('node:'))
      .flatMap((found) => wrongOwner(file, found)),
  )
}

function wrongOwner({ path }: SourceFile, { place, specifier, kind }: Import): string[] {
  const owner = owners[specifier] ?? owners[packageOf(specifier)]
  if (!owner) return [`${place} imports ${specifier}, which has no owner`]
  const allowed = [owner.path, ...(kind === 'type' ? (owner.typesIn ?? []) : [])]
  if (allowed.some((start) => path.startsWith(start))) return []
  return [`${place} imports ${specifier}, which belongs to ${owner.path}`]
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

/**
 * Returns the imports of Node modules in a file and in all that it imports, also later. As a bundler does, it follows only the
 * names that are imported through a door.
 */
export function nodeModulesReachedFrom(path: string, files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const seen = new Set<string>()
  const found: string[] = []
  const visit = (at: string, wanted: readonly string[] | undefined): void => {
    const isDoor = at === `${roomOf(at)}/index.ts`
    const imports = byPath.get(at)?.imports.filter(({ kind }) => kind !== 'type') ?? []
    for (const [index, { target, specifier, place, names }] of imports.entries()) {
      const passed = isDoor && wanted ? names?.filter((name) => wanted.includes(name)) : names
      if (isDoor && wanted && passed?.length === 0) continue
      const id = `${at} ${index} ${passed}`
      if (seen.has(id)) continue
      seen.add(id)
      if (target !== undefined) visit(target, passed)
      else if (specifier.startsWith('node:')) found.push(`${place} imports ${specifier}`)
    }
  }
  visit(path, undefined)
  return found
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

/** Returns what a file or a room imports, directly or not; itself only in a cycle. */
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
