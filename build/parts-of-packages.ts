import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

/** The middleware asks for all of MSW in its CommonJS form, of which it uses one function; nobody needs the rest. */
export function oneMsw(): Plugin {
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
export function partsOfYaml(): Plugin {
  return {
    name: 'parts-of-yaml',
    resolveId: (wanted) => (wanted === 'yaml' ? beside('yaml', '../browser/index.js') : undefined),
  }
}

/** Addresses and words of headers without the parser of mail, which is loaded with the first mail in a file. */
export function partsOfMailParser(): Plugin {
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
export function readerOfHtmlLater(): Plugin {
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
