import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'rolldown'
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

/** Leaves out zod's messages in other languages: they are a third of it, and each start would read them. */
function zodInEnglish(): Plugin {
  return {
    name: 'zod-in-english',
    load: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ },
      handler: () => "export { default as en } from './en.js'",
    },
  }
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
  plugins: [
    zodInEnglish(),
    lettersInside(),
    thirdPartyNotices('third-party-notices.txt', ['node_modules/@faker-js/faker']),
  ],
  output: {
    dir: 'dist',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // What five or more chunks share is one file: a start reads a third of the files that it would read otherwise.
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 5 }] },
    comments: { legal: true, annotation: true, jsdoc: false },
  },
})
