import {
  codePages,
  decodeKorean,
  decodeMixed,
  decodePage,
  decodeUtf7,
  isValidUtf8,
  unshifted,
  withoutEmptyShifts,
} from './charset-decoders.js'

const escapeMark = 0x1b
const highBit = 0x80
/** The letters that windows-1252 has in place of the control characters of Latin-1. */
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const undecoded = '\ufffd'
const beyondAscii = /[\u0080-\uffff]/g
const controls = /[\u0080-\u009f]/g
const threeBytes = /[\u0800-\uffff]/
const metaCharset = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const maxHtmlHead = 4096
const sampleSize = 65_536
const maxLabel = 60
const maxLabels = 1000
/** Single-byte charsets, in which practically no text is valid UTF-8 by accident; '' stands for an unknown label. */
const singleByte =
  /^(?:|us-ascii|windows-125\d|windows-874|iso-8859-\d+|koi8-[ru]|macintosh|x-mac-cyrillic|ibm\d+)$/

/** Alternative labels of charsets, without prefixes and separators. */
const spellings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'utf-8': 'utf8 utf8mb4 unicode11utf8',
    'utf-7': 'utf7 unicode11utf7 unicode20utf7',
    'utf-16le': 'utf16 utf16le unicode ucs2 iso10646ucs2',
    'utf-16be': 'utf16be unicodefffe',
    'us-ascii': 'usascii ascii us 646 iso646us ansix341968 ansix341986',
    'windows-1252': 'latin1 l1 isolatin1 cp819 ibm819 isoir100 ansi',
    'windows-1254': 'iso88599 latin5 l5',
    'windows-874': 'windows874 iso885911 tis620 cp874 ibm874 dos874',
    'iso-8859-2': 'latin2 l2 isolatin2',
    'iso-8859-3': 'latin3',
    'iso-8859-4': 'latin4',
    'iso-8859-5': 'cyrillic',
    'iso-8859-6': 'arabic asmo708 ecma114',
    'iso-8859-7': 'greek greek8 ecma118 elot928',
    'iso-8859-8': 'hebrew logical visual',
    'iso-8859-10': 'latin6 l6',
    'iso-8859-15': 'latin9 l9 latin0',
    'koi8-r': 'koi8r koi8 koi',
    'koi8-u': 'koi8u koi8ru',
    ibm866: 'ibm866 cp866 866 dos866',
    ibm437: 'ibm437 cp437 437',
    ibm850: 'ibm850 cp850 850',
    ibm852: 'ibm852 cp852 852',
    macintosh: 'macintosh mac macroman',
    'x-mac-cyrillic': 'maccyrillic macukrainian',
    shift_jis: 'shiftjis sjis mskanji windows31j cp932 ms932 windows932 ibm943',
    'euc-jp': 'eucjp cp51932 eucpkdfmtjapanese ujis',
    'iso-2022-jp': 'iso2022jp iso2022jp1 iso2022jp2 iso2022jp3 iso2022jpms junet jis cp50220 cp50221 cp50222',
    gb18030:
      'gb18030 gb180302000 gb180302005 gbk cp936 ms936 windows936 gb2312 gb231280 euccn chinese iso58gb231280',
    hz: 'hzgb2312 hz',
    'iso-2022-cn': 'iso2022cn iso2022cnext',
    big5: 'big5 big5hkscs cnbig5 cp950 ms950 windows950 big5eten',
    'euc-kr': 'euckr cp949 ms949 windows949 uhc korean ksc5601 ksc56011987 ksc56011989 ksx1001',
    'iso-2022-kr': 'iso2022kr',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name])),
)

/**
 * Returns the name that decoders use for a charset; '' if the label is unknown.
 * @example charsetNamed('x-sjis') // 'shift_jis'
 */
