import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'rolldown'
import { localesAmong, parseKinds, parseLanguage } from '../src/scenario/letters/files.js'

const prefix = 'letters:'
const shipped = /[\\/]src[\\/]scenario[\\/]letters[\\/]shipped\.ts$/

/**
 * Puts the letters of a folder into bundles as JSON, one module for each language, so that they are not read from YAML at
 * run time: that takes fifty times as long and needs a file system.
 */
export function lettersInside(folder: string): Plugin {
  const read = (name: string) => readFile(`${folder}/${name}`, 'utf8')
  const locales = localesAmong(readdirSync(folder))
  return {
    name: 'letters-inside',
    resolveId: { filter: { id: /^letters:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: [shipped, /^\0letters:/] },
      async handler(id) {
        if (shipped.test(id)) return moduleOf(locales, read)
        const [part, locale] = id.slice(prefix.length + 1).split('/') as [string, string]
        const source = part === 'kinds' ? await parseKinds(locale, read) : await parseLanguage(locale, read)
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(source))})`
      },
    },
  }
}

/** Returns the module that replaces src/scenario/letters/shipped.ts. */
async function moduleOf(
  locales: readonly string[],
  read: (name: string) => Promise<string>,
): Promise<string> {
  const entries = await Promise.all(
    locales.map(async (locale) => {
      const { faker = locale } = await parseLanguage(locale, read)
      const parts = ['language', 'kinds'].map(
        (part) => `${part}: async () => (await import('${prefix}${part}/${locale}')).default`,
      )
      return `${locale}: { ${parts.join(', ')}, faker: () => import('@faker-js/faker/locale/${faker}') }`
    }),
  )
  return `export const locales = ${JSON.stringify(locales)}\nexport const shippedLetters = { ${entries.join(',\n')} }`
}
