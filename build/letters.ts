import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'rolldown'
import { type PersonNames, personNames } from '../src/story/letters/language.js'
import { localesAmong, parseKinds, parseLanguage, type ReadText } from '../src/story/letters/schema.js'

const prefix = 'letters:'
const shipped = /[\\/]src[\\/]story[\\/]letters[\\/]shipped\.ts$/

/**
 * Puts the letters of fixtures/letters into bundles as JSON, one module for each part of a language, so that they are not
 * read from YAML at run time: that takes fifty times as long and needs a file system. The names of people are among them, so
 * that generated mail does not load Faker. The few small files of fixtures/attachments are in one module with the list.
 */
export function lettersInside(): Plugin {
  const folder = 'fixtures/letters'
  const read = (name: string) => readFile(`${folder}/${name}`, 'utf8')
  const locales = localesAmong(readdirSync(folder))
  return {
    name: 'letters-inside',
    resolveId: { filter: { id: /^letters:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: [shipped, /^\0letters:/] },
      async handler(id) {
        if (shipped.test(id)) return moduleOf(locales, read)
        const [part, locale] = id.slice(prefix.length + 1).split('/') as [keyof typeof parts, string]
        const source = await parts[part](locale, read)
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(source))})`
      },
    },
  }
}

const parts = { language: parseLanguage, names: readNames, kinds: parseKinds }

async function readNames(locale: string, read: ReadText): Promise<PersonNames> {
  const { people, faker: name = locale } = await parseLanguage(locale, read)
  const { faker } = await import(`@faker-js/faker/locale/${name}`)
  return personNames(people, faker.rawDefinitions.person)
}

/** Returns the module that replaces src/story/letters/shipped.ts. */
async function moduleOf(locales: readonly string[], read: ReadText): Promise<string> {
  const entries = await Promise.all(
    locales.map(async (locale) => {
      const { faker = locale } = await parseLanguage(locale, read)
      const loaders = Object.keys(parts).map(
        (part) => `${part}: async () => (await import('${prefix}${part}/${locale}')).default`,
      )
      return `${locale}: { ${loaders.join(', ')}, faker: () => import('@faker-js/faker/locale/${faker}') }`
    }),
  )
  const attachments = readdirSync('fixtures/attachments').map((name) => {
    return [name, readFileSync(`fixtures/attachments/${name}`, 'base64')]
  })
  return `
export const locales = ${JSON.stringify(locales)}
export const shippedLetters = { ${entries.join(',\n')} }
export const shippedAttachments = new Map(${JSON.stringify(attachments)})`
}
