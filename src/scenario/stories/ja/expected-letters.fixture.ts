import { type ExpectedLetters, englishWords } from '../expected-letters.fixture.js'

export const expected: ExpectedLetters = {
  greeting: /[。様中]$/,
  quotes: ['2026年1月6日、Lee Ann さんが書きました：', 'Lee Ann さんが書きました：'],
  own: /[\p{Script=Hiragana}]/u,
  foreign: englishWords,
  money: /(?<![\d,])\d{1,3}(?:,\d{3})*円/,
}
