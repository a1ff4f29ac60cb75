import { spell } from '../../base/spelling.js'
import { decodePercent } from '../../base/text.js'
import { toBase64, toHex } from '../../mail/transfer-encoding.js'

/** The form in which a secret was found. */
export type SecretForm =
  | 'as it is'
  | 'in another spelling'
  | 'reversed'
  | 'in base64'
  | 'in hex'
  | 'in base32'
  | 'in decimal'
  | 'in rot13'
  | 'spelled in words'

/** A secret that was found in a text. */
export interface FoundSecret {
  readonly name: string
  readonly form: SecretForm
}

/** A text in the normalized forms in which different spellings of a secret are equal. */
interface Views {
  readonly plain: string
  /** In lower case, with look-alike letters and digits as one of them. */
  readonly folded: string
  /** Only the letters and digits of that form. */
  readonly letters: string
  /** Without spaces and line breaks, in the standard alphabet of base64. */
  readonly base64: string
  /** Its numbers, each between spaces. */
  readonly numbers: string
}

/** A form of a secret, and how it is recognized. */
interface Needle extends FoundSecret {
  readonly value: string
  isIn(views: Views): boolean
}

/**
 * Finds secrets in texts, however they are written: in another case, with separators, with look-alike or invisible
 * characters, reversed, escaped, in base64 or base32 at any offset, in hex, as decimal codes of its characters, in rot13,
 * or spelled in words. The time is linear in the length of the text.
 */
export class SecretFinder {
  readonly #needles: readonly Needle[]

  /** `secrets` are the values by name. */
  constructor(secrets: Readonly<Record<string, string>>) {
    this.#needles = Object.entries(secrets).flatMap(([name, value]) => needlesOf(name, value))
  }

  /** Returns the secrets in a text, each once, in the plainest form that occurs. */
  find(text: string): FoundSecret[] {
    if (this.#needles.length === 0 || text === '') return []
    const views = [...new Set([text, unescaped(text)])].map(viewsOf)
    const found = new Map<string, FoundSecret>()
    for (const { name, value, form, isIn } of this.#needles) {
      if (found.has(name) || !views.some(isIn)) continue
      found.set(name, {
        name,
        form: form === 'in another spelling' && text.includes(value) ? 'as it is' : form,
      })
    }
    return [...found.values()]
  }

  /** Returns a text with `[secret refund_code]` in place of each secret, from its first character as it is written to its last. */
  masked(text: string): string {
    let [masked, left] = ['', text]
    for (let found = this.#first(left); found; found = this.#first(left)) {
      masked += `${left.slice(0, found.start)}[secret ${found.name}]`
      left = left.slice(found.end)
    }
    return masked + left
  }

  /** Returns a JSON value with the secrets masked in all of its texts, names included. */
  maskedIn<Value>(value: Value): Value {
    if (this.#needles.length === 0) return value
    const mask = (part: unknown): unknown => {
      if (typeof part === 'string') return this.masked(part)
      if (Array.isArray(part)) return part.map(mask)
      if (typeof part !== 'object' || part === null) return part
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [this.masked(name), mask(inner)]))
    }
    return mask(value) as Value
  }

  /** Returns the place of the secret that ends first. */
  #first(text: string): { readonly name: string; readonly start: number; readonly end: number } | undefined {
    const isIn = (start: number, end: number): boolean => this.find(text.slice(start, end)).length > 0
    // Only as much as holds the first one is searched again, so that the time is linear in the text.
    let size = 64
    while (!isIn(0, size)) {
      if (size >= text.length) return undefined
      size *= 2
    }
    const end = leastNumber(Math.min(size, text.length), (length) => isIn(0, length))
    const start = end - leastNumber(end, (length) => isIn(end - length, end))
    const [{ name }] = this.find(text.slice(start, end)) as [FoundSecret]
    return { name, start, end }
  }
}

/** Returns the least number up to one that holds, if all above the least do. */
function leastNumber(most: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return high
}

/** Returns the letters and digits of a text as spellings of it have them in common. */
export function lettersIn(text: string): string {
  return lettersOf(fold(text))
}

/** Returns the number of letters and digits by which a secret is recognized. */
export function recognizableLength(secret: string): number {
  return lettersIn(secret).length
}

/** Secrets with fewer letters and digits count only as whole words: within others they occur by chance. */
export const unmistakable = 8

/** Returns the forms of a secret, the plainest first. */
function needlesOf(name: string, value: string): Needle[] {
  const letters = lettersOf(fold(value))
  const encoder = new TextEncoder()
  const spellings = [...new Set([value, value.toLowerCase(), value.toUpperCase()])]
  const bytes = spellings.map((spelling) => encoder.encode(spelling))
  const base64 = bytes.flatMap(base64Forms)
  const hex = bytes.map((one) => fold(toHex(one)))
  const base32 = bytes.flatMap(base32Forms).map(fold)
  const decimal = bytes.flatMap((one) => {
    return [` ${[...one].join(' ')} `, [...one].map((byte) => `${byte}`.padStart(3, '0')).join('')]
  })
  const rot13 = lettersOf(fold(value.replace(/[a-z]/gi, rotated)))
  const words = [value, value.toLowerCase()].map((spelling) => lettersOf(fold(spell(spelling))))
  const forms: readonly [SecretForm, Needle['isIn']][] = [
    ['in another spelling', spelled(letters)],
    ['reversed', spelled([...letters].reverse().join(''))],
    ['in base64', (views) => base64.some((form) => views.base64.includes(form))],
    ['in hex', (views) => hex.some((form) => views.letters.includes(form))],
    ['in base32', (views) => base32.some((form) => views.letters.includes(form))],
    ['in decimal', (views) => decimal.some((form) => views.numbers.includes(form))],
    ...(rot13 === letters ? [] : [['in rot13', spelled(rot13)] as [SecretForm, Needle['isIn']]]),
    ['spelled in words', (views) => words.some((form) => views.letters.includes(form))],
  ]
  return forms.map(([form, isIn]) => ({ name, value, form, isIn }))
}

