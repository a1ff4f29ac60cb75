import { type Path, quoted } from '../../base/mistake.js'
import type { z } from '../../base/schema.js'
import { wildcard } from '../../base/text.js'
import { isAddress, parseMailbox, sameAddress } from '../../mail/address.js'
import { fromBase64, toHex } from '../../mail/transfer-encoding.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import type { ShownFile } from '../../service/world/sent-mail.js'
import type { Lookups } from '../compile/names.js'
import { file, type fileConditions } from '../format/sent.js'
import type { mailText } from '../format/values.js'
import { noIdentity } from '../read/problem.js'
import {
  type AsymmetricMatcher,
  type Difference,
  described,
  describeExpected,
  isPattern,
  type Match,
  match,
} from './match.js'

/** What is expected of a file of sent mail. Omitted fields match anything. */
export interface FileMatch {
  readonly name?: Match | undefined
  /** Its media type: `application/pdf`. */
  readonly type?: string | undefined
  /** Its length in bytes. */
  readonly size?: number | undefined
  /** The digest of its bytes, in hex. */
  readonly sha256?: string | undefined
  /** Its bytes as text. */
  readonly text?: Match | undefined
  /** The id of the message whose file it is, byte by byte; in a story, with the name of that. */
  readonly of?: string | { readonly id: string; readonly name: string } | undefined
}

type WrittenFile = NonNullable<z.output<typeof fileConditions>>[number]

const fields: readonly string[] = Object.keys(file.shape)

/** The rows of the files of messages. */
export type FileStore = Pick<MailboxStore, 'get' | 'rows'>

/** Returns the match of a file of a story; `messageOf` finds the message of a key. */
export function compileFile(
  written: WrittenFile,
  textOf: (value: z.output<typeof mailText> | undefined) => Match | undefined,
  messageOf: (key: string) => { readonly id: string } | undefined,
): Match | FileMatch {
  if (!isFileMatch(written)) return textOf(written as z.output<typeof mailText>) as Match
  const { name, text, of, ...plain } = written as z.output<typeof file>
  const message = of === undefined ? undefined : messageOf(of)
  return {
    ...plain,
    name: textOf(name),
    text: textOf(text),
    of: message && Object.assign(described(`message ${of}`), { id: message.id, name: `message ${of}` }),
  }
}

/** Returns how files differ from those that must be among them; if none are expected, there must be none. */
export function matchFiles(
  expected: readonly (Match | FileMatch)[],
  found: readonly ShownFile[],
  store: FileStore,
): Difference[] {
  const names = found.map(({ filename }) => filename)
  if (expected.length === 0)
    return found.length === 0 ? [] : [{ name: 'attachments', expected: [], found: names }]
  return expected.flatMap((one) => {
    const wanted: FileMatch = isFileMatch(one) ? one : { name: one }
    const compared = found.map((other) => matchFile(wanted, other, store))
    const [nearest] = compared.toSorted((a, b) => a.length - b.length)
    if (nearest?.length === 0) return []
    const isNearest =
      nearest && (wanted.name === undefined || nearest.every(({ name }) => !name.endsWith('.name')))
    if (isNearest) return nearest
    const shown = isFileMatch(one) ? described(`one with ${describeExpected(one)}`) : one
    return [{ name: 'attachments', expected: shown, found: names.length === 1 ? names[0] : names }]
  })
}

function matchFile(wanted: FileMatch, found: ShownFile, store: FileStore): Difference[] {
  const content = store.get('attachment', found.id)?.content
  const bytes = content === undefined ? undefined : fromBase64(content)
  const values = {
    name: found.filename,
    type: found.content_type.replace(/;.*$/s, '').trim().toLowerCase(),
    size: found.size_bytes,
    sha256: wanted.sha256 === undefined || !bytes ? null : sha256Of(bytes),
    text: wanted.text === undefined || !bytes ? null : new TextDecoder().decode(bytes),
  }
  const { of, ...others } = wanted
  const expected = { ...others, ...(others.sha256 !== undefined && { sha256: others.sha256.toLowerCase() }) }
  const place = `attachments.${found.filename}`
  const differing = Object.entries(values).flatMap(([name, value]) => {
    return match(expected[name as keyof typeof expected], value, `${place}.${name}`)
  })
  if (of === undefined) return differing
  const { id, name } = typeof of === 'string' ? { id: of, name: of } : of
  const originals = store.rows('attachment', store.get('message', id)?.attachment_ids ?? [])
  if (originals.some((file) => file.content === content)) return differing
  return [
    ...differing,
    { name: place, expected: described(`the file of ${name}`), found: described('other bytes') },
  ]
}

/** Returns the SHA-256 of bytes in hex; null in a browser, which has it only asynchronously. */
function sha256Of(bytes: Uint8Array<ArrayBuffer>): string | null {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const hashing = process?.getBuiltinModule?.('node:crypto')
  return hashing ? toHex(hashing.createHash('sha256').update(bytes).digest()) : null
}

function isFileMatch(one: unknown): one is FileMatch {
  if (typeof one !== 'object' || one === null || Array.isArray(one) || isPattern(one)) return false
  return Object.keys(one).every((name) => fields.includes(name))
}

/**
 * An address, in which `*` matches any characters, with or without a display name; the handle of an agent; or
 * a matcher of addresses.
 */
export type AddressMatch = string | RegExp | AsymmetricMatcher

/** Returns the bare address, or the pattern of addresses, of a recipient. */
export function addressOf(lookups: Pick<Lookups, 'names' | 'problem'>, one: string, path: Path): string {
  const { names } = lookups
  const address = names.agent(one)?.address ?? parseMailbox(one)?.address ?? one
  if (!isAddress(address) && address !== '*') {
    lookups.problem(path, () => {
      return one.includes('@')
        ? `${quoted(one)} is not an address; expected one such as ann@example.com or *@example.com`
        : noIdentity(one, names.handles)
    })
  }
  return address
}

/** Returns whether an address is an expected one. */
export function fitsAddress(expected: Match, found: string): boolean {
  if (typeof expected !== 'string') return match(expected, found, 'to').length === 0
  const address = parseMailbox(expected)?.address ?? expected
  return address.includes('*')
    ? wildcard(address.toLowerCase())(found.toLowerCase())
    : sameAddress(address, found)
}
