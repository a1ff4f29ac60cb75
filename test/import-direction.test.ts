import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  deepImports,
  importCycles,
  nodeModulesReachedFrom,
  owners,
  roomCycles,
  unnamedExports,
  wrongDirections,
  wrongOwners,
  wrongUses,
} from './source-code/boundaries.js'
import { browserFiles, packageOf, sourceFile, sourceFiles } from './source-code/source-files.js'

const files = sourceFiles()
/** With the code of the page. */
const all = [...files, ...browserFiles()]
const declaration =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|function\*?|class|interface|type|enum|let) (\w+)/gm

describe('the code of the package', () => {
  it('imports one way', () => {
    expect(wrongDirections(all)).toEqual([])
  })

  it('has no import cycles, even of types', () => {
    expect(importCycles(all)).toEqual([])
  })

  it('imports other rooms through their doors, which name what they offer', () => {
    expect(deepImports(all)).toEqual([])
    expect(unnamedExports(all)).toEqual([])
  })

  it('has no rooms that need each other', () => {
    expect(roomCycles(files)).toEqual([])
  })

  it('imports one built file into the entry for Vitest, which is not bundled', () => {
    const { imports = [] } = files.find(({ path }) => path === 'doors/interceptor/vitest.ts') ?? {}
    const loaded = imports.filter(({ kind }) => kind !== 'type').map(({ specifier }) => specifier)
    expect(loaded).toEqual(['vitest', './vitest/index.js'])
  })

  it('imports each outside package in one folder', () => {
    expect(wrongOwners(files)).toEqual([])
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

  it('has no file of more than 400 lines', () => {
    const long = all.filter(({ text }) => text.split('\n').length > 401)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  it('has one meaning for each exported name', () => {
    const places = new Map<string, Set<string>>()
    for (const { path, code } of all) {
      for (const [, name = ''] of code.matchAll(declaration)) {
        places.set(name, new Set([...(places.get(name) ?? []), path]))
      }
    }
    expect(places.size).toBeGreaterThan(1000)
    const several = [...places].filter(([, paths]) => paths.size > 1)
    expect(several.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([])
  })

  it('imports only existing files', () => {
    const paths = new Set(files.map(({ path }) => path))
    const targets = files
      .flatMap(({ imports }) => imports)
      .flatMap(({ target, place }) => (target ? [[place, target]] : []))
    expect(targets.filter(([, target]) => !paths.has(target as string))).toEqual([])
    expect(targets.length).toBeGreaterThan(100)
  })

  it('has an owner for every dependency and uses all of them', () => {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> }
    const used = new Set(files.flatMap(({ imports }) => imports).map(({ specifier }) => packageOf(specifier)))
    for (const name of Object.keys(dependencies)) {
      expect(Object.keys(owners)).toContain(name)
      expect(used).toContain(name)
    }
  })
})

describe('the search', () => {
  const faultsIn = (search: (files: ReturnType<typeof sourceFile>[]) => string[]) => {
    return ([path, text]: readonly [string, string]) => search([sourceFile(path, text)]).length
  }

  it('finds imports that go the wrong way', () => {
    const wrong = [
      ['contract/gaps.ts', "import { World } from '../service/world/index.js'"],
      ['mail/address.ts', "import type { World } from '../service/world/index.js'"],
      ['service/operations/request.ts', "export { loadScenario } from '../../story/index.js'"],
      ['story/load.ts', "import {\n  createSimulator,\n} from '../doors/simulator/index.js'"],
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
      ['cli/main.ts', "import { startServer } from '../doors/server/index.js'\nimport { x } from './x.js'"],
      ['index.ts', "export { createSimulator } from './doors/simulator/simulator.js'"],
      ['inspector/page.ts', "import type { Exchange } from '../service/world/index.js'"],
      ['inspector/page.ts', "import { counted } from '../base/text.js'"],
      ['contract/gaps.ts', "// import { World } from '../service/world/index.js'"],
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
      sourceFile('index.ts', "export { load } from './story/index.js'"),
      sourceFile('story/index.ts', "export { load } from './load.js'"),
      sourceFile('story/load.ts', "const all = () => import('agent-mailbox-sim')"),
    ]
    expect(importCycles(byName)).toEqual(['index.ts ↔ story/index.ts ↔ story/load.ts'])
  })

  it('finds rooms that need each other, though their files do not', () => {
    const planted = [
      sourceFile('service/world/a.ts', "import type { B } from '../webhooks/index.js'"),
      sourceFile('service/webhooks/b.ts', "import { c } from '../world/index.js'"),
      sourceFile('service/webhooks/d.ts', "import { e } from '../time/index.js'\nimport './b.js'"),
    ]
    expect(roomCycles(planted)).toEqual(['service/webhooks ↔ service/world'])
    expect(roomCycles(planted.slice(1))).toEqual([])
  })

  it('finds imports past a door, and exports without names', () => {
    const wrong = [
      ['story/load.ts', "import { World } from '../service/world/world.js'"],
      ['service/world/world.ts', "import type { Delivery } from '../webhooks/delivery.js'"],
      ['runs/replay/replay.ts', "import { play } from '../play.js'"],
      ['service/model/rows.ts', "import { isError } from '../../base/platform.js'"],
      ['cli/actions/serve.ts', "const { x } = await import('../../doors/server/app.js')"],
      ['index.ts', "export { Simulator } from './doors/simulator/simulator.js'"],
    ] as const
    const right = [
      ['story/load.ts', "import { World } from '../service/world/index.js'"],
      ['contract/gaps/gap.ts', "import { operationNames } from '../operations.js'"],
      ['service/world/commands/mail.ts', "import { World } from '../world.js'"],
      ['runs/replay/replay.ts', "import { play } from '../index.js'"],
      ['index.ts', "import './base/platform.js'\nexport { z } from './base/index.js'"],
      ['doors/server/app.ts', "await import('../../service/requests/request-handler.js')"],
      ['doors/server/mcp.ts', "await import('../mcp/http.js')"],
    ] as const
    expect(wrong.map(faultsIn(deepImports))).toEqual(wrong.map(() => 1))
    expect(right.map(faultsIn(deepImports))).toEqual(right.map(() => 0))
    expect(faultsIn(unnamedExports)(['mail/index.ts', "export * from './address.js'"])).toBe(1)
    expect(faultsIn(unnamedExports)(['mail/index.ts', "export { a } from './address.js'"])).toBe(0)
  })

  it('finds imports of packages by others than their owner', () => {
    const wrong = [
      ['contract/resources.ts', "import { z } from 'zod'"],
      ['mail/x.ts', "import type { Faker } from '@faker-js/faker/locale/en'"],
      ['handlers/x.ts', "import { setupServer } from 'msw/node'"],
      ['doors/simulator/x.ts', "import { http } from 'msw'"],
      ['cli/x.ts', "import lodash from 'lodash'"],
      ['server/x.ts', "await import('commander')"],
    ] as const
    const right = [
      ['base/schema.ts', "export { z } from 'zod'"],
      ['doors/simulator/x.ts', "import type { HttpHandler } from 'msw'"],
      ['doors/interceptor/node.ts', "import { type SetupServer, setupServer } from 'msw/node'"],
      ['cli/x.ts', "import { readFile } from 'node:fs/promises'"],
    ] as const
    expect(wrong.map(faultsIn(wrongOwners))).toEqual(wrong.map(() => 1))
    expect(right.map(faultsIn(wrongOwners))).toEqual(right.map(() => 0))
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
    const doors = [
      sourceFile('index.ts', "export { a } from './base/index.js'"),
      sourceFile('base/index.ts', "export { a, type T } from './a.js'\nexport { b } from './b.js'"),
      sourceFile('base/a.ts', ''),
      sourceFile('base/b.ts', "import { readFileSync } from 'node:fs'"),
    ]
    expect(nodeModulesReachedFrom('index.ts', doors)).toEqual([])
    expect(nodeModulesReachedFrom('base/index.ts', doors)).toEqual(['base/b.ts:1 imports node:fs'])
  })
})