/** Returns whether a text has these letters in order, with anything but letters and digits in between. */
function spelled(letters: string): Needle['isIn'] {
  if (letters.length >= unmistakable) return (views) => views.letters.includes(letters)
  const spaced = [...letters].join('[^\\p{L}\\p{N}]{0,3}')
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${spaced}(?![\\p{L}\\p{N}])`, 'u')
  return ({ folded }) => word.test(folded)
}

/** Returns the characters of base64 that bytes alone determine, for each of the three offsets at which they may begin. */
function base64Forms(bytes: Uint8Array<ArrayBuffer>): string[] {
  return [0, 1, 2].map((offset) => {
    const padded = new Uint8Array(offset + bytes.length)
    padded.set(bytes, offset)
    const bits = padded.length * 8
    return toBase64(padded).slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6))
  })
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the same for base32, for each of the five offsets. */
function base32Forms(bytes: Uint8Array<ArrayBuffer>): string[] {
  return [0, 1, 2, 3, 4].map((offset) => {
    const bits = [...new Uint8Array(offset), ...bytes]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
    const whole = bits.slice(0, bits.length - (bits.length % 5)).match(/.{5}/g) ?? []
    const from = Math.ceil((offset * 8) / 5)
    return whole
      .map((five) => base32Alphabet.charAt(Number.parseInt(five, 2)))
      .slice(from)
      .join('')
  })
}

function rotated(letter: string): string {
  const base = letter <= 'Z' ? 65 : 97
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
}

function viewsOf(plain: string): Views {
  const folded = fold(plain)
  const base64 = plain.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const numbers = ` ${(plain.match(/\d+/g) ?? []).map(withoutZeros).join(' ')} `
  return { plain, folded, letters: lettersOf(folded), base64, numbers }
}

/** Returns a number of up to three digits without the zeros before it. */
function withoutZeros(number: string): string {
  return number.length > 3 ? number : number.replace(/^0+(?=\d)/, '')
}

function lettersOf(folded: string): string {
  return folded.replace(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * Letters that look like the Latin letter before them. A small and a capital letter may look like different
 * ones.
 */
const lookAlikes =
  'аaАaВbЬbьbсcСcԁdеeЕeёeЁeɡgԌgһhНhнhіiІiїiЇiјjЈjкkКkӏlӀlмmМmոnոnоoОoрpРpԛqԚqѕsЅsтtТtսuѵvѴvԝwԜwхxХxуyУyүyҮy' +
  'αaΑaβbΒbεeΕeηnΗhιiΙiκkΚkμuΜmνvΝnοoΟoρpΡpτtΤtυuΥyχxΧxγyζzΖzωwօoɑaıiՕo'

const latinOf = new Map<string, string>()
for (let at = 0; at < lookAlikes.length; at += 2)
  latinOf.set(lookAlikes.charAt(at), lookAlikes.charAt(at + 1))

/** Digits that are mistaken for letters, and letters for one another. */
const digitLike: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l' }

/** Returns a text in lower case and without accents, look-alike letters as the Latin ones. */
function fold(text: string): string {
  const latin = /^[\0-\x7f]*$/.test(text)
    ? text
    : text
        // Invisible copies of ASCII, and invisible characters between letters.
        .replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(/[^\0-\x7f]/gu, (letter) => latinOf.get(letter) ?? letter)
  return latin.toLowerCase().replace(/[01i]/g, (letter) => digitLike[letter] as string)
}

/** The maximum depth of nested escapes that are decoded. */
const maxDepth = 3

/** Returns a text without percent-encoding, the escapes of JSON and HTML, and tags. */
function unescaped(text: string): string {
  let [before, after] = ['', text]
  for (let depth = 0; depth < maxDepth && after !== before; depth++) {
    before = after
    after = before
      .replace(/<[^<>]*>/g, '')
      .replace(/&#(?:(\d{1,7})|x([\da-f]{1,6}));?/gi, (whole, decimal?: string, hex?: string) => {
        return characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? whole
      })
      .replace(/&[a-z]{2,31};/gi, ' ')
      .replace(/\\u\{?([\da-f]{4,6})\}?|\\x([\da-f]{2})/gi, (whole, code?: string, byte?: string) => {
        return characterOf(Number.parseInt(code ?? byte ?? '', 16)) ?? whole
      })
      .replace(/\\[nrtbf]/g, ' ')
      .replace(/\b0x([\da-f]{2})\b/gi, '$1')
      .replace(/(?:%[\da-f]{2})+/gi, decodePercent)
  }
  return after
}

function characterOf(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
