import type { ExpectedLetters } from '../expected-letters.fixture.js'

export const expected: ExpectedLetters = {
  greeting: /^[A-Z][^\n]*,$/,
  quotes: ['On Tuesday, 6 January, Ann Lee wrote:', 'Ann Lee wrote:'],
  own: /\b(?:the|a|I|you|is|it|to|we|for|of)\b/i,
  foreign: /\b(?:der|und|nicht|les|est|não|para)\b/,
  money: /(?:[€£$]|CHF )\d{1,3}(?:,\d{3})*\.\d{2}/,
}
