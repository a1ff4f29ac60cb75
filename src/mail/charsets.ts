import {
  codePages,
  decodeKorean,
  decodeMixed,
  decodePage,
  decodeUtf7,
  isValidUtf8,
  unshifted,
  windowsLetters,
  withoutEmptyShifts,
} from './charset-decoders.js'

const escapeMark = 0x1b
const highBit = 0x80
const undecoded = '\ufffd'
const beyondAscii = /[\u0080-\uffff]/g
const controls = /[\u0080-\u009f]/g
const threeBytes = /[\u0800-\uffff]/
const metaCharset = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const longestHtmlHead = 4096
const longestSample = 65_536
const longestLabel = 60
const mostLabels = 1000
/** Charsets of one byte a letter, in which no text reads as UTF-8 by accident; the empty label is none. */
const singleByte =
  /^(?:|us-ascii|windows-125\d|windows-874|iso-8859-\d+|koi8-[ru]|macintosh|x-mac-cyrillic|ibm\d+)$/

/** Labels that are no more than another spelling, by what is left of them without prefix and separators. */
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
 * Gives the name of a charset as decoders know it; '' where the label says nothing that is known.
 * @example charsetNamed('x-sjis') // 'shift_jis'
 */
function charsetNamed(label: string | undefined): string {
  if (label === undefined || label.length > longestLabel) return ''
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
 * Gives the control characters U+0080 to U+009F the letters windows-1252 has in their place: no mail
 * means the controls.
 * @see Encoding Standard, index windows-1252
 */
export function restoreWindows1252(text: string): string {
  return text.replace(controls, (control) => windowsLetters[control.charCodeAt(0) - 0x80] ?? control)
}

/** Decodes the bytes of one mail as text; each decoder is made once. */
export class Charsets {
  readonly #decoders = new Map<string, TextDecoder>()
  readonly #names = new Map<string, string>()

  /** As `charsetNamed`, which takes its time. */
  named(label: string | undefined): string {
    if (label === undefined) return ''
    const name = this.#names.get(label) ?? charsetNamed(label)
    if (this.#names.size < mostLabels) this.#names.set(label, name)
    return name
  }

  /** A text of ASCII bytes that shifts to no other letters; undefined for other bytes. */
  ascii(bytes: Uint8Array): string | undefined {
    return isAscii(bytes) && !bytes.includes(escapeMark) ? this.#decoder('utf-8').decode(bytes) : undefined
  }

  /** Reads each byte as the character of that number, for what is ASCII by its grammar. */
  latin1(bytes: Uint8Array): string {
    return isAscii(bytes)
      ? this.#decoder('utf-8').decode(bytes)
      : decodePage(bytes, codePages['latin1'] as string)
  }

  /**
   * Decodes a text by its label, which is not believed where the bytes show that it is wrong: UTF-8 and
   * ISO-2022-JP that are labelled otherwise or not at all, marks of byte order, HTML that names its own charset.
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
    // Every text is one in GB 18030, but none that has a sense is UTF-8 of three bytes a letter as well
    if (isUtf8 && (text.includes(undecoded) || threeBytes.test(other))) return other
    const wrong = name === 'iso-2022-jp' && isMostlyUndecoded(text)
    const japanese = wrong ? ['shift_jis', 'euc-jp'].map((one) => this.decode(one, bytes)) : []
    return japanese.find((one) => !one.includes(undecoded)) ?? text
  }

  /** Decodes by the very charset; '' stands for windows-1252. */
  decode(name: string, bytes: Uint8Array): string {
    if (name === 'utf-7') return decodeUtf7(bytes)
    if (name === 'hz') return this.#decoder('gb18030').decode(unshifted(bytes, 'hz'))
    if (name === 'iso-2022-cn') return this.#decoder('gb18030').decode(unshifted(bytes, 'iso-2022'))
    if (name === 'iso-2022-jp') return this.#decoder(name).decode(withoutEmptyShifts(bytes))
    if (name === 'iso-2022-kr') return decodeKorean(unshifted(bytes, 'iso-2022'))
    if (name === 'euc-kr') return decodeKorean(bytes)
    const page = codePages[name === '' || name === 'us-ascii' ? 'windows-1252' : name]
    return page === undefined ? this.#decoder(name).decode(bytes) : decodePage(bytes, page)
  }

  /**
   * Decodes a line of a header that may hold bytes beyond ASCII: UTF-8, else the charset the body names, else
   * windows-1252. Where most of a line is UTF-8, only what is not is read otherwise.
   * @see RFC 6532 section 3.2
   */
  header(bytes: Uint8Array, bodyCharset: string): string {
    if (isAscii(bytes)) return this.decode(sevenBitCharset('', bytes), bytes)
    if (isValidUtf8(bytes)) return this.decode('utf-8', bytes)
    const isNamed = bodyCharset !== '' && bodyCharset !== 'us-ascii' && bodyCharset !== 'utf-8'
    return isNamed && this.#isMostlyOther(bytes) ? this.decode(bodyCharset, bytes) : decodeMixed(bytes)
  }

  #guess(bytes: Uint8Array, isHtml: boolean): string {
    const head = isHtml ? this.latin1(bytes.subarray(0, longestHtmlHead)) : ''
    const named = charsetNamed(metaCharset.exec(head)?.[1])
    if (named !== '' && named !== 'utf-8') return named
    // UTF-8 that was cut or hurt in one place stays UTF-8
    return this.#isMostlyOther(bytes) ? 'windows-1252' : 'utf-8'
  }

  #isMostlyOther(bytes: Uint8Array): boolean {
    return isMostlyUndecoded(this.decode('utf-8', bytes.subarray(0, longestSample)))
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
  const letters = text.slice(0, longestSample).match(beyondAscii) ?? []
  return letters.filter((letter) => letter === undecoded).length * 2 > letters.length
}

/** The charset of a text of ASCII bytes: what shifts to other letters says so itself. @see RFC 1468 */
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
