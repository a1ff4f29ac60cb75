const controls = /[\u0080-\u009f]/g
const letters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Gives the control characters U+0080 to U+009F the letters windows-1252 has in their place; no mail
 * means the controls, and some engines' TextDecoder reads windows-1252 as if it were iso-8859-1.
 * @example restoreWindows1252('It\u0092s') // 'It’s'
 * @see Encoding Standard, index windows-1252
 */
export function restoreWindows1252(text: string): string {
  return text.replace(controls, (control) => letters[control.charCodeAt(0) - 0x80] ?? control)
}

/** Decodes bytes as windows-1252, the five bytes it leaves open as control characters. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return restoreWindows1252(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
