import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'rolldown'
import { oneMsw, partsOfMailParser, partsOfYaml, readerOfHtmlLater } from './parts-of-packages.js'
import { preparedScenarios } from './prepared-scenarios.js'
import { thirdPartyNotices } from './third-party-notices.js'

const atRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** What all bundles have in common; they are silent as long as nothing is wrong. */
const forNode = {
  platform: 'node',
  tsconfig: atRoot('tsconfig.build.json'),
  logLevel: 'warn',
} satisfies BuildOptions

/**
 * What the package runs, in as few files as it takes to start fast: the library's entries, which share their modules,
 * and the program; and the shipped scenarios as they were loaded. Given is the folder they go to.
 */
export function bundles(folder: string): BuildOptions[] {
  return [libraryTo(folder), programTo(join(folder, 'cli')), scenariosTo(join(folder, 'prepared'))]
}

/** What is the application's as well, or large and loaded on demand, stays in `node_modules`. */
function libraryTo(folder: string): BuildOptions {
  return bundle(
    { folder, chunks: 'chunks/', wholes: ['index'] },
    {
      input: {
        index: atRoot('src/index.ts'),
        'interceptor/node': atRoot('src/interceptor/node.ts'),
        'interceptor/vitest': atRoot('src/interceptor/vitest.ts'),
        'server/index': atRoot('src/server/index.ts'),
      },
      external: packages(
        '@faker-js',
        '@mswjs/http-middleware',
        'express',
        'jiti',
        'msw',
        'standardwebhooks',
        'undici',
        'vitest',
      ),
      // What the public entry imports to have it loaded, and nothing else of; only the program puts it off.
      checks: { ineffectiveDynamicImport: false },
      treeshake: { moduleSideEffects: [{ test: /[\\/]open-written\.ts$/, sideEffects: true }] },
    },
  )
}

/** The program shares nothing with anybody. */
function programTo(folder: string): BuildOptions {
  return bundle(
    {
      folder,
      chunks: '',
      wholes: ['cli/start', 'server/index', 'scenario/open-written', 'scenario/problems/parse'],
      minify: withoutBlanks,
    },
    {
      input: { main: atRoot('src/cli/main.ts') },
      external: packages('@faker-js', 'covertable', 'jiti'),
      plugins: [oneMsw()],
    },
  )
}

/** What loads the shipped scenarios leaves them there, and goes. */
function scenariosTo(folder: string): BuildOptions {
  return {
    ...forNode,
    input: { prepare: atRoot('src/scenario/prepared/prepare-scenarios.ts') },
    external: packages('@faker-js', '@mswjs', 'jiti'),
    plugins: [partsOfYaml(), preparedScenarios()],
    output: { dir: folder, codeSplitting: false },
  }
}

/** Names stay as they are, for stack traces. */
const withoutBlanks = { compress: false, mangle: false, codegen: true } as const

/** How a bundle is laid out. */
interface Layout {
  readonly folder: string
  /** The folder of the chunks, in that one. */
  readonly chunks: string
  /** Modules that are one chunk with all they load: reading a file takes longer than compiling it. */
  readonly wholes: readonly string[]
  readonly minify?: typeof withoutBlanks
}

function bundle({ folder, chunks, wholes, minify }: Layout, options: BuildOptions): BuildOptions {
  const groups = wholes.map((module, place) => ({
    name: module.replaceAll('/', '-'),
    test: new RegExp(`[\\\\/]src[\\\\/]${module.replaceAll('/', '[\\\\/]')}\\.ts$`),
    // Above 0, which means none.
    priority: wholes.length - place,
  }))
  return {
    ...options,
    ...forNode,
    plugins: [
      options.plugins,
      partsOfYaml(),
      partsOfMailParser(),
      readerOfHtmlLater(),
      thirdPartyNotices('third-party-notices.txt'),
    ],
    output: {
      dir: folder,
      sourcemap: true,
      // One letter that is none makes each of a file twice as wide, and reading it slower; comments are in the maps.
      charset: 'ascii',
      comments: { legal: true, annotation: true, jsdoc: false },
      chunkFileNames: `${chunks}[name]-[hash].js`,
      codeSplitting: { groups },
      ...(minify && { minify }),
    },
  }
}

function packages(...names: readonly string[]): RegExp[] {
  return names.map((name) => new RegExp(`^${name}(?:/|$)`))
}
