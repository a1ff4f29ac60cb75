import { type ExpectedLetters, englishWords } from '../expected-letters.fixture.js'

export const expected: ExpectedLetters = {
  greeting: /^(?:Guten (?:Morgen|Tag|Abend)|Hallo|Sehr geehrte|Liebes Team)[^\n]*,$/,
  quotes: ['Am Dienstag, 6. Januar, schrieb Ann Lee:', 'Ann Lee schrieb:'],
  own: /\b(?:der|die|das|dem|den|und|ich|wir|Sie|nicht|ist|Ihre?n?|zu|an|auf|für|im|in|mit|bei|von|es)\b/,
  foreign: englishWords,
  money: /\d{1,3}(?:\.\d{3})*,\d{2} €/,
}
