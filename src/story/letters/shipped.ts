import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Faker } from '@faker-js/faker'
import { once } from '../../base/once.js'
import { packageRoot } from '../../base/package.js'
import { type PersonNames, personNames } from './language.js'
import { type KindSource, type LanguageSource, localesAmong, parseKinds, parseLanguage } from './schema.js'

// The build replaces this module with one that has the same exports and contains the files: build/letters.ts.

const folder = new URL('fixtures/letters/', packageRoot())
const read = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8')

/** The locales of generated mail: those with kinds of mail in fixtures/letters. */
export const locales: readonly string[] = localesAmong(readdirSync(folder))

/** The letters of a language; each part is read when it is first needed. */
export interface ShippedLetters {
  readonly language: () => Promise<LanguageSource>
  readonly kinds: () => Promise<Readonly<Record<string, KindSource>>>
  readonly names: () => Promise<PersonNames>
  /** Imports Faker's words. */
  readonly faker: () => Promise<{ readonly faker: Faker }>
}

/** The shipped letters, by locale. */
export const shippedLetters: Readonly<Record<string, ShippedLetters>> = Object.fromEntries(
  locales.map((locale) => {
    const language = once(() => parseLanguage(locale, read))
    const kinds = once(() => parseKinds(locale, read))
    const faker = async () => import(`@faker-js/faker/locale/${(await language()).faker ?? locale}`)
    const names = async () => {
      return personNames((await language()).people, (await faker()).faker.rawDefinitions.person ?? {})
    }
    return [locale, { language, kinds, names, faker }]
  }),
)

const attachments = new URL('fixtures/attachments/', packageRoot())

/** The shipped attachments, in base64, by file name. */
export const shippedAttachments: ReadonlyMap<string, string> = new Map(
  readdirSync(attachments).map((name) => [name, readFileSync(new URL(name, attachments), 'base64')]),
)
