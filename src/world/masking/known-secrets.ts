import { mask } from './secret-names.js'

/** Secrets shorter than this are looked for nowhere but in the fields made for them. */
const shortest = 4

/**
 * Secrets shorter than this are looked for in addresses only, and there only as a word of their own: they might as
 * well be a word of a mail, or an agent's handle.
 */
export const unmistakable = 8

/** A visible character as URLs or JSON may write it: a text without any holds secrets only as they are. */
const codedCharacter = /%[2-9a-f][0-9a-f]|\\u[0-9a-f]{4}/i

/** Looks like a fork's key, whichever of its characters are percent-encoded or escaped as in JSON. */
const character = String.raw`(?:[0-9a-z_]|%[0-9a-f]{2}|\\u00[0-9a-f]{2})`
const forkKey = new RegExp(`${[...'sim_'].map(waysToWrite).join('')}${character}{16}`, 'gi')

/** Looks like a subscription's signing secret, likewise. */
const secretCharacter = String.raw`(?:[0-9a-z+/]|\\/|%[0-9a-f]{2}|\\u00[0-9a-f]{2})`
const webhookSecret = new RegExp(`${[...'whsec_'].map(waysToWrite).join('')}${secretCharacter}{32}`, 'gi')

/** Takes known secrets out of texts, however they are written there, and the keys that the simulator itself makes. */
export class KnownSecrets {
  readonly #patterns = new Map<string, RegExp>()

  /** Text without any of the secrets that cannot be mistaken for something else. */
  maskText(text: string, secrets: Iterable<string>): string {
    return this.#mask(text, secrets, unmistakable)
  }

  /** An address, or something as short, without any of the secrets. */
  maskAddress(text: string, secrets: Iterable<string>): string {
    return this.#mask(text, secrets, shortest)
  }

  #mask(text: string, secrets: Iterable<string>, least: number): string {
    const long = [...new Set(secrets)].filter((secret) => secret.length >= least)
    // The longest first: a secret may begin with another.
    const ordered = long.length > 1 ? long.toSorted((a, b) => b.length - a.length) : long
    const coded = codedCharacter.test(text)
    let masked = text
    for (const secret of ordered) {
      const escaped = /["\\/]/.test(secret) && text.includes('\\')
      if (coded || escaped || masked.includes(secret)) masked = masked.replace(this.#patternOf(secret), mask)
    }
    if (coded || masked.includes('sim_')) masked = masked.replace(forkKey, mask)
    return coded || masked.includes('whsec_') ? masked.replace(webhookSecret, mask) : masked
  }

  #patternOf(secret: string): RegExp {
    const known = this.#patterns.get(secret)
    if (known) return known
    const written = [...secret].map(waysToWrite).join('')
    const source = secret.length < unmistakable ? `(?<![0-9A-Za-z])${written}(?![0-9A-Za-z])` : written
    const pattern = new RegExp(source, 'g')
    // Clients may bring any number of keys that nobody listed.
    if (this.#patterns.size >= 100) this.#patterns.clear()
    this.#patterns.set(secret, pattern)
    return pattern
  }
}

/** A pattern for one character as it is, percent-encoded as in a URL, or escaped as in JSON. */
function waysToWrite(character: string): string {
  const encoded = [...new TextEncoder().encode(character)].map((byte) => `%${hex(byte, 2)}`).join('')
  const escaped = Array.from(
    { length: character.length },
    (_, unit) => `\\\\u${hex(character.charCodeAt(unit), 4)}`,
  ).join('')
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
  const short = /["\\/]/.test(character) ? [`\\\\${plain}`] : []
  return `(?:${[...short, plain, encoded, escaped].join('|')})`
}

/** A number in hexadecimal digits, as a pattern for either case. */
function hex(number: number, digits: number): string {
  const text = number.toString(16).padStart(digits, '0')
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
