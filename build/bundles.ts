import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, RolldownOptions } from 'rolldown'
import { thirdPartyNotices } from './third-party-notices.js'

const atRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * What the package runs, in as few files as it takes to start fast: the library's entries, which share their modules,
 * and the program. Given is the folder they go to.
 */
export function bundles(folder: string): RolldownOptions[] {
  return [libraryTo(folder), programTo(join(folder, 'cli'))]
}

/** What is the application's as well, or large and loaded on demand, stays in `node_modules`. */
function libraryTo(folder: string): RolldownOptions {
  return bundle(folder, 'chunks/', ['index'], {
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
    plugins: [thirdPartyNotices('third-party-notices.txt')],
  })
}

/** The program shares nothing with anybody. */
function programTo(folder: string): RolldownOptions {
  return bundle(folder, '', ['cli/start', 'server/index'], {
    input: { main: atRoot('src/cli/main.ts') },
    external: packages('@faker-js', 'covertable', 'jiti'),
    plugins: [oneMsw(), thirdPartyNotices('third-party-notices.txt')],
  })
}

/** `wholes` are modules that are one chunk with all they load: reading a file takes longer than compiling it. */
function bundle(
  folder: string,
  chunks: string,
  wholes: readonly string[],
  options: RolldownOptions,
): RolldownOptions {
  const groups = wholes.map((module, place) => ({
    name: module.replace('/', '-'),
    test: new RegExp(`[\\\\/]src[\\\\/]${module.replace('/', '[\\\\/]')}\\.ts$`),
    priority: -place,
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
    },
  }
}

/** The middleware asks for all of MSW in its CommonJS form, of which it uses one function. */
function oneMsw(): Plugin {
  const main = createRequire(import.meta.url).resolve('msw')
  return {
    name: 'one-msw',
    resolveId(wanted, importer) {
      const isMiddleware = importer?.replaceAll('\\', '/').includes('@mswjs/http-middleware/')
      if (wanted !== 'msw' || !isMiddleware) return undefined
      return join(dirname(main), 'utils/handleRequest.mjs')
    },
  }
}

function packages(...names: readonly string[]): RegExp[] {
  return names.map((name) => new RegExp(`^${name}(?:/|$)`))
}
