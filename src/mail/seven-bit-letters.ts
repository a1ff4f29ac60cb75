/** Charsets that write other letters in ASCII, and which TextDecoder does not know: UTF-7 (RFC 2152) and HZ (RFC 1843). */
const names: readonly (readonly [RegExp, string])[] = [
  [/^(?:unicode\d+)?utf7$/, 'utf-7'],
  [/^hz(?:gb2312)?$/, 'hz'],
]

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const highBit = 0x80

/** Returns the charset that a label names, without its prefix; undefined for any other charset. */
export function sevenBitNamed(label: string): string | undefined {
  return names.find(([pattern]) => pattern.test(label))?.[1]
}

/** Decodes the bytes of a text in one of these charsets; undefined if the name is that of another charset. */
export function decodeSevenBit(name: string, bytes: Uint8Array): string | undefined {
  if (name === 'utf-7') return decodeUtf7(new TextDecoder().decode(bytes))
  return name === 'hz' ? new TextDecoder('gb18030').decode(withHighBits(bytes)) : undefined
}

function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z\d+/]*)(-?)/g, (whole, letters: string, end: string) => {
    if (letters === '') return end === '' ? whole : '+'
    return unitsIn(letters) ?? whole
  })
}

/** Returns the letters of a run in modified base64; undefined if it is none, as a number in a text that is just ASCII. */
function unitsIn(letters: string): string | undefined {
  const units = new Uint16Array(Math.floor((letters.length * 6) / 16))
  let [held, bits, count] = [0, 0, 0]
  for (const letter of letters) {
    held = ((held << 6) | alphabet.indexOf(letter)) & 0x3fffff
    bits += 6
    if (bits < 16) continue
    bits -= 16
    units[count++] = held >> bits
  }
  const isWhole = count > 0 && bits < 6 && (held & ((1 << bits) - 1)) === 0
  return isWhole ? new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units) : undefined
}

/** Returns the bytes of HZ as those of GB 2312: pairs between `~{` and `~}` get their high bits. */
function withHighBits(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let [length, isChinese] = [0, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    const next = String.fromCharCode(bytes[at + 1] ?? 0)
    if (byte !== 0x7e || !'~{}\n'.includes(next)) {
      plain[length++] = isChinese && byte > 0x20 ? byte | highBit : byte
      continue
    }
    if (next === '~') plain[length++] = byte
    else if (next !== '\n') isChinese = next === '{'
    at += 1
  }
  return plain.subarray(0, length)
}
