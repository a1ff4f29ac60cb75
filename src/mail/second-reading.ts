import type { Email } from 'postal-mime'
import { bodyStart, contentEnd, isHeaderLine, nextLine } from './mail-source.js'
import { decodeWindows1252 } from './windows-1252.js'

/** Another way to read a mail that read badly. */
export interface SecondReading {
  /** To stand before all headers; the parser takes the first Content-Type it meets. */
  readonly contentType: string
  /** Whether what it gave is better than the first reading. */
  readonly isBetter: (again: Email) => boolean
}

const ascii = /^(?:us-ascii|ascii|ansi_x3\.4-1968|iso646-us)$/i
const beyondAscii = /[\u0080-\uffff]/
const beyondAsciiAll = /[\u0080-\uffff]/g
// Starts every shift of iso-2022 charsets
const shift = '\u001b'
const undecoded = '\ufffd'
const encodedUndecoded = 'ï¿½'
const metaCharset = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
// RFC 2046 section 5.1.1, without the blanks no program writes
const delimiter = /^--([\w'()+,./:=?-]{1,70})$/
const longestHtmlHead = 4096
const longestSample = 65_536

/**
 * Gives the Content-Type under which a mail may read better than it did: a multipart of which no part
 * was found, or a body of one part whose charset is missing, unknown or wrong in a way that shows.
 * Parts of a multipart are left as they are: the parser does not tell how they were labelled.
 */
export function secondReading(email: Email, mail: Uint8Array): SecondReading | undefined {
  const declared = email.headers.find(({ key }) => key === 'content-type')?.value ?? ''
  if (/^\s*multipart\//i.test(declared)) return partsAnyway(email, declared, mail)
  const type = declared.trim() === '' ? 'text/plain' : declared
  const said = email.html ?? email.text ?? ''
  // Nearly all mail: nothing to doubt in pure ASCII
  if (!/^\s*text\//i.test(type) || !(beyondAscii.test(said) || said.includes(shift))) return undefined
  const charset = otherCharset(type, said)
  if (charset === undefined) return undefined
  return {
    contentType: withParameter(type, `charset="${charset}"`),
    isBetter: ({ html, text }) => reads(html ?? text ?? ''),
  }
}

function reads(text: string): boolean {
  return !text.includes(undecoded) && !text.includes(encodedUndecoded) && !text.includes(shift)
}

function otherCharset(type: string, said: string): string | undefined {
  // The byte order mark of a text read the wrong way round
  if (said.startsWith('\ufffe')) return 'utf-16be'
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1]
  if (label !== undefined) return ascii.test(label) || !isKnown(label) ? 'utf-8' : undefined
  if (reads(said)) return undefined
  const named = /^\s*text\/html/i.test(type)
    ? metaCharset.exec(said.slice(0, longestHtmlHead))?.[1]
    : undefined
  return named ?? (isMostlyUndecoded(said) ? 'windows-1252' : undefined)
}

// UTF-8 that was cut or hurt in one place stays UTF-8
function isMostlyUndecoded(said: string): boolean {
  const letters = said.slice(0, longestSample).match(beyondAsciiAll) ?? []
  return letters.filter((letter) => letter === undecoded).length * 2 > letters.length
}

function isKnown(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

function partsAnyway(email: Email, declared: string, mail: Uint8Array): SecondReading | undefined {
  if (saysSomething(email)) return undefined
  const boundary = firstBoundary(mail)
  const contentType =
    boundary === undefined ? 'text/plain; charset=utf-8' : withParameter(declared, `boundary="${boundary}"`)
  return { contentType, isBetter: saysSomething }
}

function saysSomething({ text, html, attachments }: Email): boolean {
  return Boolean(text || html) || attachments.length > 0
}

/** The first line that looks like a delimiter and has headers or a blank line after it. */
function firstBoundary(mail: Uint8Array): string | undefined {
  for (let start = bodyStart(mail); start < mail.length; start = nextLine(mail, start)) {
    // 0x2d is the hyphen
    if (mail[start] !== 0x2d || mail[start + 1] !== 0x2d) continue
    const end = contentEnd(mail, start)
    const [, boundary] =
      end - start > 80 ? [] : (delimiter.exec(decodeWindows1252(mail.subarray(start, end))) ?? [])
    const next = nextLine(mail, start)
    const nextEnd = contentEnd(mail, next)
    if (boundary !== undefined && (nextEnd === next || isHeaderLine(mail, next, nextEnd))) return boundary
  }
  return undefined
}

// The first of two parameters of one name counts, so the others can stay
function withParameter(contentType: string, parameter: string): string {
  const [type = '', ...parameters] = contentType.split(';')
  return [type.trim(), parameter, ...parameters].join('; ')
}
