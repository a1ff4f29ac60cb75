const escapeMark = 0x1b
const highBit = 0x80
/** The letters that windows-1252 has instead of the control characters of Latin-1. */
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const undecoded = '\ufffd'
const beyondAscii = /[\u0080-\uffff]/g
const controls = /[\u0080-\u009f]/g
const threeBytes = /[\u0800-\uffff]/
const metaCharset = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const maxHtmlHead = 4096
const sampleSize = 65_536
const maxLabel = 60
/** The maximum number of labels in a message that are looked up; looking up an unknown one is slow. */
const maxLabels = 200
/** Charsets in which practically no text beyond ASCII is valid UTF-8 by accident; '' stands for an unknown label. */
const singleByte =
  /^(?:|us-ascii|windows-125\d|windows-874|iso-8859-\d+(?:-i)?|koi8-[ru]|macintosh|x-mac-cyrillic|ibm866)$/

/** Charsets of which a text with other bytes has a wrong label. */
const asciiNames: ReadonlySet<string> = new Set(['', 'us-ascii'])
const asciiLabel = /^(?:us|(?:us)?ascii|(?:iso)?646(?:us)?|ansix34.*)$/
/** Charsets that no decoder reads: code pages of DOS, and some that switch between alphabets. */
const unsupported = /^(?:(?:ibm|cp|dos|pc)?\d{3,4}|iso885916|iso2022.*)$/

/** Labels that TextDecoder does not know, without prefixes and separators. */
const spellings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'utf-8': 'utf8mb4 cp65001',
    'utf-16be': 'utf16be',
    'windows-1252': 'ansi isolatin1',
    'windows-874': 'cp874 ibm874 dos874',
    'iso-8859-2': 'isolatin2',
    'iso-8859-15': 'latin9 latin0',
    'iso-8859-8': 'hebrew',
    ibm866: 'dos866',
    macintosh: 'macroman',
    'x-mac-cyrillic': 'maccyrillic macukrainian',
    shift_jis: 'mskanji cp932 ms932 windows932 ibm943',
    'euc-jp': 'eucjp cp51932 ujis',
    'iso-2022-jp': 'iso2022jp1 iso2022jp2 iso2022jp3 iso2022jpms junet jis cp50220 cp50221 cp50222',
    gb18030: 'gb180302000 gb180302005 cp936 ms936 windows936 euccn',
    big5: 'cp950 ms950 windows950 big5eten',
    'euc-kr': 'cp949 ms949 uhc ksc5601 ksx1001',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name])),
)

/**
 * Returns the name that decoders use for a charset; '' if the label is unknown. Charsets that no decoder reads are
 * `utf-8`, which replaces their letters by U+FFFD.
 * @example charsetNamed('x-sjis') // 'shift_jis'
 */
