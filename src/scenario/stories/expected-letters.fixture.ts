/** What tests look for in the letters of a language, beside what holds in all of them. */
export interface ExpectedLetters {
  /** The first lines of a letter, up to the empty line. */
  readonly greeting: RegExp
  /** Above a quotation of what Ann Lee wrote on Tuesday, 6 January 2026, and on a day that is not known. */
  readonly quotes: readonly [day: string, noDay: string]
  /** Common words or letters of the language: every message of more than 200 characters has some. */
  readonly own: RegExp
  /** Words that show that somebody forgot to translate; not looked for in bounces, whose reports are English. */
  readonly foreign: RegExp
  /** An amount of money, e.g. `1.249,50 €`; some message has one. */
  readonly money: RegExp
}

/** What no message in another language than English says. */
export const englishWords = /\b(?:the|and|with|your|you|please|thank|thanks|from|order|wrote|dear|hello)\b/i
