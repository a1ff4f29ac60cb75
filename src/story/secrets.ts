import { once } from '../base/once.js'
import { toBase64, toHex } from '../mail/transfer-encoding.js'
import type { Masker } from '../service/record/masker.js'

/** The form in which a secret was found. */
type SecretForm = 'as it is' | 'in another spelling' | 'reversed' | 'in base64' | 'in hex' | 'in pieces'

/** A secret that was found in a text. */
interface FoundSecret {
  readonly name: string
  readonly form: SecretForm
}

/** A form of a secret, and the pattern that recognizes it. */
interface Needle extends FoundSecret {
  readonly pattern: RegExp
}

/** Secrets with fewer letters and digits count only as whole words, and never in pieces: within others they occur by chance. */
const unmistakable = 8

/** The fewest letters and digits of a piece. */
const leastPiece = 3

/** What may stand between the letters of a secret. */
const between = '[^\\p{L}\\p{N}]{0,8}'

/**
 * Finds secrets in texts: as they are, in another case or with spaces and punctuation between their letters, reversed, in
 * base64 at any offset, and in hex.
 */
export class SecretFinder {
  readonly #values: Readonly<Record<string, string>>
  readonly #needles: readonly Needle[]

  /** `secrets` are the values by name. */
  constructor(secrets: Readonly<Record<string, string>>) {
    this.#values = secrets
    this.#needles = Object.entries(secrets).flatMap(([name, value]) => needlesOf(name, value))
  }

  /** Returns the secrets in a text, each once, in the plainest form that occurs. */
  find(text: string): FoundSecret[] {
    const found = new Map<string, FoundSecret>()
    for (const { name, form, pattern } of this.#needles) {
      if (!found.has(name) && text.search(pattern) >= 0) found.set(name, { name, form })
    }
    return [...found.values()]
  }

  /**
   * Returns the secrets that several texts to one recipient give in pieces: whole words of at least three of their letters and
   * digits, in order.
   */
  findPieces(texts: readonly string[]): FoundSecret[] {
    const words = texts.flatMap((text) => foldedWords(text))
    return Object.entries(this.#values).flatMap(([name, value]) => {
      const letters = lettersIn(value)
      if (letters.length < unmistakable) return []
      /** How many of the letters the words so far may have given. */
      const given = new Set([0])
      for (const word of words) {
        for (const at of given) if (letters.startsWith(word, at)) given.add(at + word.length)
      }
      return given.has(letters.length) ? [{ name, form: 'in pieces' as const }] : []
    })
  }

  /** Returns a text with `[secret refund_code]` in place of each secret, from its first character as it is written to its last. */
  masked(text: string): string {
    return this.#needles.reduce(
      (masked, { name, pattern }) => masked.replace(pattern, `[secret ${name}]`),
      text,
    )
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
}

/** Returns the number of letters and digits by which a secret is recognized. */
export function recognizableLength(secret: string): number {
  return lettersIn(secret).length
}

function lettersIn(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Returns the words of a text that may be pieces, in lower case; those with dashes whole and in their parts. */
function foldedWords(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}_-]+/u)
  const all = words.flatMap((word) => [...new Set([lettersIn(word), ...word.split(/[_-]/).map(lettersIn)])])
  return all.filter((word) => word.length >= leastPiece)
}

/** Returns the forms of a secret, the plainest first. */
function needlesOf(name: string, value: string): Needle[] {
  const encoder = new TextEncoder()
  const spellings = [...new Set([value, value.toLowerCase(), value.toUpperCase()])]
  const bytes = spellings.map((spelling) => encoder.encode(spelling))
  const letters = [...lettersIn(value)]
  const needle = (form: SecretForm, source: string, flags: string): Needle => {
    return { name, form, pattern: new RegExp(source, flags) }
  }
  return [
    ...(letters.length < unmistakable ? [] : [needle('as it is', escaped(value), 'gu')]),
    needle('in another spelling', spelled(letters), 'giu'),
    needle('reversed', spelled(letters.reverse()), 'giu'),
    needle('in base64', bytes.flatMap(base64Forms).map(wrapped).join('|'), 'gu'),
    needle(
      'in hex',
      bytes.map((one) => (toHex(one).match(/../g) ?? []).join(`${between}(?:0x)?`)).join('|'),
      'giu',
    ),
  ]
}

/** Returns the pattern of letters in order, with anything but letters and digits in between. */
function spelled(letters: readonly string[]): string {
  const source = letters.map(escaped).join(between)
  return letters.length >= unmistakable ? source : `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`
}

/** Returns the pattern of base64 in the alphabet of mail or of addresses, over lines. */
function wrapped(form: string): string {
  return [...form].map((one) => ({ '+': '[+-]', '/': '[/_]' })[one] ?? one).join('\\s*')
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

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Masks in what is reported of a play both the keys and tokens of its world and the secrets of its story. */
export class StoryMasker {
  /** Masks only keys and tokens: in what is shown to those who may know the story. */
  readonly keys: Masker
  readonly #secrets: () => SecretFinder

  constructor(keys: Masker, secrets: SecretFinder | Readonly<Record<string, string>>) {
    this.keys = keys
    // Most who mask keys never need it.
    this.#secrets = once(() => (secrets instanceof SecretFinder ? secrets : new SecretFinder(secrets)))
  }

  /** Masks only the secrets of the story: in what is already shown without keys, such as exchanges. */
  get secrets(): SecretFinder {
    return this.#secrets()
  }

  /** Returns a masker that also knows the secrets in the arguments and the environment of a command. */
  forCommand(...command: Parameters<Masker['forCommand']>): StoryMasker {
    return new StoryMasker(this.keys.forCommand(...command), this.secrets)
  }

  text(text: string): string {
    return this.secrets.masked(this.keys.text(text))
  }

  /** Masks only what is known to be secret: in words of the story and of mail, where a name says little about its value. */
  known(text: string): string {
    return this.secrets.masked(this.keys.known(text))
  }

  /** Masks any JSON value, including the names in it. */
  content<Content>(content: Content): Content {
    return this.secrets.maskedIn(this.keys.content(content) as Content)
  }

  arguments(args: readonly string[]): string[] {
    return this.secrets.maskedIn(this.keys.arguments(args))
  }
}
