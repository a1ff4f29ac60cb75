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
function wrongUses(files: readonly SourceFile[]): string[] {
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

  it('takes time, randomness and timers from one room only, and ends the process in the CLI only', () => {
    expect(wrongUses(files)).toEqual([])
  })

  it('imports no Node module from its public entry, not even later', () => {
    // The build replaces the one by what it reads, and leaves out the other for browsers.
    const replaced = ['story/letters/shipped.ts', 'story/read/scenario-module.ts']
    const built = files.filter(({ path }) => !replaced.includes(path))
    expect(nodeModulesReachedFrom('index.ts', built)).toEqual([])
  })
})

describe('the search', () => {
  const faultsIn = (search: (files: ReturnType<typeof sourceFile>[]) => string[]) => {
    return ([path, text]: readonly [string, string]) => search([sourceFile(path, text)]).length
  }

  it('finds imports that go the wrong way', () => {
    const wrong = [
      ['contract/gaps.ts', "import { World } from '../service/world/world.js'"],
      ['service/operations/request.ts', "export { loadScenario } from '../../story/load.js'"],
      ['story/load.ts', "import {\n  createSimulator,\n} from '../doors/simulator/simulator.js'"],
      ['doors/simulator/mail.ts', "const { play } = await import('../../runs/play.js')"],
      ['index.ts', "export * from './runs/play.js'"],
      ['service/time/time.ts', "import { createSimulator } from '../../index.js'"],
      ['inspector/page.ts', "import { gaps } from '../contract/gaps.js'"],
      ['helpers/x.ts', ''],
    ] as const
    const right = [
      ['service/world/commands/mail.ts', "import { parseInstant } from '../time.js'"],
      ['index.ts', "export { createSimulator } from './doors/simulator/simulator.js'"],
      ['inspector/page.ts', "import type { Exchange } from '../service/world/world.js'"],
      ['inspector/page.ts', "import { counted } from '../base/text.js'"],
      ['contract/gaps.ts', "// import { World } from '../service/world/world.js'"],
    ] as const
    expect(wrong.map(faultsIn(wrongDirections))).toEqual(wrong.map(() => 1))
    expect(right.map(faultsIn(wrongDirections))).toEqual(right.map(() => 0))
  })

  it('finds import cycles, including those of types and through other files', () => {
    const planted = [
      sourceFile('world/a.ts', "import type { B } from './b.js'"),
      sourceFile('world/b.ts', "export { c } from './c.js'"),
      sourceFile('world/c.ts', "import './a.js'\nimport './d.js'"),
      sourceFile('world/d.ts', "import './e.js'"),
      sourceFile('world/e.ts', ''),
    ]
    expect(importCycles(planted)).toEqual(['world/a.ts ↔ world/b.ts ↔ world/c.ts'])
    expect(importCycles(planted.slice(1))).toEqual([])
  })

  it('finds time, randomness and ends of the process', () => {
    const wrong = [
      ['handlers/x.ts', 'const now = Date.now()'],
      ['mail/x.ts', 'const seed = Math.random()'],
      ['scenario/x.ts', 'const id = crypto.randomUUID()'],
      ['handlers/x.ts', 'const started = globalThis.performance.now()'],
      ['server/x.ts', 'setTimeout(() => {}, 5)'],
      ['server/x.ts', "import { randomUUID } from 'node:crypto'"],
      ['server/x.ts', 'process.exit(1)'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source, with a template in it.
      ['handlers/x.ts', 'const text = `at ${Date.now()}`'],
    ] as const
    const right = [
      ['service/time/clock.ts', 'setTimeout(() => Date.now() + performance.now(), Math.random())'],
      ['cli/main.ts', 'process.exit(2)'],
      ['server/x.ts', 'process.exitCode = 1'],
      ['handlers/x.ts', "const name = 'Date'; /* Date.now() */ // Math.random()"],
      ['handlers/x.ts', 'const mailDate = formatMailDate(at); const pattern = /Date: [/"] crypto/'],
    ] as const
    expect(wrong.map(faultsIn(wrongUses))).toEqual(wrong.map(() => 1))
    expect(right.map(faultsIn(wrongUses))).toEqual(right.map(() => 0))
  })

  it('follows imports to Node modules', () => {
    const later = "const b = () => import('../world/b.js')\nimport type { Server } from 'node:http'"
    const planted = [
      sourceFile('index.ts', "export { a } from './simulator/a.js'\nexport type { T } from './server/t.js'"),
      sourceFile('simulator/a.ts', `import { c } from '../world/c.js'\n${later}`),
      sourceFile('world/c.ts', "const files = () => import('node:fs/promises')"),
      sourceFile('world/b.ts', "import { readFileSync } from 'node:fs'"),
      sourceFile('server/t.ts', "import { createServer } from 'node:http'"),
    ]
    expect(nodeModulesReachedFrom('index.ts', planted)).toEqual([
      'world/c.ts:1 imports node:fs/promises',
      'world/b.ts:1 imports node:fs',
    ])
    expect(nodeModulesReachedFrom('server/t.ts', planted)).toEqual(['server/t.ts:1 imports node:http'])
  })
})
