import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { folderOf } from './support/temporary-folder.js'

const dist = new URL('../dist/', import.meta.url)

/** Returns the packages that the declaration files of the package import. */
function importedPackages(): string[] {
  const files = readdirSync(fileURLToPath(dist), { recursive: true, encoding: 'utf8' })
  const imports = files
    .filter((name) => /\.d\.ts$/.test(name))
    .flatMap((name) => [
      ...readFileSync(new URL(name, dist), 'utf8').matchAll(
        /(?:from |import\(|^import )["']([^."'][^"']*)["']/gm,
      ),
    ])
    .map(([, specifier = '']) => specifier.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? specifier)
  return [...new Set(imports)].filter((name) => !isBuiltin(name)).sort()
}

/** Compiles files with all checks in a folder, and returns what the compiler says. */
function compile(folder: string, options: readonly string[], types = ['node']): string {
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  const strict = [
    '--strict',
    '--target',
    'es2023',
    '--skipLibCheck',
    'false',
    ...types.flatMap((name) => ['--types', name]),
    '--ignoreConfig',
  ]
  const checked = spawnSync(process.execPath, [tsc, ...strict, ...options], { cwd: folder, encoding: 'utf8' })
  expect(checked.stderr).toBe('')
  return checked.stdout
}

/** Returns the errors in files and in this package. */
function problemsOf(...args: Parameters<typeof compile>): string[] {
  return compile(...args)
    .split('\n')
    .filter((line) => /^(?!.*node_modules\/(?!agent-mailbox)).*error/.test(line))
}

it('declares types that import only its dependencies', () => {
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
  const imported = importedPackages()
  expect(imported).toContain('msw')
  expect(imported.filter((name) => !(name in installed))).toEqual([])
})

it('declares types without what TypeScript knows since 5.6 or 5.7 only', () => {
  const newer =
    /(?:Array|Buffer|DataView)<(?:ArrayBuffer|SharedArrayBuffer)|\b\w+IteratorObject<|\b(?:Array|Map|Set)Iterator</
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.ts$/.test(name),
  )
  expect(files.filter((name) => newer.test(readFileSync(new URL(name, dist), 'utf8')))).toEqual([])
})

it('declares types that need none of Node, and explains a mistake in a function that returns a scenario', async () => {
  const mistaken = `import { defineScenario } from 'agent-mailbox-sim'
    export default defineScenario(({ faker }) => ({
      scenario: 'desk', describe: faker.lorem.word(), identities: [{ handle: 'support' }],
      timeline: [{ after: '1m', fault: { operation: 'thread.list', status: 503 } }],
    }))`
  // Each is named in the declarations of a program without being annotated.
  const shared = `import { createSimulator, defineExtension, defineScenario } from 'agent-mailbox-sim'
    import { listen } from 'agent-mailbox-sim/node'
    export const story = defineScenario({ scenario: 'desk', assume: { 'auth.missing-status': 403 } })
    export const made = defineScenario(({ seed }) => ({ scenario: 'desk', seed }))
    export const extension = defineExtension(({ operation }) => [operation({ id: 'a.b', method: 'GET', path: '/a', perform: () => 1 })])
    export const open = async () => [await createSimulator({ scenario: story }), await listen({ extend: [extension] })] as const
    export const total = async () => (await open())[0].assumptions.current()`
  const { 'scenario.ts': scenario } = program
  const files = {
    'shared.ts': shared,
    'scenario.ts': scenario,
    'mistaken.ts': mistaken,
    'package.json': '{ "private": true }',
  }
  const folder = await folderOf(files)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(fileURLToPath(new URL('..', dist)), join(folder, 'node_modules/agent-mailbox-sim'))
  // TypeScript looks for no types of packages unless it is told to.
  const said = compile(
    folder,
    ['--module', 'nodenext', '--declaration', '--outDir', 'out', 'scenario.ts', 'shared.ts', 'mistaken.ts'],
    [],
  )
  const own = said.split('\n').filter((line) => /error TS/.test(line) && !line.includes('node_modules/'))
  expect(own).toEqual([expect.stringMatching(/^mistaken\.ts\(2,/)])
  expect(said).toMatch(
    /fault\.operation(.*\n)+? *Type '"thread.list"' is not assignable .* Did you mean '"threads.list"'/,
  )
  expect(said).not.toContain('dist/')
  const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.ts$/.test(name),
  )
  expect(declarations.length).toBeLessThan(450)
}, 120_000)

it('describes each key of scenarios in its types, as the JSON Schema does', () => {
  for (const folder of ['', 'require/']) {
    const text = readFileSync(new URL(`${folder}story/format/scenario.d.ts`, dist), 'utf8')
    const keys = text.split('\n').filter((line) => /^ +.*?[\w"]: z\./.test(line))
    expect(keys.length).toBeGreaterThan(500)
    expect(keys.filter((line) => !/^ +\/\*\* .+ \*\/ /.test(line))).toEqual([])
    expect(text).toContain('/** The handle, without a leading `@`')
  }
})

/** A program of a user, for each way to the package. */
const program = {
  'scenario.ts': `
    import { createSimulator, defineExtension, defineScenario, type Simulator } from 'agent-mailbox-sim'
    import { useMailbox } from 'agent-mailbox-sim/jest'
    import { listen } from 'agent-mailbox-sim/node'
    import { startServer } from 'agent-mailbox-sim/server'
    export const story: ReturnType<typeof defineScenario> = defineScenario({ scenario: 'desk', identities: [{ handle: 'support' }] })
    export const mailbox: ReturnType<typeof useMailbox> = useMailbox({ scenario: 'support-desk' })
    export const extension: ReturnType<typeof defineExtension> = defineExtension(({ operation }) => [
      operation({ id: 'me.get', method: 'GET', path: '/api/v1/me', perform: ({ organization }) => ({ id: organization.id }) }),
    ])
    export async function use(): Promise<Simulator> {
      const simulator = await createSimulator({ scenario: story, extend: [extension] })
      const listening = await listen({ scenario: 'support-desk' })
      await listening.waitFor({ operation: 'threads.list', query: { mailbox: null } })
      await (await startServer({ port: 0 })).close()
      return simulator
    }
  `,
  'matchers.test.ts': `
    import { expect, test } from '@jest/globals'
    import { useMailbox } from 'agent-mailbox-sim/jest'
    const mailbox: ReturnType<typeof useMailbox> = useMailbox({ scenario: 'support-desk' })
    test('it asks', () => expect(mailbox()).toHaveRequested('threads.list'))
  `,
}

const strict = [
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--declaration',
  '--isolatedDeclarations',
]

it.each([
  ['nodenext', ['--module', 'nodenext', ...strict, '--verbatimModuleSyntax']],
  ['CommonJS', ['--module', 'node16', ...strict]],
])(
  'declares types for strict programs with %s, and for @jest/globals',
  async (name, options) => {
    const type = name === 'CommonJS' ? 'commonjs' : 'module'
    const folder = await folderOf({ ...program, 'package.json': JSON.stringify({ private: true, type }) })
    mkdirSync(join(folder, 'node_modules'))
    const root = fileURLToPath(new URL('..', import.meta.url))
    symlinkSync(root, join(folder, 'node_modules/agent-mailbox-sim'))
    for (const scope of ['@jest', '@types'])
      symlinkSync(join(root, 'node_modules', scope), join(folder, 'node_modules', scope))
    expect(problemsOf(folder, [...options, '--outDir', 'out', 'scenario.ts', 'matchers.test.ts'])).toEqual([])
  },
  120_000,
)
