import { toBase64 } from '../../mail/index.js'
import { cutText, isText } from '../exchange.js'
import type { Masker } from '../masking/masker.js'
import type { HarContent } from './format.js'

/** Bytes beyond the cut that are looked at as well, so that no half of a key is left before it. */
const longestSecret = 4096

/** What a content without a type is called. */
const unknownType = 'x-unknown'

/** The content of an answer that had no body. */
export function emptyContent(type: string | undefined): HarContent {
  return { size: 0, mimeType: type ?? unknownType }
}

/** The body of an answer; `most` is how much of it is shown, in characters of text or bytes of anything else. */
export function contentOf(
  bytes: Uint8Array,
  {
    type,
    masker,
    most,
  }: { readonly type: string | undefined; readonly masker: Masker; readonly most: number },
): HarContent {
  const known = { size: bytes.length, mimeType: type ?? unknownType }
  if (bytes.length === 0) return known
  const text = isText(type) ? decoded(bytes) : undefined
  if (text !== undefined) {
    const shown = cutText(masker.body(text), most)
    const cut = shown.text.length < shown.length && `${shown.text.length} of ${shown.length} characters`
    return { ...known, text: shown.text, ...commentOn(cut) }
  }
  const shown = maskBytes(bytes.subarray(0, most + longestSecret), masker).subarray(0, most)
  const cut = bytes.length > most && `${most} of ${bytes.length} bytes`
  return { ...known, text: toBase64(shown), encoding: 'base64', ...commentOn(cut) }
}

function commentOn(cut: string | false): { comment?: string } {
  return cut === false ? {} : { comment: `cut off: ${cut} are shown` }
}

/** The text that UTF-8 bytes stand for; undefined where they are none. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Bytes of no text, without the keys and tokens that stand in them as text; the same bytes where there are none. */
function maskBytes(bytes: Uint8Array, masker: Masker): Uint8Array {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const masked = masker.body(text)
  return masked === text ? bytes : Uint8Array.from(masked, (character) => character.charCodeAt(0))
}
