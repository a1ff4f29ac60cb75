import { readFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'
import { lettersInside } from './build/letters.js'
import { thirdPartyNotices } from './build/third-party-notices.mjs'

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
// Its types are part of ours, which makes it a dependency; its 95 modules take too long to load one by one.
const { zod: _, ...outside } = { ...dependencies, ...peerDependencies }
const patterns = Object.keys(outside).map((name) => new RegExp(`^${name}(?:/|$)`))

/** Those who import our arbitraries have fast-check themselves; the program has it inside. */
function isOutside(id: string, importer: string | undefined): boolean {
  if (id === 'fast-check') return importer?.endsWith('/src/fuzz/fast-check.ts') === true
  return patterns.some((pattern) => pattern.test(id))
}

/**
 * The library's entries and the program, which share their chunks. Dependencies stay in `node_modules`; what is only a
 * development dependency is bundled. `prepare` is run by the build and not published.
 */
export default defineConfig({
  input: {
    index: 'src/index.ts',
    'interceptor/node': 'src/interceptor/node.ts',
    'interceptor/vitest': 'src/interceptor/vitest.ts',
    'fuzz/fast-check': 'src/fuzz/fast-check.ts',
    'server/index': 'src/server/index.ts',
    'cli/main': 'src/cli/main.ts',
    'prepared/prepare': 'src/scenario/prepared.ts',
  },
  external: isOutside,
  platform: 'node',
  // Express loads its parsers of bodies, and with them tables of charsets, which nothing here uses.
  resolve: { alias: { 'body-parser': false } },
  tsconfig: 'tsconfig.build.json',
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
  plugins: [lettersInside('fixtures/letters'), thirdPartyNotices('third-party-notices.txt')],
  output: {
    dir: 'dist',
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: { legal: true, annotation: true, jsdoc: false },
  },
})
