import { type ExpectedLetters, englishWords } from '../expected-letters.fixture.js'

export const expected: ExpectedLetters = {
  greeting: /^(?:Bonjour|Bonsoir|Re-bonjour|Madame, Monsieur|Chère Madame|Cher Monsieur)[^\n]*,$/,
  quotes: ['Le mardi 6 janvier, Ann Lee a écrit :', 'Ann Lee a écrit :'],
  own: /\b(?:le|la|les|de|du|des|un|une|et|je|nous|vous|est|pour|que|ne|au|en|mon|il)\b/i,
  foreign: englishWords,
  money: /\d{1,3}(?: \d{3})*,\d{2} €/,
}
