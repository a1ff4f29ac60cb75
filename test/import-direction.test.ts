import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  importCircles,
  nodeModulesReachedFrom,
  owners,
  wrongDirections,
  wrongOwners,
  wrongUses,
} from './source-code/boundaries.js'
import { codeOf } from './source-code/code-text.js'
import { importsOf, packageOf } from './source-code/imports.js'
import { sourceFile, sourceFiles } from './source-code/source-files.js'

const files = sourceFiles()

describe('the code of the package', () => {
  it('imports one way', () => {
    expect(wrongDirections(files)).toEqual([])
  })

  it('has no import circles, of types neither', () => {
    expect(importCircles(files)).toEqual([])
  })

  it('has one folder for each outside package', () => {
    expect(wrongOwners(files)).toEqual([])
  })

  it('takes time, randomness and timers from the world only, and ends the process in the CLI only', () => {
    expect(wrongUses(files)).toEqual([])
  })

  it('loads no module of Node with its public entry', () => {
    // The build replaces this one by the letters themselves.
    const built = files.filter(({ path }) => path !== 'scenario/letters/shipped.ts')
    expect(nodeModulesReachedFrom('index.ts', built)).toEqual([])
  })

  it('imports only files that are there', () => {
    const paths = new Set(files.map(({ path }) => path))
    const targets = files.flatMap(importsOf).flatMap(({ target, place }) => (target ? [[place, target]] : []))
    expect(targets.filter(([, target]) => !paths.has(target as string))).toEqual([])
    expect(targets.length).toBeGreaterThan(100)
  })

  it('has an owner for every dependency, and uses every one', () => {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> }
    const used = new Set(files.flatMap(importsOf).map(({ specifier }) => packageOf(specifier)))
    for (const name of Object.keys(dependencies)) {
      expect(Object.keys(owners)).toContain(name)
      expect(used).toContain(name)
    }
  })
})

