import { readFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'
import { lettersInside } from './build/letters.js'
import { thirdPartyNotices } from './build/third-party-notices.mjs'

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
// zod is a dependency because its types are part of ours, but loading its 95 modules one by one takes too long.
const { zod: _, ...outside } = { ...dependencies, ...peerDependencies }
const patterns = Object.keys(outside).map((name) => new RegExp(`^${name}(?:/|$)`))

/** Users of our arbitraries have fast-check themselves; the program includes it. */
function isOutside(id: string, importer: string | undefined): boolean {
  if (id === 'fast-check') return importer?.endsWith('/src/fuzz/fast-check.ts') === true
  return patterns.some((pattern) => pattern.test(id))
}

/**
 * The library's entries and the program, which share chunks. Dependencies stay in `node_modules`; development dependencies
 * are bundled. `prepare` is run by the build and is not published.
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
  // Express loads its body parsers with their charset tables, which nothing here uses.
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
