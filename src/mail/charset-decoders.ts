import { once } from '../contract/once.js'
import { base64Value } from './transfer-encoding.js'

const escapeMark = 0x1b
const hyphen = 0x2d
const shiftOut = 0x0e
const shiftIn = 0x0f
const highBit = 0x80

/** The letters of the upper 128 bytes in DOS code pages, which TextDecoder does not support. */
const dosPages: Readonly<Record<string, string>> = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
}
const latin10 =
  '\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ'

const latin1Controls = Array.from({ length: 32 }, (_, index) => String.fromCharCode(index + highBit)).join('')

/** The letters of the upper 128 bytes in charsets that TextDecoder does not support on every engine. */
export const codePages: Readonly<Record<string, string>> = {
  ...dosPages,
  'iso-8859-16': latin1Controls + latin10,
}

/** Decodes a single-byte charset; `upper` are the letters of its upper 128 bytes, from `codePages`. */
export function decodePage(bytes: Uint8Array, upper: string): string {
  const units = Uint16Array.from(bytes, (code) => (code < highBit ? code : upper.charCodeAt(code - highBit)))
  return new TextDecoder('utf-16le').decode(units)
}

/** Decodes UTF-7. @see RFC 2152 */
export function decodeUtf7(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length)
  let [length, bits, held, isShifted] = [0, 0, 0, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    const value = isShifted ? base64Value(byte) : undefined
    if (value !== undefined) {
      bits = ((bits << 6) | value) & 0x3f_ffff
      held += 6
      if (held >= 16) {
        held -= 16
        units[length++] = bits >> held
      }
    } else if (!isShifted && byte === 0x2b) {
      isShifted = bytes[at + 1] !== hyphen
      held = 0
      if (!isShifted) units[length++] = byte
      if (!isShifted) at += 1
    } else {
      if (!(isShifted && byte === hyphen)) units[length++] = byte
      isShifted = false
    }
  }
  return new TextDecoder('utf-16le').decode(units.subarray(0, length))
}

/** Sets the high bit of shifted letters and removes the shift sequences. @see RFC 1557, RFC 1843, RFC 1922 */
export function unshifted(bytes: Uint8Array, by: 'hz' | 'iso-2022'): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let isShifted = false
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    const next = bytes[at + 1]
    if (by === 'hz' && byte === 0x7e && (next === 0x7b || next === 0x7d || next === 0x0a)) {
      isShifted = next === 0x7b || (isShifted && next === 0x0a)
      at += 1
    } else if (by === 'hz' && byte === 0x7e && next === 0x7e && !isShifted) {
      plain[length++] = byte
      at += 1
    } else if (by === 'iso-2022' && (byte === shiftOut || byte === shiftIn)) isShifted = byte === shiftOut
    else if (by === 'iso-2022' && byte === escapeMark && next === 0x24) at += 3
    else plain[length++] = isShifted && byte > 0x20 ? byte | highBit : byte
  }
  return plain.subarray(0, length)
}

/**
 * Removes a shift sequence that another one follows directly, as between two encoded words: decoders treat it as an
 * error.
 */
export function withoutEmptyShifts(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === escapeMark && bytes[at + 3] === escapeMark) at += 2
    else plain[length++] = bytes[at] as number
  }
  return plain.subarray(0, length)
}

/** Decodes valid UTF-8 sequences as UTF-8, and every other byte as the character with its value. */
export function decodeMixed(bytes: Uint8Array): string {
  const converted = new Uint8Array(bytes.length * 2)
  let to = 0
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes, at)
    if (length === 0) {
      const byte = bytes[at++] as number
      converted[to++] = 0xc0 | (byte >> 6)
      converted[to++] = highBit | (byte & 0x3f)
    }
    for (const end = at + length; at < end; at += 1) converted[to++] = bytes[at] as number
  }
  return new TextDecoder().decode(converted.subarray(0, to))
}

/** Returns whether bytes are valid UTF-8. */
export function isValidUtf8(bytes: Uint8Array): boolean {
  for (let at = 0, length = 0; at < bytes.length; at += length) {
    length = utf8Length(bytes, at)
    if (length === 0) return false
  }
  return true
}

/** Returns the length of the UTF-8 sequence at a position, in bytes; 0 if it is invalid. @see RFC 3629 section 4 */
function utf8Length(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number
  if (lead < highBit) return 1
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  const second = bytes[at + 1] ?? 0
  if (lead === 0xe0 && second < 0xa0) return 0
  if (lead === 0xed && second > 0x9f) return 0
  if (lead === 0xf0 && second < 0x90) return 0
  if (lead === 0xf4 && second > 0x8f) return 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== highBit) return 0
  return length
}

/** Decodes EUC-KR with the syllables that Windows added to it, which some engines do not support. */
export function decodeKorean(bytes: Uint8Array): string {
  const letters = koreanLetters()
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    const pair = byte < highBit ? byte : letters[pairIndex(byte, bytes[at + 1] ?? 0)]
    // After half a pair, an ASCII byte is kept
    if (byte >= highBit && (pair !== undefined || (bytes[at + 1] ?? 0) >= highBit)) at += 1
    units[length++] = pair ?? 0xfffd
  }
  return new TextDecoder('utf-16le').decode(units.subarray(0, length))
}

const pairIndex = (lead: number, trail: number): number => ((lead - highBit) << 8) | trail

/** UTF-16 code units by byte pair: KS X 1001, then all other syllables in order. @see Encoding Standard, index EUC-KR */
const koreanLetters = once((): readonly (number | undefined)[] => {
  const letters: (number | undefined)[] = new Array(highBit << 8)
  const free: number[] = []
  const decoder = new TextDecoder('euc-kr')
  for (let lead = 0x81; lead < 0xff; lead += 1) {
    for (let trail = 0x41; trail < 0xff; trail += 1) {
      const letter = trail > 0xa0 && lead > 0xa0 ? decoder.decode(Uint8Array.of(lead, trail)) : ''
      if (letter.length === 1 && letter !== '\ufffd') letters[pairIndex(lead, trail)] = letter.charCodeAt(0)
      else if (isSyllable(lead, trail)) free.push(pairIndex(lead, trail))
    }
  }
  const known = new Set(letters)
  for (let syllable = 0xac00, next = 0; syllable <= 0xd7a3; syllable += 1) {
    if (!known.has(syllable)) letters[free[next++] as number] = syllable
  }
  return letters
})

/** Returns whether a byte pair outside of KS X 1001 is a syllable. */
function isSyllable(lead: number, trail: number): boolean {
  if (lead > 0xc6 || (lead > 0xa0 && trail > 0xa0) || (lead === 0xc6 && trail > 0x52)) return false
  return trail <= 0x5a || trail >= 0x81 || (trail >= 0x61 && trail <= 0x7a)
}
