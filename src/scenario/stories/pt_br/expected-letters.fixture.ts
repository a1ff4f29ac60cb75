import { type ExpectedLetters, englishWords } from '../expected-letters.fixture.js'

export const expected: ExpectedLetters = {
  greeting: /^[^\n]+[,?!]$/,
  quotes: ['Em terça-feira, 6 de janeiro, Ann Lee escreveu:', 'Ann Lee escreveu:'],
  own: /\b(?:de|que|para|com|um|uma|em|do|da|na|no|os)\b/i,
  foreign: englishWords,
  money: /R\$ \d{1,3}(?:\.\d{3})*,\d{2}(?!\d)/,
}
