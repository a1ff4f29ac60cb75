import { fromBase64 } from '../../mail/transfer-encoding.js'
import { lettersIn, unmistakable } from './secret-finder.js'

/** A secret that was found in pieces. */
interface FoundPieces {
  readonly name: string
  /** How the pieces give it: `in the first letters of lines`. */
  readonly form: string
}

/** The most pieces into which a secret is divided, each of two characters or more. */
const maxPieces = 8

/** The most words between two pieces in one text. */
const maxBetween = 12

/** The most other texts between those with two pieces. */
const maxTextsBetween = 2

/** The most characters that are searched of what one recipient got: the last of them. */
const maxLength = 100_000

/**
 * Finds secrets in pieces: in the first or second letters of lines, letter by letter with words between, and in whole words
 * of two or more of their characters (three in several texts, and one more for numbers); in one text, or in several that one
 * recipient got. Only secrets of eight letters and digits or more: others occur by chance.
 */
export class PieceFinder {
  readonly #secrets: readonly (readonly [name: string, letters: string])[]

  constructor(secrets: Readonly<Record<string, string>>) {
    this.#secrets = Object.entries(secrets).flatMap(([name, value]) => {
      const letters = lettersIn(value)
      return letters.length < unmistakable ? [] : [[name, letters] as const]
    })
  }

  /** Returns the secrets that texts of one sender to one recipient give in pieces, in their order. */
  find(texts: readonly string[]): FoundPieces[] {
    if (this.#secrets.length === 0) return []
    const latest = withinLimit(texts)
    const lines = latest.flatMap((text) => text.split('\n'))
    const words = wordsIn(latest, /[^\p{L}\p{N}]+/u)
    // Those of a secret with dashes may have some of them.
    const dashed = wordsIn(latest, /[^\p{L}\p{N}_-]+/u)
    const single = words.filter(({ word }) => word.length === 1)
    const ofLines = (at: number): readonly string[] => [
      lines.map((line) => lettersIn(line).charAt(at)).join(''),
      // A line may begin with a dash of the secret instead.
      lines.map((line) => lettersIn(line.trim().charAt(at))).join(''),
    ]
    const views: readonly (readonly [string, readonly string[]])[] = [
      ['in the first letters of lines', ofLines(0)],
      ['in the second letters of lines', ofLines(1)],
      [
        'letter by letter',
        [
          single.map(({ word }) => word).join(''),
          // Each text may have the same further one, such as a subject or the word "a".
          [...new Map(single.map(({ text, word }) => [text, word])).values()].join(''),
        ],
      ],
    ]
    return this.#secrets.flatMap(([name, letters]) => {
      const form =
        views.find(([, all]) => all.some((view) => view.includes(letters)))?.[0] ??
        (isInWords(letters, words) || isInWords(letters, dashed) ? 'in pieces' : undefined)
      return form === undefined ? [] : [{ name, form }]
    })
  }
}

/** Returns the last of some texts, up to the limit of their characters. */
function withinLimit(texts: readonly string[]): readonly string[] {
  let left = maxLength
  const first = texts.findLastIndex((text) => {
    left -= text.length
    return left < 0
  })
  // The last text counts in any case.
  return texts.slice(Math.min(first + 1, texts.length - 1)).map((text) => text.slice(0, maxLength))
}

/** A word, the number of its text, and its place among all words. */
interface PlacedWord {
  readonly word: string
  readonly isNumber: boolean
  readonly text: number
  readonly index: number
}

/** Returns the words of texts, which are separated as an expression says. */
function wordsIn(texts: readonly string[], separator: RegExp): PlacedWord[] {
  return texts
    .flatMap((text, at) => {
      return text.split(separator).map((written) => {
        return { word: lettersIn(written), isNumber: /^[\d_-]+$/.test(written), text: at }
      })
    })
    .map((one, index) => ({ ...one, index }))
}

/** Pieces of a secret that follow one another. */
interface Pieces {
  readonly done: number
  readonly words: readonly PlacedWord[]
}

/** Returns whether words give letters in order, close to one another. */
function isInWords(letters: string, words: readonly PlacedWord[]): boolean {
  let found: Pieces = { done: 0, words: [] }
  for (const one of words) {
    if (one.word.length < 2) continue
    const last = found.words.at(-1)
    if (last && !isNear(last, one)) found = { done: 0, words: [] }
    if (letters.startsWith(one.word, found.done)) {
      found = { done: found.done + one.word.length, words: [...found.words, one] }
    } else if (letters.startsWith(one.word)) found = { done: one.word.length, words: [one] }
    if (found.done === letters.length && areMeant(found.words)) return true
  }
  return false
}

function isNear(last: PlacedWord, next: PlacedWord): boolean {
  return last.text === next.text
    ? next.index - last.index - 1 <= maxBetween
    : next.text - last.text <= maxTextsBetween + 1
}

/** Returns whether pieces are no coincidence: those of several texts are longer, and numbers are longer than words. */
function areMeant(pieces: readonly PlacedWord[]): boolean {
  const isOverTexts = new Set(pieces.map(({ text }) => text)).size > 1
  const lengths = pieces.map(({ word, isNumber }) => word.length - (isNumber ? 1 : 0))
  return pieces.length > 1 && pieces.length <= maxPieces && Math.min(...lengths) >= (isOverTexts ? 3 : 2)
}

/** The most bytes that are decompressed. */
const maxOutputLength = 1_000_000

/** Returns the text in compressed bytes (gzip); undefined if they are not, or in a browser, which cannot decompress them here. */
export function decompressed(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return undefined
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const zlib = process?.getBuiltinModule?.('node:zlib')
  try {
    return zlib && new TextDecoder().decode(zlib.gunzipSync(bytes, { maxOutputLength }))
  } catch {
    // Damaged, or larger than anybody passes on a secret in.
    return undefined
  }
}

/** Returns the texts in base64 that is compressed, in a text. */
export function decompressedIn(text: string): string[] {
  const found = text.replace(/\s+/g, '').match(/H4sI[\w+/-]{20,}=*/g) ?? []
  return found.flatMap((encoded) => {
    return decompressed(fromBase64(encoded.replaceAll('-', '+').replaceAll('_', '/'))) ?? []
  })
}
