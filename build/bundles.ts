import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, RolldownOptions } from 'rolldown'
import { preparedScenarios } from './prepared-scenarios.js'
import { thirdPartyNotices } from './third-party-notices.js'

const atRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * What the package runs, in as few files as it takes to start fast: the library's entries, which share their modules,
 * and the program; and the shipped scenarios as they were loaded. Given is the folder they go to.
 */
export function bundles(folder: string): RolldownOptions[] {
  return [libraryTo(folder), programTo(join(folder, 'cli')), scenariosTo(join(folder, 'prepared'))]
}

/** What is the application's as well, or large and loaded on demand, stays in `node_modules`. */
function libraryTo(folder: string): RolldownOptions {
  return bundle(
    { folder, chunks: 'chunks/', wholes: ['index', 'scenario/open-written'] },
    {
      input: {
        index: atRoot('src/index.ts'),
        'interceptor/node': atRoot('src/interceptor/node.ts'),
        'interceptor/vitest': atRoot('src/interceptor/vitest.ts'),
        'server/index': atRoot('src/server/index.ts'),
      },
      external: packages(
        '@faker-js',
        '@mswjs',
        'express',
        'jiti',
        'msw',
        'standardwebhooks',
        'undici',
        'vitest',
      ),
      plugins: [
        partsOfYaml(),
        partsOfMailParser(),
        readerOfHtmlLater(),
        thirdPartyNotices('third-party-notices.txt'),
      ],
    },
  )
}

/** The program shares nothing with anybody. */
function programTo(folder: string): RolldownOptions {
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
      plugins: [
        oneMsw(),
        partsOfYaml(),
        partsOfMailParser(),
        readerOfHtmlLater(),
        thirdPartyNotices('third-party-notices.txt'),
      ],
    },
  )
}

/** What loads the shipped scenarios leaves them there, and goes. */
function scenariosTo(folder: string): RolldownOptions {
  return {
    input: { prepare: atRoot('src/scenario/prepared/prepare-scenarios.ts') },
    external: packages('@faker-js', '@mswjs', 'jiti'),
    plugins: [partsOfYaml(), preparedScenarios()],
    platform: 'node',
    tsconfig: atRoot('tsconfig.build.json'),
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

function bundle({ folder, chunks, wholes, minify }: Layout, options: RolldownOptions): RolldownOptions {
  const groups = wholes.map((module, place) => ({
    name: module.replaceAll('/', '-'),
    test: new RegExp(`[\\\\/]src[\\\\/]${module.replaceAll('/', '[\\\\/]')}\\.ts$`),
    priority: wholes.length - place,
  }))
  return {
    ...options,
    platform: 'node',
    tsconfig: atRoot('tsconfig.build.json'),
    output: {
      dir: folder,
      sourcemap: true,
      chunkFileNames: `${chunks}[name]-[hash].js`,
      codeSplitting: { groups },
      ...(minify && { minify }),
    },
  }
}

/** The middleware asks for all of MSW in its CommonJS form, of which it uses one function; nobody needs the rest. */
function oneMsw(): Plugin {
  return {
    name: 'one-msw',
    resolveId(wanted, importer) {
      const isForMiddleware = /@mswjs\/http-middleware\/|handlers\/whole-msw/.test(
        importer?.replaceAll('\\', '/') ?? '',
      )
      return wanted === 'msw' && isForMiddleware ? beside('msw', 'utils/handleRequest.mjs') : undefined
    },
  }
}

/** YAML in its form for browsers, of which a bundle takes what is used; the other one comes as a whole. */
function partsOfYaml(): Plugin {
  return {
    name: 'parts-of-yaml',
    resolveId: (wanted) => (wanted === 'yaml' ? beside('yaml', '../browser/index.js') : undefined),
  }
}

/** Addresses and words of headers without the parser of mail, which is loaded with the first mail in a file. */
function partsOfMailParser(): Plugin {
  const parts = '\0parts-of-postal-mime'
  return {
    name: 'parts-of-mail-parser',
    resolveId(wanted, importer) {
      return wanted === 'postal-mime' && !importer?.endsWith('parse-eml.ts') ? parts : undefined
    },
    load(id) {
      if (id !== parts) return undefined
      const from = (file: string) => JSON.stringify(beside('postal-mime', `../esm/${file}`))
      return `export { default as addressParser } from ${from('address-parser.js')}
        export { decodeWords } from ${from('decode-strings.js')}`
    },
  }
}

/** The reader of HTML runs when the first mail without a text is shown: `require` is what a bundle can put off. */
function readerOfHtmlLater(): Plugin {
  const later = '\0html-to-text-later'
  return {
    name: 'reader-of-html-later',
    resolveId(wanted, importer) {
      return wanted === 'html-to-text' && importer !== later ? later : undefined
    },
    load(id) {
      if (id !== later) return undefined
      const whole = JSON.stringify(fileURLToPath(import.meta.resolve('html-to-text')))
      return `export const compile = (options) => require(${whole}).compile(options)`
    },
  }
}

/** A file of a package, by its path from the package's main file. */
function beside(name: string, path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(name)), path)
}

function packages(...names: readonly string[]): RegExp[] {
  return names.map((name) => new RegExp(`^${name}(?:/|$)`))
}
