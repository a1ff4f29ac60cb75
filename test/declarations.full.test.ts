import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

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

it('declares types that import only its dependencies', () => {
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
  const imported = importedPackages()
  expect(imported).toContain('msw')
  expect(imported.filter((name) => !(name in installed))).toEqual([])
})

it('declares types that a program may check, without what is internal', () => {
  const entries = [
    'index',
    'doors/interceptor/node',
    'doors/interceptor/jest',
    'doors/server/entry',
    'runs/fuzz/fast-check',
  ]
  const files = entries.map((name) => fileURLToPath(new URL(`${name}.d.ts`, dist)))
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--skipLibCheck',
    'false',
  ]
  const checked = spawnSync(
    process.execPath,
    [tsc, ...options, '--types', 'node', '--ignoreConfig', ...files],
    {
      encoding: 'utf8',
    },
  )
  expect(checked.stdout.split('\n').filter((line) => /^(?!.*node_modules).*error/.test(line))).toEqual([])
  expect(checked.stderr).toBe('')
}, 120_000)
