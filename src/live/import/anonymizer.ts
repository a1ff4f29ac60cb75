import { createRandom, type Random } from '../../service/time/random.js'

/** The letters of invented words, alternating. */
const [consonants, vowels] = ['bdfgklmnprstvz', 'aeiou']

/** Other scripts, each with the first and the last of the letters that replace its letters. */
const scripts: readonly (readonly [RegExp, string, string])[] = [
  [/\p{Script=Hiragana}/u, 'あ', 'ん'],
  [/\p{Script=Katakana}/u, 'ア', 'ン'],
  [/\p{Script=Han}/u, '一', '鿕'],
  [/\p{Script=Hangul}/u, '가', '힣'],
  [/\p{Script=Arabic}/u, 'ا', 'غ'],
  [/\p{Script=Hebrew}/u, 'א', 'ת'],
  [/\p{Script=Cyrillic}/u, 'а', 'я'],
  [/\p{Script=Greek}/u, 'α', 'ω'],
]

/** The length from which words and numbers of the mailbox do not occur in replacements. */
const shortest = 4

/** How many inventions may be rejected for one word, and for all of them. */
const [triesOfOne, triesOfAll] = [200, 200_000]

/** Words and numbers; longer ones are replaced part by part, since the cost for one grows faster than its length. */
const words = /[\p{L}\p{M}]{1,40}|\p{Nd}{1,40}/gu