describe('the code of the browser', () => {
  it('imports nothing but types from the rest', () => {
    const folder = new URL('../src/inspector/', import.meta.url)
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    )
    const imports = names.flatMap((name) => {
      const depth = name.split('/').length
      const outside = `'${'../'.repeat(depth)}`
      const lines = readFileSync(new URL(name, folder), 'utf8').match(/^import [^']*'[^']*'/gm) ?? []
      return lines.filter((line) => line.includes(outside)).map((line) => ({ name, line }))
    })
    expect(imports.length).toBeGreaterThan(0)
    expect(imports.filter(({ line }) => !line.startsWith('import type '))).toEqual([])
  })
})

describe('the search for imports that go the wrong way', () => {
  it.each([
    ['contract/gaps.ts', "import { World } from '../world/index.js'"],
    ['model/rows.ts', "import type { World } from '../world/index.js'"],
    ['handlers/request.ts', "export { loadScenario } from '../scenario/index.js'"],
    ['scenario/load.ts', "import {\n  createHandlers,\n} from '../handlers/index.js'"],
    ['simulator/mail.ts', "const { listen } = await import('../interceptor/node.js')"],
    ['server/index.ts', "import '../interceptor/node.js'"],
    ['index.ts', "export * from './server/index.js'"],
    ['world/time.ts', "import { createSimulator } from '../index.js'"],
    ['inspector/page.ts', "import { gaps } from '../contract/gaps.js'"],
    ['helpers/x.ts', ''],
    ['world/time.ts', "import { x } from '../helpers/x.js'"],
  ])('finds it in %s: %s', (path, text) => {
    expect(wrongDirections([sourceFile(path, text)])).toHaveLength(1)
  })

  it.each([
    ['world/world.ts', "import { MailboxStore } from '../model/index.js'"],
    ['world/commands/mail.ts', "import { parseInstant } from '../time.js'"],
    ['cli/main.ts', "import { startServer } from '../server/index.js'\nimport { x } from './x.js'"],
    ['index.ts', "export { createSimulator } from './simulator/simulator.js'"],
    ['inspector/page.ts', "import type { Exchange } from '../world/index.js'"],
    [
      'contract/gaps.ts',
      "// import { World } from '../world/index.js'\nconst text = `import x from '../cli/main.js'`",
    ],
  ])('finds nothing in %s: %s', (path, text) => {
    expect(wrongDirections([sourceFile(path, text)])).toEqual([])
  })
})

describe('the search for import circles', () => {
  it('finds those of types and through other files, and nothing else', () => {
    const planted = [
      sourceFile('world/a.ts', "import type { B } from './b.js'"),
      sourceFile('world/b.ts', "export { c } from './c.js'"),
      sourceFile('world/c.ts', "import './a.js'\nimport './d.js'"),
      sourceFile('world/d.ts', "import './e.js'"),
      sourceFile('world/e.ts', ''),
    ]
    expect(importCircles(planted)).toEqual(['world/a.ts ↔ world/b.ts ↔ world/c.ts'])
    expect(importCircles(planted.slice(1))).toEqual([])
  })
})

describe('the search for imports by others than the owner', () => {
  it.each([
    ['contract/resources.ts', "import { z } from 'zod'"],
    ['world/clock.ts', "import { factory } from '@mswjs/data'"],
    ['handlers/x.ts', "import type { Faker } from '@faker-js/faker/locale/en'"],
    ['handlers/x.ts', "import { setupServer } from 'msw/node'"],
    ['simulator/x.ts', "import { http } from 'msw'"],
    ['cli/x.ts', "import lodash from 'lodash'"],
    ['server/x.ts', "await import('commander')"],
  ])('finds it in %s: %s', (path, text) => {
    expect(wrongOwners([sourceFile(path, text)])).toHaveLength(1)
  })

  it.each([
    ['contract/schema.ts', "export { z } from 'zod'"],
    ['handlers/x.ts', "import { HttpHandler, type RequestHandler } from 'msw'"],
    ['simulator/x.ts', "import type { HttpHandler } from 'msw'"],
    ['interceptor/node.ts', "import { type SetupServer, setupServer } from 'msw/node'"],
    ['scenario/x.ts', "import { faker as english } from '@faker-js/faker/locale/en'"],
    ['cli/x.ts', "import { readFile } from 'node:fs/promises'"],
  ])('finds nothing in %s: %s', (path, text) => {
    expect(wrongOwners([sourceFile(path, text)])).toEqual([])
  })
})

describe('the search for time, randomness and ends of the process', () => {
  it.each([
    ['handlers/x.ts', 'const now = Date.now()'],
    ['model/x.ts', 'return new Date(instant).toISOString()'],
    ['mail/x.ts', 'const seed = Math.random()'],
    ['scenario/x.ts', 'const id = crypto.randomUUID()'],
    ['handlers/x.ts', 'const started = globalThis.performance.now()'],
    ['server/x.ts', 'setTimeout(() => {}, 5)'],
    ['server/x.ts', "import { randomUUID } from 'node:crypto'"],
    ['server/x.ts', 'process.exit(1)'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source, with a template in it.
    ['handlers/x.ts', 'const text = `at ${Date.now()}`'],
    ['handlers/x.ts', "const half = total / 2; const now = Date.now() / 1000 // '"],
  ])('finds it in %s: %s', (path, text) => {
    expect(wrongUses([sourceFile(path, text)])).toHaveLength(1)
  })

  it.each([
    ['world/clock.ts', 'setTimeout(() => Date.now() + performance.now(), Math.random())'],
    ['cli/main.ts', 'process.exit(2)'],
    ['server/x.ts', 'process.exitCode = 1'],
    ['handlers/x.ts', "const name = 'Date'; /* Date.now() */ // Math.random()"],
    ['handlers/x.ts', 'const mailDate = formatMailDate(at); const pattern = /Date: [/"] crypto/'],
    ['handlers/x.ts', 'const text = `Date ' + '$' + '{at} crypto`'],
  ])('finds nothing in %s: %s', (path, text) => {
    expect(wrongUses([sourceFile(path, text)])).toEqual([])
  })
})

describe('the search for modules of Node', () => {
  const lazy = "const files = () => import('node:fs/promises')\nimport type { Server } from 'node:http'"

  it('follows what is loaded at once, and nothing else', () => {
    const planted = [
      sourceFile('index.ts', "export { a } from './simulator/a.js'\nexport type { T } from './server/t.js'"),
      sourceFile('simulator/a.ts', `import { b } from '../world/b.js'\n${lazy}`),
      sourceFile('world/b.ts', "import { readdirSync, readFileSync } from 'node:fs'"),
      sourceFile('server/t.ts', "import { createServer } from 'node:http'"),
    ]
    expect(nodeModulesReachedFrom('index.ts', planted)).toEqual(['world/b.ts:1 imports node:fs'])
    expect(nodeModulesReachedFrom('server/t.ts', planted)).toEqual(['server/t.ts:1 imports node:http'])
  })
})

describe('the reading of sources', () => {
  it('keeps the length, the lines and the code', () => {
    const text =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source, with a template in it.
      "const a = 'x\\'y' // c\nconst b = /[/'\"]\\//g.test(`${a + `n${1}`} /* t */`) / 2 /* d\n*/ + 1"
    const code = codeOf(text)
    expect(code).toHaveLength(text.length)
    expect(code.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
      "const a = ' ' '",
      'const b = .test(` a + ` 1 ` `) / 2',
      '+ 1',
    ])
  })

  it('reads every form of import', () => {
    const text = [
      "import a from './a.js'",
      "import type { B } from './b.js'",
      "import { type C } from './c.js'",
      "import * as d from './d.js'",
      "import './e.js'",
      "export { f } from './f.js'",
      "export type { G } from './g.js'",
      "export * from './h.js'",
      "const i = await import('./i.js')",
      'import {\n  j,\n  type J,\n} from "./j.js"',
      'export const from = 1',
      "import type from './k.js'",
    ].join('\n')
    const found = importsOf(sourceFile('world/x.ts', text)).map(
      ({ specifier, kind }) => `${specifier} ${kind}`,
    )
    expect(found).toEqual([
      './a.js static',
      './b.js type',
      './c.js static',
      './d.js static',
      './e.js static',
      './f.js static',
      './g.js type',
      './h.js static',
      './i.js dynamic',
      './j.js static',
      './k.js static',
    ])
  })
})
