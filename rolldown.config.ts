import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'rolldown'
import { minifySync } from 'rolldown/experimental'
import { lettersInside } from './build/letters.js'
import { thirdPartyNotices } from './build/third-party-notices.mjs'

const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
// jiti does not bundle cleanly.
const outside = ['jiti', ...Object.keys(peerDependencies)].map((name) => new RegExp(`^${name}(?:/|$)`))

/** The parts of packages that are used, in place of the main files, which would bring in the rest. */
const usedParts: readonly (readonly [file: RegExp, code: string])[] = [
  // Without zod's messages in other languages: they are a third of it, and each start would read them.
  [/[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/, "export { default as en } from './en.js'"],
  // Without GraphQL; the middleware of MSW requires this file, too.
  [
    /[\\/]msw[\\/]lib[\\/]core[\\/]index\.m?js$/,
    "export { getResponse } from './getResponse.mjs'; export { handleRequest } from './utils/handleRequest.mjs'",
  ],
  // Without a validator of JSON Schema, which is for requests to clients.
  [
    /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    'export class DefaultJsonSchemaValidator {} export const { process } = globalThis',
  ],
  // Without `fetch`, proxies, caches and mocks.
  [
    /[\\/]undici[\\/]index\.js$/,
    "exports.Agent = require('./lib/dispatcher/agent'); " +
      "Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'))",
  ],
]

function onlyUsedParts(): Plugin {
  return {
    name: 'only-used-parts',
    load: {
      filter: { id: usedParts.map(([file]) => file) },
      handler: (id) => usedParts.find(([file]) => file.test(id))?.[1],
    },
  }
}

/**
 * Shortens the names in chunks that consist mostly of other packages, and removes line breaks from those that consist of nothing else:
 * nobody reads their stack traces here.
 */
function packagesMinified(): Plugin {
  return {
    name: 'packages-minified',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const sizes = Object.entries(chunk.modules).map(([id, { renderedLength }]) => {
          return { own: id.includes('node_modules') ? 0 : renderedLength, all: renderedLength }
        })
        const total = (of: 'own' | 'all') => sizes.reduce((sum, size) => sum + size[of], 0)
        const share = total('own') / total('all')
        const names = { keepNames: { function: share > 0.1, class: share > 0.1 } }
        const options = {
          compress: names,
          mangle: { toplevel: true, ...names },
          // Node prints the line that threw an uncaught error.
          codegen: { removeWhitespace: share <= 0.1 },
        }
        if (share < 0.5) chunk.code = minifySync(chunk.fileName, chunk.code, options).code
      }
    },
  }
}

/**
 * The folders of a simulator in a process, without what imports MSW, which a server seldom needs, and without what imports a
 * module of Node, which a browser does not have.
 */
const core =
  /[\\/]src[\\/](?:base|contract|mail|service(?![\\/]requests[\\/]request-handler)|story(?![\\/]expectations[\\/](?:expectation-checker|value-matcher))|doors[\\/](?:simulator|controls[\\/](?!table|judging|worlds|document)))[\\/]/

/** Further folders of the program. */
const program =
  /[\\/]src[\\/](?:story[\\/]expectations|doors[\\/](?:server|state)|runs[\\/](?:reports|agent|pace|replay|trials|attacks|[^\\/]+$)|cli)[\\/]/

/**
 * The library's entries and the program in CommonJS, which share chunks, so that `require` and `import` give one instance.
 * `build/build.mjs` puts an ES module beside each entry. `prepare` is run by the build and is not published.
 */
const library = defineConfig({
  input: {
    index: 'src/index.ts',
    'doors/interceptor/node': 'src/doors/interceptor/node.ts',
    'doors/interceptor/jest': 'src/doors/interceptor/jest.ts',
    'doors/interceptor/interception': 'src/doors/interceptor/interception.ts',
    'doors/server/entry': 'src/doors/server/entry.ts',
    'cli/main': 'src/cli/main.ts',
    'prepared/prepare': 'src/story/load.ts',
  },
  external: outside,
  platform: 'node',
  // Express loads its body parsers with their charset tables, which nothing here uses.
  resolve: { alias: { 'body-parser': false } },
  tsconfig: 'tsconfig.build.json',
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
  plugins: [
    onlyUsedParts(),
    lettersInside(),
    packagesMinified(),
    thirdPartyNotices('third-party-notices.txt', ['node_modules/@faker-js/faker']),
  ],
  output: {
    dir: 'dist',
    format: 'cjs',
    exports: 'named',
    // Jest cannot `import()`.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    // What runs modules of scenarios keeps its name, since `browser` of package.json leaves it out.
    chunkFileNames: ({ name }) => `chunks/${name === 'scenario-module' ? name : '[name]-[hash]'}.cjs`,
    // What five or more chunks share is in two files: a start reads a third of the files that it would read otherwise.
    codeSplitting: {
      minShareCount: 5,
      groups: [
        { name: 'core', priority: 1, test: core },
        { name: 'program', test: program },
      ],
    },
    comments: { legal: false, annotation: false, jsdoc: false },
    // Stack traces show functions by their names, and each statement on its own line.
    minify: {
      compress: { keepNames: { function: true, class: true }, sequences: false, joinVars: false },
      mangle: { keepNames: true },
      codegen: { removeWhitespace: false },
    },
  },
})

/** The entry for Vitest, which is only an ES module, as Vitest is. */
const vitest = defineConfig({
  input: { vitest: 'src/doors/interceptor/vitest.ts' },
  external: (_, importer) => importer !== undefined,
  tsconfig: 'tsconfig.build.json',
  output: { dir: 'dist/doors/interceptor', comments: { jsdoc: false } },
})

export default [library, vitest]
