import { decodeWords } from 'postal-mime'
import { restoreWindows1252 } from './windows-1252.js'

const controls = /\p{Cc}+/gu
const fieldName = /^[\x21-\x39\x3b-\x7e]+$/
// Some programs leave blanks inside the brackets
const bracketed = /<\s*([^<>\s]+)\s*>/g

/** Whether a text may stand before the colon of a header line. @see RFC 5322 section 2.2 */
export function isFieldName(text: string): boolean {
  return fieldName.test(text)
}

/**
 * Decodes the encoded words of an unfolded header value; each run of control characters becomes
 * one space, so that a decoded line break cannot start another header.
 * @see RFC 2047
 */
export function decodeHeader(value: string): string {
  return restoreWindows1252(decodeWords(value)).replace(controls, ' ').trim()
}

/**
 * Reads the message ids of a Message-ID, In-Reply-To or References value, each with its angle
 * brackets; a value without any brackets is taken word by word if every word looks like an id.
 * @see RFC 5322 section 3.6.4
 */
export function messageIdsIn(value: string): string[] {
  const ids = Array.from(value.matchAll(bracketed), ([, id]) => `<${id}>`)
  if (ids.length > 0) return ids
  const words = value.split(/\s+/).filter((word) => word !== '')
  return words.every((word) => /^[^<>@]+@[^<>@]+$/.test(word)) ? words.map((word) => `<${word}>`) : []
}
