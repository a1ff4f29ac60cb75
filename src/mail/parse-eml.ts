import PostalMime, { type Email } from 'postal-mime'
import { parseMailboxList } from './address.js'
import { describeAttachment } from './attachment-part.js'
import { readDate } from './header-date.js'
import { decodeHeader, isFieldName, messageIdsIn } from './header-text.js'
import { joinBytes, repairSource } from './mail-source.js'
import { type ParsedMail, unknownSender } from './parsed-mail.js'
import { secondReading } from './second-reading.js'
import { restoreWindows1252 } from './windows-1252.js'

const longestHead = 65_536

/**
 * Parses a mail in RFC 5322 form, given as text or as bytes; it never fails, broken parts are read
 * as far as they make sense, and what is labelled wrongly is read again as what it is. A mail with more headers (2 MiB) or more nested parts (256 levels) than
 * any real one keeps the first 64 KiB of its headers and loses its body.
 *
 * Attachments that are not sent in base64 or quoted-printable come with `\n` line ends, closed by one.
 * @example (await parseEml('From: Ann <ann@shop.example>\r\n\r\nHello')).text // 'Hello'
 * @see interface 2.3, RFC 5322, RFC 2045
 */
export async function parseEml(source: string | Uint8Array): Promise<ParsedMail> {
  const mail = repairSource(source)
  try {
    return describeMail(await readTwice(mail))
  } catch {
    return describeMail(await readMime(headOf(mail)))
  }
}

async function readTwice(mail: Uint8Array): Promise<Email> {
  const email = await readMime(mail)
  const second = secondReading(email, mail)
  if (second === undefined) return email
  const header = new TextEncoder().encode(`Content-Type: ${second.contentType}\n`)
  const again = await readMime(joinBytes([header, mail]))
  return second.isBetter(again) ? { ...again, headers: email.headers } : email
}

function readMime(source: string | Uint8Array): Promise<Email> {
  // An attached mail that is inlined would bring dates in the machine's own zone and language
  return PostalMime.parse(source, { forceRfc822Attachments: true })
}

function headOf(mail: Uint8Array): string {
  const start = new TextDecoder().decode(mail.subarray(0, longestHead))
  const blankLine = start.search(/\n\r?\n/)
  return blankLine < 0 ? start : start.slice(0, blankLine)
}

function describeMail(email: Email): ParsedMail {
  const values = (key: string) =>
    email.headers.filter((header) => header.key === key).map(({ value }) => value)
  const first = (key: string) => values(key)[0] ?? ''
  const mailboxes = (key: string) => values(key).flatMap(parseMailboxList)
  const answered = messageIdsIn(first('in-reply-to'))
  return {
    from: parseMailboxList(first('from'))[0] ?? unknownSender,
    to: mailboxes('to'),
    cc: mailboxes('cc'),
    subject: decodeHeader(first('subject')),
    text: bodyOf(email.text),
    html: bodyOf(email.html),
    date: readDate(first('date')),
    messageId: messageIdsIn(first('message-id'))[0] ?? null,
    inReplyTo: answered[0] ?? null,
    answered,
    references: messageIdsIn(first('references')),
    headers: describeHeaders(email),
    attachments: email.attachments.map((part, index) => describeAttachment(part, index + 1)),
  }
}

function describeHeaders(email: Email): Array<readonly [string, string]> {
  const headers: Array<readonly [string, string]> = []
  for (const { originalKey, value } of email.headers) {
    // A line without a field name (an mbox separator, stray text) is no header
    if (isFieldName(originalKey)) headers.push([originalKey, decodeHeader(value)])
  }
  return headers
}

function bodyOf(body: string | undefined): string | null {
  if (body === undefined) return null
  // NUL is left out, because stores and terminals that mail passes later stop at it
  const lines = restoreWindows1252(body).replaceAll('\0', '').replace(/\r\n?/g, '\n')
  // The parser ends the last line of every body, also of one that did not end in a line break
  return lines.replace(/\n$/, '') || null
}