// An address begins behind what cannot be in one, or a long text would be searched again from each of its characters. Bounded,
// since the engine keeps a state for each repetition.
const linkOrAddress =
  /(\bhttps?:\/\/[^\s<>"')\]]{1,8000}|(?<![^\s<>@"'(),:;[\]\\])[^\s<>@"'(),:;[\]\\]{1,1000}@[^\s<>@"'(),:;[\]\\]{1,1000})/giu

/** Lines of an encoded file, whose letters are no words. */
const encoded = /[\w+/=-]{60,1000}/g

/** The most characters of a text that are replaced at once, unless there is no space to divide it at. */
const pieceLength = 32_768

/** Divides a text behind spaces into pieces that can be noted and replaced one by one. */
export function* piecesOfText(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const most = text.slice(start, start + pieceLength)
    const isLast = start + pieceLength >= text.length
    const [piece] = (isLast ? undefined : /^.*\s/s.exec(most)) ?? [isLast ? most : wholeLetters(most)]
    yield piece
    start += piece.length
  }
}

/** Leaves out the first half of a character that a text ends with. */
function wholeLetters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

/** Replaces the private parts of rows. */
export type Replacer = Omit<Anonymizer, 'note'>

const same = (text: string): string => text

/** Keeps everything as it is. */
export const unchanged: Replacer = {
  ...{ text: same, subject: same, address: same, sender: same, link: same, filename: same },
}

/**
 * Replaces people, addresses, domains, numbers, links and words with invented ones of the same length and
 * shape; equal originals get equal replacements. All texts must be noted first, so that no invented word
 * occurs in one of them.
 */
export class Anonymizer {
  readonly #seed: number
  readonly #taken = new Set<string>()
  /** The beginnings of those words, as long as the shortest. */
  readonly #beginnings = new Set<string>()
  /** How many further inventions may be rejected: in time, random letters are all that can be invented. */
  #triesLeft = triesOfAll
  readonly #known = new Map<string, string>()
  /** Original addresses by invented ones. */
  readonly #addresses = new Map<string, string>()

  /** A seed always leads to the same inventions, so anybody who knows it can recognize the originals. */
  constructor(seed: number) {
    this.#seed = seed
  }

  /** Notes the words of a text that will be replaced. */
  note(text: string): void {
    for (const [word] of text.replace(encoded, ' ').matchAll(words)) {
      if (word.length < shortest) continue
      const taken = word.toLowerCase()
      this.#taken.add(taken)
      this.#beginnings.add(taken.slice(0, shortest))
    }
  }

  /** Replaces the words of a text; keeps the characters between them. */
  text(text: string): string {
    const parts = text.split(linkOrAddress).map((part, index) => {
      if (index % 2 === 0) return this.#words(part)
      return /^https?:/i.test(part) ? this.link(part) : this.address(part)
    })
    return parts.join('')
  }

  /** Replaces a subject; keeps prefixes such as `Re:`. */
  subject(text: string): string {
    const [mark = ''] = /^((re|fwd?|aw|wg|sv|tr|rv|enc)(\[\d+\])?: *)*/i.exec(text) ?? []
    return mark + this.text(text.slice(mark.length))
  }

  /** Replaces an address; different ones stay different, even if the same words were invented for them. */
  address(text: string): string {
    const at = text.lastIndexOf('@')
    const [name, host] = [this.#words(text.slice(0, at)), this.#host(text.slice(at + 1))]
    for (let turn = 1; ; turn++) {
      const invented = `${name}${turn === 1 ? '' : `.${turn}`}@${host}`
      const original = this.#addresses.get(invented.toLowerCase()) ?? text.toLowerCase()
      this.#addresses.set(invented.toLowerCase(), original)
      if (original === text.toLowerCase()) return invented
    }
  }

  /** Replaces a sender: `Ann <ann@example.com>`. */
  sender(text: string): string {
    const [, name = '', mailbox] = /^(.*)<([^<>]*)>$/s.exec(text) ?? []
    if (mailbox === undefined) return this.text(text)
    return `${this.#words(name)}<${mailbox.includes('@') ? this.address(mailbox) : this.#words(mailbox)}>`
  }

  /** Replaces a link; keeps its scheme. */
  link(text: string): string {
    const [, scheme = '', host = '', rest = ''] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? []
    if (scheme === '') return this.#words(text)
    return `${scheme}${this.#host(host.replace(/^.*@|:\d*$/g, ''))}${this.#words(rest)}`
  }

  /** Replaces the name of a file; keeps its extension. */
  filename(text: string): string {
    const ending = /\.[a-z\d]{1,5}$/i.exec(text)?.[0] ?? ''
    return this.#words(text.slice(0, text.length - ending.length)) + ending
  }

  #host(host: string): string {
    const labels = host.split('.').map((label) => this.#words(label))
    // A reserved domain, so that no invented address belongs to anybody.
    return [...labels.slice(0, Math.max(1, labels.length - 1)), 'test'].join('.')
  }

  #words(text: string): string {
    return text.replace(words, (word) => this.#word(word))
  }

  #word(word: string): string {
    const key = word.toLowerCase()
    let invented = this.#known.get(key)
    for (let attempt = 0; invented === undefined; attempt++) {
      const candidate = invent(key, createRandom(this.#seed, `anonymous/${attempt}/${key}`))
      const isLast = attempt >= triesOfOne || this.#triesLeft === 0
      if (isLast || !this.#isTaken(candidate)) invented = candidate
      else this.#triesLeft--
    }
    this.#known.set(key, invented)
    return shaped(invented, word)
  }

  /** Returns whether an invented word contains a word of the noted texts. */
  #isTaken(candidate: string): boolean {
    for (let start = 0; start + shortest <= candidate.length; start++) {
      if (!this.#beginnings.has(candidate.slice(start, start + shortest))) continue
      for (let end = start + shortest; end <= candidate.length; end++) {
        if (this.#taken.has(candidate.slice(start, end))) return true
      }
    }
    return false
  }
}

/** Invents a word of the length and script of another; digits become digits. */
function invent(word: string, random: Random): string {
  let turn = random.integer(0, 1)
  const next = (): string => {
    const letters = turn++ % 2 === 0 ? consonants : vowels
    return letters.charAt(random.integer(0, letters.length - 1))
  }
  // Most words are of these letters.
  if (/^[a-z]+$/.test(word)) return word.replace(/./g, next)
  return [...word]
    .map((letter) => {
      if (/\p{Nd}/u.test(letter)) return String(random.integer(1, 9))
      if (/\p{M}/u.test(letter)) return letter
      const [, first, last] = scripts.find(([script]) => script.test(letter)) ?? []
      if (first !== undefined && last !== undefined) {
        const start = first.codePointAt(0) as number
        const invented = random.integer(start, last.codePointAt(0) as number)
        return String.fromCodePoint(invented)
      }
      return next()
    })
    .join('')
}

/** Returns a word with the capitals of another. */
function shaped(invented: string, word: string): string {
  if (word === word.toLowerCase()) return invented
  if (word === word.toUpperCase()) return invented.toUpperCase()
  const letters = [...word]
  return [...invented]
    .map((letter, index) => {
      const model = letters[index] ?? ''
      return model !== model.toLowerCase() ? letter.toUpperCase() : letter
    })
    .join('')
}
