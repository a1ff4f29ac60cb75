/** The languages generated mail is written in; each is loaded only when a scenario uses it. */
export const locales = ['en', 'de', 'fr', 'ja', 'ar', 'pt_BR'] as const

/** One of the languages, by the name Faker gives it, e.g. `pt_BR`. */
export type Locale = (typeof locales)[number]
