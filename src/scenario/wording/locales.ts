import type { Faker } from '@faker-js/faker'
import { identitiesOf } from '../format/identities-of.js'
import type { LanguageStories } from '../stories/language.js'
import type { StoryKind } from '../stories/story.js'
import type { Locale } from './locale-names.js'
import { createTemplates, type Templates } from './templates.js'

/** A language as it comes from its modules: Faker's words, and the stories written for it. */
export interface LoadedLocale extends LanguageStories {
  /** Shared by everybody, so it only gives its class and its words. */
  readonly faker: Faker
}

/** What is written in one language: templates filled in, and the kinds of generated mail. */
export interface Wording {
  readonly templates: Templates
  readonly kinds: readonly StoryKind[]
}

/** A scenario, as far as languages go. */
export interface Multilingual {
  readonly locale: Locale
  readonly identities: readonly { readonly locale?: Locale | undefined }[]
  readonly organizations: readonly Pick<Multilingual, 'identities'>[]
}

/** Loads Faker's words and the stories of one language, and of no other. */
export async function loadLocale(locale: Locale): Promise<LoadedLocale> {
  const [{ faker }, { stories }] = await modulesOf[locale]()
  return { faker, ...stories }
}

// Spelt out, so that bundlers see every module there is.
const modulesOf = {
  en: () => Promise.all([import('@faker-js/faker/locale/en'), import('../stories/en/index.js')]),
  de: () => Promise.all([import('@faker-js/faker/locale/de'), import('../stories/de/index.js')]),
  fr: () => Promise.all([import('@faker-js/faker/locale/fr'), import('../stories/fr/index.js')]),
  ja: () => Promise.all([import('@faker-js/faker/locale/ja'), import('../stories/ja/index.js')]),
  ar: () => Promise.all([import('@faker-js/faker/locale/ar'), import('../stories/ar/index.js')]),
  pt_BR: () => Promise.all([import('@faker-js/faker/locale/pt_BR'), import('../stories/pt_br/index.js')]),
} satisfies Record<Locale, () => Promise<readonly [{ faker: Faker }, { stories: LanguageStories }]>>

/** The wordings of every language a scenario uses, each loaded once. */
export async function loadWordings(
  scenario: Multilingual,
  seed: number,
  start: number,
): Promise<ReadonlyMap<Locale, Wording>> {
  const wordings = new Map<Locale, Wording>()
  for (const locale of localesOf(scenario)) {
    const loaded = await loadLocale(locale)
    wordings.set(locale, { templates: createTemplates(seed, start, loaded), kinds: loaded.kinds })
  }
  return wordings
}

function localesOf(scenario: Multilingual): ReadonlySet<Locale> {
  return new Set([scenario.locale, ...identitiesOf(scenario).flatMap(({ locale }) => locale ?? [])])
}
