import { type ExpectedLetters, englishWords } from '../expected-letters.fixture.js'

export const expected: ExpectedLetters = {
  greeting: /،$/,
  quotes: ['بتاريخ 6 يناير 2026، تمت كتابة ما يلي بواسطة Ann Lee:', 'تمت كتابة ما يلي بواسطة Ann Lee:'],
  own: /[ةأإ]/,
  foreign: englishWords,
  money: /(?:\d{1,3}(?:,\d{3})*\.\d{2}|[٠-٩]{1,3}(?:٬[٠-٩]{3})*٫[٠-٩]{2}) (?:ريال|درهم|جنيه|دينار)/,
}