function charsetNamed(label: string | undefined): string {
  if (label === undefined || label.length > maxLabel) return ''
  const bare = label
    .toLowerCase()
    .replace(/^["'\s]*(?:x-|cs)?/, '')
    .replace(/[^a-z\d]/g, '')
  const known = Object.hasOwn(spellings, bare) ? spellings[bare] : undefined
  if (known !== undefined) return known
  const windows = /^(?:windows|win|cp|ms)(125[0-8])$/.exec(bare)?.[1]
  if (windows !== undefined) return `windows-${windows}`
  const iso = /^iso8859(1[3-6]|10|[1-8])(?:[ie]|19\d\d)?$/.exec(bare)?.[1]
  return iso === undefined ? '' : iso === '1' ? 'windows-1252' : `iso-8859-${iso}`
}

/**
 * Replaces the control characters U+0080 to U+009F with the letters of windows-1252: no mail intentionally contains
 * these control characters.
 * @see Encoding Standard, index windows-1252
 */
function restoreWindows1252(text: string): string {
  return text.replace(controls, (control) => windowsLetters[control.charCodeAt(0) - highBit] as string)
}

/** Decodes the bytes of a mail; caches its decoders. */
export class Charsets {
  readonly #decoders = new Map<string, TextDecoder>()
  readonly #names = new Map<string, string>()

  /** Returns the name of a charset like `charsetNamed`, but cached. */
  named(label: string | undefined): string {
    if (label === undefined) return ''
    const name = this.#names.get(label) ?? charsetNamed(label)
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
      return this.decode(name === '' || name === 'us-ascii' ? this.#guess(bytes, isHtml) : name, bytes)
    }
    const text = this.decode(name, bytes)
    if (name.startsWith('utf-16')) return text
    const other = isUtf8 ? this.decode('utf-8', bytes) : ''
    // Any bytes are valid GB 18030, but no meaningful text in it is also UTF-8 with three bytes per letter
    if (isUtf8 && (text.includes(undecoded) || threeBytes.test(other))) return other
    const wrong = name === 'iso-2022-jp' && isMostlyUndecoded(text)
    const japanese = wrong ? ['shift_jis', 'euc-jp'].map((one) => this.decode(one, bytes)) : []
    return japanese.find((one) => !one.includes(undecoded)) ?? text
  }

  /** Decodes with exactly this charset; '' stands for windows-1252. */
  decode(name: string, bytes: Uint8Array): string {
    return restoreWindows1252(this.#decode(name, bytes))
  }

  #decode(name: string, bytes: Uint8Array): string {
    if (name === 'utf-7') return decodeUtf7(bytes)
    if (name === 'hz') return this.#decoder('gb18030').decode(unshifted(bytes, 'hz'))
    if (name === 'iso-2022-cn') return this.#decoder('gb18030').decode(unshifted(bytes, 'iso-2022'))
    if (name === 'iso-2022-jp') return this.#decoder(name).decode(withoutEmptyShifts(bytes))
    if (name === 'iso-2022-kr') return decodeKorean(unshifted(bytes, 'iso-2022'))
    if (name === 'euc-kr') return decodeKorean(bytes)
    const page = codePages[name]
    if (page !== undefined) return decodePage(bytes, page)
    return this.#decoder(name === '' || name === 'us-ascii' ? 'windows-1252' : name).decode(bytes)
  }

  /**
   * Decodes a header line that may contain non-ASCII bytes: as UTF-8, or else in the charset of the body, or else in
   * windows-1252. If most of the line is UTF-8, only the other bytes are decoded as windows-1252.
   * @see RFC 6532 section 3.2
   */
  header(bytes: Uint8Array, bodyCharset: string): string {
    if (isAscii(bytes)) return this.decode(sevenBitCharset('', bytes), bytes)
    if (isValidUtf8(bytes)) return this.decode('utf-8', bytes)
    const isNamed = bodyCharset !== '' && bodyCharset !== 'us-ascii' && bodyCharset !== 'utf-8'
    return isNamed && this.#isMostlyOther(bytes)
      ? this.decode(bodyCharset, bytes)
      : restoreWindows1252(decodeMixed(bytes))
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
  if (/^(?:utf-7|hz|iso-2022)/.test(name)) return name
  if (name.startsWith('utf-16') && bytes.includes(0)) return bytes[0] === 0 ? 'utf-16be' : name
  for (let at = bytes.indexOf(escapeMark); at >= 0; at = bytes.indexOf(escapeMark, at + 1)) {
    const [mark, set] = [bytes[at + 1], bytes[at + 2]]
    // ESC $ ) C, ESC $ ) A, and ESC $ with @ or B
    if (mark === 0x24 && set === 0x29) return bytes[at + 3] === 0x43 ? 'iso-2022-kr' : 'iso-2022-cn'
    if (mark === 0x24 && (set === 0x40 || set === 0x42)) return 'iso-2022-jp'
  }
  return 'utf-8'
}
