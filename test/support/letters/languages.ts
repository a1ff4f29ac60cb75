/** The expected letters of a language, in addition to the properties of all languages. */
export interface ExpectedLetters {
  /** The first lines of a letter, up to the empty line. */
  readonly greeting: RegExp
  /** The line above a quote of Ann Lee from Tuesday, 6 January 2026, and from an unknown day. */
  readonly quotes?: readonly [day: string, noDay: string]
  /** Common words or letters of the language: every message of more than 200 characters has some. */
  readonly own: RegExp
  /** Untranslated words; not checked in bounces, whose reports are English. */
  readonly foreign: RegExp
  /** An amount of money, e.g. `1.249,50 €`, which some message has. */
  readonly money: RegExp
  /** Values with their format in the language. */
  readonly formats: readonly (readonly [expression: string, text: string])[]
}

const englishWords = /\b(?:the|and|with|your|you|please|thank|thanks|from|order|wrote|dear|hello)\b/i

/** The expectations for any language. */
export const anyLetters: ExpectedLetters = {
  greeting: /\S/,
  own: /\S/,
  foreign: /(?!)/,
  money: /\d/,
  formats: [],
}

/** The shipped languages. */
export const expectedLetters: Readonly<Record<string, ExpectedLetters>> = {
  en: {
    greeting: /^[A-Z][^\n]*,$/,
    quotes: ['On Tuesday, 6 January, Ann Lee wrote:', 'Ann Lee wrote:'],
    own: /\b(?:the|a|I|you|is|it|to|we|for|of)\b/i,
    foreign: /\b(?:der|und|nicht|les|est|não|para)\b/,
    money: /(?:[€£$]|CHF )\d{1,3}(?:,\d{3})*\.\d{2}/,
    formats: [
      ['begins:day', 'Tuesday, 6 January'],
      ['begins:date', '6 January 2026'],
      ['begins:time', '09:05'],
      ['begins + 4d:workday_before:day', 'Friday, 9 January'],
      ['begins + 5d:workday_after:day', 'Monday, 12 January'],
      ['124950:amount', '1,249.50'],
    ],
  },
  de: {
    greeting: /^(?:Guten (?:Morgen|Tag|Abend)|Hallo|Sehr geehrte|Liebes Team)[^\n]*,$/,
    quotes: ['Am Dienstag, 6. Januar, schrieb Ann Lee:', 'Ann Lee schrieb:'],
    own: /\b(?:der|die|das|dem|den|und|ich|wir|Sie|nicht|ist|Ihre?n?|zu|an|auf|für|im|in|mit|bei|von|es)\b/,
    foreign: englishWords,
    money: /\d{1,3}(?:\.\d{3})*,\d{2} €/,
    formats: [
      ['begins:date', '6. Januar 2026'],
      ['5:money', '0,05 €'],
      ['124950:money', '1.249,50 €'],
    ],
  },
  fr: {
    greeting: /^(?:Bonjour|Bonsoir|Re-bonjour|Madame, Monsieur|Chère Madame|Cher Monsieur)[^\n]*,$/,
    quotes: ['Le mardi 6 janvier, Ann Lee a écrit :', 'Ann Lee a écrit :'],
    own: /\b(?:le|la|les|de|du|des|un|une|et|je|nous|vous|est|pour|que|ne|au|en|mon|il)\b/i,
    foreign: englishWords,
    money: /\d{1,3}(?: \d{3})*,\d{2} €/,
    formats: [
      ['begins - 5d:day', '1er janvier'],
      ['9h:hour_of_day', '9 h'],
      ['9h + 5min:hour_of_day', '9 h 05'],
    ],
  },
  ja: {
    greeting: /[。様中]$/,
    quotes: ['2026年1月6日、Lee Ann さんが書きました：', 'Lee Ann さんが書きました：'],
    own: /[\p{Script=Hiragana}]/u,
    foreign: englishWords,
    money: /(?<![\d,])\d{1,3}(?:,\d{3})*円/,
    formats: [
      ['begins:day', '1月6日（火）'],
      ['begins:month', '1月'],
      ['980:money', '980円'],
      ['1204050:money', '1,204,050円'],
    ],
  },
  ar: {
    greeting: /،$/,
    quotes: ['بتاريخ 6 يناير 2026، تمت كتابة ما يلي بواسطة Ann Lee:', 'تمت كتابة ما يلي بواسطة Ann Lee:'],
    own: /[ةأإ]/,
    foreign: englishWords,
    money: /(?:\d{1,3}(?:,\d{3})*\.\d{2}|[٠-٩]{1,3}(?:٬[٠-٩]{3})*٫[٠-٩]{2}) (?:ريال|درهم|جنيه|دينار)/,
    formats: [
      ['begins:day', 'الثلاثاء 6 يناير'],
      ['124950:amount:eastern', '١٬٢٤٩٫٥٠'],
      ['0h:hour_of_day', '12:00 صباحًا'],
      ['12h:hour_of_day', '12:00 ظهرًا'],
      ['15h:hour_of_day', '3:00 عصرًا'],
      ['18h:hour_of_day', '6:00 مساءً'],
      ['begins + 3d:workday_before:weekday', 'الخميس'],
      ['begins + 3d:workday_after:weekday', 'الأحد'],
    ],
  },
  pt_BR: {
    greeting: /^[^\n]+[,?!]$/,
    quotes: ['Em terça-feira, 6 de janeiro, Ann Lee escreveu:', 'Ann Lee escreveu:'],
    own: /\b(?:de|que|para|com|um|uma|em|do|da|na|no|os)\b/i,
    foreign: englishWords,
    money: /R\$ \d{1,3}(?:\.\d{3})*,\d{2}(?!\d)/,
    formats: [
      ['begins:date', '06/01/2026'],
      ['begins - 5d:short_date', '1º de janeiro'],
      ['14h + 30min:hour_of_day', '14h30'],
      ['100100900:money', 'R$ 1.001.009,00'],
    ],
  },
}
