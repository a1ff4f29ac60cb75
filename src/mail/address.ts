import { Charsets } from './charsets.js'
import { decodeWords } from './encoded-words.js'
import { commentEnd, quotedString, withoutComments } from './parameters.js'
import { type Mailbox, MailLimitError, mailLimits } from './parsed-mail.js'

const maxAddress = 254
const maxLocalPart = 64
/** The maximum number of words in a name; the rest is ignored. */
const maxWords = 1000
/**
 * The maximum length of an address list, and of all lists in the headers of a message; the rest is ignored.
 */
const maxAddressText = 100_000
const localPart = /^(?:[^\s\p{Cc}"<>(),;:\\@[\]]+|"[^"\\\p{Cc}@<>]+")$/u
const domain = /^(?:[^\s\p{Cc}"<>(),;:\\@[\].]+(?:\.[^\s\p{Cc}"<>(),;:\\@[\].]+)*|\[[\w.:]+\])$/u
// RFC 5322 atext and the space between words; RFC 6532 adds all non-ASCII characters
const plainName = /^[\w!#$%&'*+\-/=?^`{|}~ \u{80}-\u{10ffff}]*$/u
const controls = /(?![\t\r\n])\p{Cc}/gu
const blanks = /[\s\p{Cc}]+/gu
// The form in which Exchange once wrote addresses, and in which programs copy them from links
const addressInSquares = /\[(?:smtp|mailto):\s*([^\s[\]<>"]+)\]/gi
const scheme = /^(?:smtp|mailto):/i

/**
 * Returns whether a text is a bare address: a local part, `@`, and a domain or a domain literal; at most 254 characters.
 * A quoted local part must not contain anything that looks like another address. Non-ASCII letters are allowed.
 * @see RFC 5322 section 3.4.1
 */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > maxAddress) return false
  return localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1))
}

/**
 * Returns whether two bare addresses are the same mailbox. Ignores case, in the local part too, because mailbox providers
 * deliver that way.
 */
export function sameAddress(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

/**
 * Parses a text that contains exactly one mailbox, with or without a display name; decodes encoded words in the name.
 * Returns undefined for no mailbox, several mailboxes, a group, or a malformed address.
 * @example parseMailbox('"Lee, Ann" <ann@shop.example>') // { name: 'Lee, Ann', address: 'ann@shop.example' }
 * @see interface 2.3, RFC 5322 section 3.4
 */
export function parseMailbox(text: string): Mailbox | undefined {
  const { mailboxes, groups } = readShortList(text)
  const [only] = mailboxes
  return mailboxes.length === 1 && groups.length === 0 && only && isAddress(only.address) ? only : undefined
}

/**
 * Parses an address list such as the value of a To or Cc header, including the members of groups; omits entries without
 * a usable address.
 * @see RFC 5322 section 3.4
 */
export function parseMailboxList(text: string): Mailbox[] {
  return readShortList(text).mailboxes.filter(({ address }) => isAddress(address))
}

/**
 * Parses an address list like `parseMailboxList`, but returns undefined if any entry has no usable address,
 * or if there is no entry.
 */
export function parseWholeMailboxList(text: string): readonly Mailbox[] | undefined {
  const { mailboxes } = readShortList(text)
  return mailboxes.length > 0 && mailboxes.every(({ address }) => isAddress(address)) ? mailboxes : undefined
}

/** Parses a list of addresses; returns an empty list if it exceeds the limit for a message. */
function readShortList(text: string): AddressList {
  try {
    return readAddresses(text)
  } catch (error) {
    if (!(error instanceof MailLimitError)) throw error
    return { mailboxes: [], groups: [] }
  }
}

/**
 * Formats a mailbox as `Display Name <local@domain>`, and quotes the name if RFC 5322 requires it. This form always has
 * a name, so a mailbox without one gets its local part as the name.
 * @example formatMailbox({ name: '', address: 'ann@shop.example' }) // 'ann <ann@shop.example>'
 * @see interface 2.3, RFC 5322 section 3.2.5
 */
export function formatMailbox({ name, address }: Mailbox): string {
  const at = address.lastIndexOf('@')
  const shown = tidyName(name) || (at > 0 ? address.slice(0, at) : address)
  return shown === '' ? '<>' : `${quotedWhenNeeded(shown)} <${address}>`
}

/** Formats a mailbox as a recipient: a bare address if it has no name. */
export function formatRecipient({ name, address }: Mailbox): string {
  return name === '' ? address : formatMailbox({ name, address })
}

/**
 * Parses an address header of a message leniently: keeps malformed addresses (`Mail Delivery Subsystem
 * <MAILER-DAEMON>`), and returns a name without an address with the address ''.
 * @throws MailLimitError
 * @see RFC 5322 sections 3.4 and 4.4
 */
export function readAddresses(text: string, charsets = new Charsets()): AddressList {
  return new AddressReader(text, charsets).read()
}

/** A parsed address header. */
export interface AddressList {
  readonly mailboxes: readonly Mailbox[]
  /** The names of groups. */
  readonly groups: readonly string[]
}

/** A word or a quoted string. */
interface Token {
  readonly text: string
  readonly isQuoted: boolean
  /** Whether it follows a space. */
  readonly isApart: boolean
}

/**
 * Returns a function that truncates the address lists of a message so that their total length stays within
 * the limit.
 */
export function addressBudget(): (list: string) => string {
  let remaining = maxAddressText
  return (list) => {
    const read = list.slice(0, remaining)
    remaining -= read.length
    return read
  }
}

class AddressReader {
  readonly #text: string
  readonly #charsets: Charsets
  /** Whether the text is the name of another entry; names inside it are not parsed again. */
  readonly #isName: boolean
  readonly #mailboxes: Mailbox[] = []
  readonly #groups: string[] = []
  readonly #encodedWord = /=\?[^?\s]{1,80}\?[QqBb]\?[^?\r\n]*\?=/y
  #tokens: Token[] = []
  #comments: string[] = []
  #angle: string | undefined
  /** The number of words before the angle brackets. */
  #wordsBefore = 0
  readonly #lastBracket: number
  #hasAt = false
  #at = 0
  #isApart = false
  /** Opening marks without a closing mark; no later one is searched for again. */
  readonly #unclosed = new Set<string>()
  #restOfWord = /[^\s,;:<"(]*/y

  constructor(text: string, charsets: Charsets, isName = false) {
    this.#text = text.slice(0, maxAddressText).replace(controls, '').replace(addressInSquares, ' <$1>')
    this.#charsets = charsets
    this.#isName = isName
    this.#lastBracket = this.#text.lastIndexOf('>')
  }

  read(): AddressList {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] as string
      if (character === ',' || character === ';') {
        this.#endEntry()
        this.#at += 1
      } else if (character === ':' && this.#startsGroup()) this.#endGroupName()
      else if (character === '<') this.#takeAngle()
      else if (character.trim() === '') this.#skip(1)
      else if (!(character === '(' && this.#takeComment()) && !(character === '"' && this.#takeQuoted())) {
        this.#takeWord()
      }
    }
    this.#endEntry()
    return { mailboxes: this.#mailboxes, groups: this.#groups }
  }

  /** Returns whether a colon ends the name of a group and is not part of an address. */
  #startsGroup(): boolean {
    return this.#angle === undefined && !this.#hasAt
  }

  #endGroupName(): void {
    if (this.#tokens.length > 0 && this.#groups.length === 0) this.#groups.push(this.#phrase(this.#tokens))
    this.#beginEntry()
    this.#at += 1
  }

  #skip(length: number): void {
    this.#at += length
    this.#isApart = true
  }

  #takeComment(): boolean {
    const end = this.#unclosed.has('(') ? -1 : commentEnd(this.#text, this.#at)
    if (end < 0) this.#noteUnclosed('(')
    else {
      if (this.#comments.length < maxWords)
        this.#comments.push(this.#text.slice(this.#at + 1, end - 1).replace(/\\(.)/g, '$1'))
      this.#skip(end - this.#at)
    }
    return end >= 0
  }

  #noteUnclosed(mark: '(' | '"'): void {
    this.#unclosed.add(mark)
    this.#restOfWord = new RegExp(this.#restOfWord.source.replace(mark, ''), 'y')
  }

  #takeAngle(): void {
    let start = this.#at
    while (this.#text[start] === '<') start += 1
    const end = this.#angleEnd(start)
    if (this.#angle !== undefined) this.#endAngle(this.#angle)
    this.#angle = this.#text.slice(start, end)
    this.#wordsBefore = this.#tokens.length
    let next = end
    while (this.#text[next] === '>') next += 1
    this.#skip(next - this.#at)
  }

  /**
   * Handles angle brackets that are followed by others: if they contain an address, they end an entry without
   * a comma; otherwise they are part of a name.
   */
  #endAngle(angle: string): void {
    const later = this.#tokens.splice(this.#wordsBefore)
    if (angle.includes('@')) this.#endEntry()
    else if (this.#tokens.length < maxWords) this.#tokens.push({ text: angle, isQuoted: true, isApart: true })
    this.#tokens.push(...later)
  }

  /** Returns the position of the closing bracket outside of a quoted string; without one, the end of the entry. */
  #angleEnd(start: number): number {
    for (let at = start; at <= this.#lastBracket; at += 1) {
      const character = this.#text[at]
      if (character === '>') return at
      if (character === '<') break
      if (character === '"') at = this.#localPartEnd(at)
    }
    let end = start
    while (end < this.#text.length && !',;<'.includes(this.#text[end] as string)) end += 1
    return end
  }

  /** Returns the end of the quoted local part that starts at a quotation mark; `start` if there is none. */
  #localPartEnd(start: number): number {
    for (let at = start + 1; at < start + maxLocalPart; at += 1) {
      if (this.#text[at] === '"') return at
      if (this.#text[at] === '\\') at += 1
    }
    return start
  }

  #takeQuoted(): boolean {
    const quoted = this.#unclosed.has('"') ? undefined : quotedString(this.#text, this.#at)
    if (!quoted?.closed) {
      this.#noteUnclosed('"')
      return false
    }
    // The quotation marks of `"ann lee"@shop.example` belong to the address
    const isLocalPart = this.#text[quoted.end] === '@'
    const text = isLocalPart ? this.#text.slice(this.#at, quoted.end) : quoted.text
    this.#addToken(text, !isLocalPart, quoted.end)
    return true
  }

  #takeWord(): void {
    this.#encodedWord.lastIndex = this.#at
    const encoded = this.#text[this.#at] === '=' ? this.#encodedWord.exec(this.#text)?.[0] : undefined
    this.#restOfWord.lastIndex = this.#at + 1
    const rest = encoded === undefined ? this.#restOfWord.exec(this.#text)?.[0].length : undefined
    const end = this.#at + (encoded?.length ?? 1 + (rest ?? 0))
    this.#addToken(this.#text.slice(this.#at, end), false, end)
  }

  #addToken(text: string, isQuoted: boolean, end: number): void {
    if (this.#tokens.length < maxWords) this.#tokens.push({ text, isQuoted, isApart: this.#isApart })
    this.#hasAt ||= !isQuoted && text.includes('@')
    this.#at = end
    this.#isApart = false
  }

  #endEntry(): void {
    if (this.#tokens.length === 0 && this.#comments.length === 0 && this.#angle === undefined) return
    const mailboxes =
      this.#angle === undefined
        ? this.#bareMailboxes()
        : [this.#mailbox(addressIn(this.#angle), this.#tokens)]
    for (const mailbox of mailboxes) {
      if (mailbox && this.#mailboxes.push(mailbox) > mailLimits.addresses)
        throw new MailLimitError('addresses')
    }
    this.#beginEntry()
  }

  #beginEntry(): void {
    this.#isApart = false
    this.#hasAt = false
    this.#tokens = []
    this.#comments = []
    this.#angle = undefined
  }

  /** Returns the mailboxes of an entry without angle brackets: an address, an address with a name, or only words. */
  #bareMailboxes(): (Mailbox | undefined)[] {
    const words = joinedWords(this.#tokens)
    // Several addresses without commas between them
    if (words.length > 1 && words.every(({ text }) => isAddress(text))) {
      return words.map(({ text }) => this.#mailbox(text, []))
    }
    const found = words.findIndex(({ text, isQuoted }) => !isQuoted && /[^@]@[^@]/.test(text))
    if (found >= 0) {
      const end = endOfDomain(words, found)
      const address = words.slice(found, end).map(({ text }) => text)
      return [this.#mailbox(address.join('').replace(/[<>]/g, ''), words.toSpliced(found, end - found))]
    }
    // RFC 5322 section 4.4 allows spaces around the `@` and the dots
    const closed = words.length < 20 ? words.map(({ text }) => text).join('') : ''
    if (words.every(({ isQuoted }) => !isQuoted) && isAddress(closed)) return [this.#mailbox(closed, [])]
    const [only, ...others] = words
    const isBare = only && !only.isQuoted && others.length === 0 && !only.text.includes('=?')
    return [isBare ? this.#mailbox(only.text, []) : this.#named(words)]
  }

  /** Returns the mailbox of an entry that consists of words; a quoted or encoded word may contain a whole mailbox. */
  #named(words: readonly Token[]): Mailbox | undefined {
    const mailbox = this.#mailbox('', words)
    if (this.#isName || !mailbox?.name.includes('@')) return mailbox
    const [inner] = new AddressReader(mailbox.name, this.#charsets, true).read().mailboxes
    return inner && isAddress(inner.address) ? inner : mailbox
  }

  #mailbox(address: string, words: readonly Token[]): Mailbox | undefined {
    const name = this.#phrase(words) || tidyName(decodeWords(this.#comments.join(' '), this.#charsets))
    return name === '' && address === '' ? undefined : { name, address }
  }

  #phrase(words: readonly Token[]): string {
    const phrase = words.map(({ text, isApart }) => (isApart ? ` ${text}` : text)).join('')
    return tidyName(decodeWords(phrase, this.#charsets))
  }
}

/** Joins tokens that no space separates. */
function joinedWords(tokens: readonly Token[]): Token[] {
  const words: Token[] = []
  for (const token of tokens) {
    const last = words.at(-1)
    if (last && !token.isApart && !token.isQuoted && !last.isQuoted) {
      words[words.length - 1] = { ...last, text: last.text + token.text }
    } else words.push(token)
  }
  return words
}

/** Returns where the words of an address end that has spaces around the dots of its domain. @see RFC 5322 section 4.4 */
function endOfDomain(words: readonly Token[], start: number): number {
  let end = start + 1
  while (words[end]?.text.startsWith('.')) end += words[end]?.text === '.' ? 2 : 1
  return Math.min(end, words.length)
}

/** Returns the address between angle brackets, without comments, spaces and a source route. */
function addressIn(angle: string): string {
  const text = withoutComments(angle)
    .replace(/[\p{Cc}<>]/gu, '')
    .trim()
    .replace(scheme, '')
  if (!text.startsWith('"')) return withoutBlanks(text).replace(/^@[^:]*:/, '')
  const quoted = quotedString(text, 0)
  const rest = withoutBlanks(text.slice(quoted.end))
  return rest === '' ? quoted.text : text.slice(0, quoted.end) + rest
}

/** Removes the spaces around dots and the `@`. @see RFC 5322 section 4.4 */
function withoutBlanks(address: string): string {
  return address.replace(/\s+/g, ' ').replace(/ ?([.@:]) ?/g, '$1')
}

function quotedWhenNeeded(name: string): string {
  return plainName.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}

// An encoded word can smuggle line breaks into a name, which would end the header that it is written to
function tidyName(name: string): string {
  return name.replace(blanks, ' ').trim()
}