function charsetNamed(label: string | undefined): string {
  if (label === undefined || label.length > maxLabel) return ''
  const written = label.toLowerCase().replace(/["'\s]/g, '')
  const bare = written.replace(/^(?:x-|cs)/, '').replace(/[^a-z\d]/g, '')
  if (asciiLabel.test(bare)) return 'us-ascii'
  const known = Object.hasOwn(spellings, bare) ? spellings[bare] : undefined
  const numbered = bare
    .replace(/^(?:windows|win|cp|ms)(?=125\d$)/, 'windows-')
    .replace(/^(?:iso)?8859(1?\d)(?:[ie]|19\d\d)?$/, 'iso-8859-$1')
  for (const candidate of new Set([known ?? written, written.replaceAll('_', '-'), numbered])) {
    const name = encodingOf(candidate)
    if (name !== undefined) return name === 'gbk' ? 'gb18030' : name
  }
  return unsupported.test(bare) ? 'utf-8' : ''
}

/** Returns the name of the encoding that TextDecoder uses for a label; undefined if it knows none. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/**
 * Replaces the control characters U+0080 to U+009F with the letters of windows-1252: no mail intentionally contains
 * these control characters.
 * @see Encoding Standard, index windows-1252
 */
function restoreWindows1252(text: string): string {
  return text.replace(controls, (control) => windowsLetters[control.charCodeAt(0) - highBit] as string)
}

/** Decodes the bytes of a message; caches its decoders. */
export class Charsets {
  readonly #decoders = new Map<string, TextDecoder>()
  readonly #names = new Map<string, string>()

  /** Returns the name of a charset like `charsetNamed`, but cached; '' after too many labels. */
  named(label: string | undefined): string {
    if (label === undefined) return ''
    const name = this.#names.get(label) ?? (this.#names.size < maxLabels ? charsetNamed(label) : '')
    if (this.#names.size < maxLabels) this.#names.set(label, name)
    return name
  }

  /** Decodes text whose grammar only allows ASCII. */
  latin1(bytes: Uint8Array): string {
    return this.#decoder('latin1').decode(bytes)
  }

  /**
   * Decodes a text by its label, unless the bytes show that the label is wrong: UTF-8 or ISO-2022-JP with another label
   * or none, a byte order mark, or HTML that declares its own charset.
   * @see RFC 2045 section 5.2, RFC 2046 section 4.1.2
   */
  text(bytes: Uint8Array, label: string | undefined, isHtml = false): string {
    const name = this.named(label)
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return this.decode('utf-16le', bytes)
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return this.decode('utf-16be', bytes)
    if (isAscii(bytes)) return this.decode(sevenBitCharset(name, bytes), bytes)
    if (name === 'utf-16le' && bytes[0] === 0) return this.decode('utf-16be', bytes)
    const isUtf8 = isValidUtf8(bytes)
    if (singleByte.test(name) || name === 'utf-8') {
      if (name === 'utf-8' || isUtf8) return this.decode('utf-8', bytes)
      return this.decode(asciiNames.has(name) ? this.#guess(bytes, isHtml) : name, bytes)
    }
    const text = this.decode(name, bytes)
    if (name.startsWith('utf-16')) return text
    const other = isUtf8 ? this.decode('utf-8', bytes) : ''
    // Any bytes are valid GB 18030, but no meaningful text in it is also valid UTF-8 with three bytes per
    // letter
    if (isUtf8 && (text.includes(undecoded) || threeBytes.test(other))) return other
    const wrong = name === 'iso-2022-jp' && isMostlyUndecoded(text)
    const japanese = wrong ? ['shift_jis', 'euc-jp'].map((one) => this.decode(one, bytes)) : []
    return japanese.find((one) => !one.includes(undecoded)) ?? text
  }

  /** Decodes with exactly this charset; '' stands for windows-1252. */
  decode(name: string, bytes: Uint8Array): string {
    const decoder = this.#decoder(name === '' || name === 'us-ascii' ? 'windows-1252' : name)
    const text = decoder.decode(name === 'iso-2022-jp' ? withoutEmptyShifts(bytes) : bytes)
    // Some engines lack the rarer syllables, and keep their first byte
    return name === 'euc-kr' ? text.replace(controls, undecoded) : restoreWindows1252(text)
  }

  /**
   * Decodes a header line that may contain non-ASCII bytes: as UTF-8, unless most of them are not; then in the charset of the
   * body, or else in windows-1252.
   * @see RFC 6532 section 3.2
   */
  header(bytes: Uint8Array, bodyCharset: string): string {
    if (isAscii(bytes)) return this.decode(sevenBitCharset('', bytes), bytes)
    const isUtf8 = isValidUtf8(bytes) || !this.#isMostlyOther(bytes)
    const other = asciiNames.has(bodyCharset) || bodyCharset === 'utf-8' ? 'windows-1252' : bodyCharset
    return this.decode(isUtf8 ? 'utf-8' : other, bytes)
  }

  #guess(bytes: Uint8Array, isHtml: boolean): string {
    const head = isHtml ? this.latin1(bytes.subarray(0, maxHtmlHead)) : ''
    const named = charsetNamed(metaCharset.exec(head)?.[1])
    if (named !== '' && named !== 'utf-8') return named
    // UTF-8 that was truncated or damaged in a few places is still decoded as UTF-8
    return this.#isMostlyOther(bytes) ? 'windows-1252' : 'utf-8'
  }

  #isMostlyOther(bytes: Uint8Array): boolean {
    return isMostlyUndecoded(this.decode('utf-8', bytes.subarray(0, sampleSize)))
  }

  #decoder(name: string): TextDecoder {
    let decoder = this.#decoders.get(name)
    if (!decoder) {
      decoder = new TextDecoder(name)
      this.#decoders.set(name, decoder)
    }
    return decoder
  }
}

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] as number) >= highBit) return false
  return true
}

function isMostlyUndecoded(text: string): boolean {
  const letters = text.slice(0, sampleSize).match(beyondAscii) ?? []
  return letters.filter((letter) => letter === undecoded).length * 2 > letters.length
}

/** Returns the charset of a text of ASCII bytes, which may contain escape sequences for other letters. @see RFC 1468 */
function sevenBitCharset(name: string, bytes: Uint8Array): string {
  if (name === 'iso-2022-jp') return name
  if (name.startsWith('utf-16') && bytes.includes(0)) return bytes[0] === 0 ? 'utf-16be' : name
  for (let at = bytes.indexOf(escapeMark); at >= 0; at = bytes.indexOf(escapeMark, at + 1)) {
    const [mark, set] = [bytes[at + 1], bytes[at + 2]]
    // ESC $ with @ or B
    if (mark === 0x24 && (set === 0x40 || set === 0x42)) return 'iso-2022-jp'
  }
  return 'utf-8'
}

/**
 * Removes a shift sequence that is directly followed by another one, as between two encoded words: decoders
 * treat it as an error.
 */
function withoutEmptyShifts(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === escapeMark && bytes[at + 3] === escapeMark) at += 2
    else plain[length++] = bytes[at] as number
  }
  return plain.subarray(0, length)
}

/** Returns whether bytes are valid UTF-8. */
function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
