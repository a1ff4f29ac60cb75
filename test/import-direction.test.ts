import { describe, expect, it } from 'vitest'
import { importCycles, nodeModulesReachedFrom, wrongDirections, wrongUses } from './source-code/boundaries.js'
import { browserFiles, sourceFile, sourceFiles } from './source-code/source-files.js'

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

  it('imports one built file into the entry for Vitest, which is not bundled', () => {
    const { imports = [] } = files.find(({ path }) => path === 'doors/interceptor/vitest.ts') ?? {}
    const loaded = imports.filter(({ kind }) => kind !== 'type').map(({ specifier }) => specifier)
    expect(loaded).toEqual(['vitest', './interception.js'])
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

  it('imports only existing files', () => {
    const paths = new Set(files.map(({ path }) => path))
    const targets = files
      .flatMap(({ imports }) => imports)
      .flatMap(({ target, place }) => (target ? [[place, target]] : []))
    expect(targets.filter(([, target]) => !paths.has(target as string))).toEqual([])
    expect(targets.length).toBeGreaterThan(100)
  })
})

describe('the search', () => {
  const faultsIn = (search: (files: ReturnType<typeof sourceFile>[]) => string[]) => {
    return ([path, text]: readonly [string, string]) => search([sourceFile(path, text)]).length
  }

  it('finds imports that go the wrong way', () => {
    const wrong = [
      ['contract/gaps.ts', "import { World } from '../service/world/world.js'"],
      ['mail/address.ts', "import type { World } from '../service/world/world.js'"],
      ['service/operations/request.ts', "export { loadScenario } from '../../story/load.js'"],
      ['story/load.ts', "import {\n  createSimulator,\n} from '../doors/simulator/simulator.js'"],
      ['doors/simulator/mail.ts', "const { play } = await import('../../runs/play.js')"],
      ['runs/play.ts', "import '../live/calibrate/calibrate.js'"],
      ['index.ts', "export * from './runs/play.js'"],
      ['service/time/time.ts', "import { createSimulator } from '../../index.js'"],
      ['inspector/page.ts', "import { gaps } from '../contract/gaps.js'"],
      ['helpers/x.ts', ''],
      ['service/time/time.ts', "import { x } from '../../helpers/x.js'"],
    ] as const
    const right = [
      ['service/world/commands/mail.ts', "import { parseInstant } from '../time.js'"],
      [
        'cli/main.ts',
        "import { startServer } from '../doors/server/start-server.js'\nimport { x } from './x.js'",
      ],
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
    const byName = [
      sourceFile('index.ts', "export { load } from './story/load.js'"),
      sourceFile('story/load.ts', "const all = () => import('agent-mailbox-sim')"),
    ]
    expect(importCycles(byName)).toEqual(['index.ts ↔ story/load.ts'])
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
