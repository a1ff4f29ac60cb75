import { z } from '../../base/schema.js'
import { fromBase64, toHex } from '../../mail/transfer-encoding.js'
import type { ShownFile } from '../../service/world/sent-mail.js'
import { mailText } from '../format/matchers.js'
import type { MatcherOf } from './tracker.js'
import type { ExpectedValue } from './value-matcher.js'
import { described, describeExpected, isPattern, type Match, type Mismatch, mismatches } from './values.js'

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
}

/** Returns the bytes of a file in base64, by its id; undefined if it is not known any more. */
export type ContentOf = (file: string) => string | undefined

const file = z
  .strictObject({
    name: mailText.optional().describe('Its name.'),
    type: z.string().optional().describe('Its media type, e.g. `application/pdf`.'),
    size: z.int().min(0).optional().describe('Its length in bytes.'),
    sha256: z
      .string()
      .regex(/^[\da-f]{64}$/i, 'expected 64 digits in hex')
      .optional()
      .describe('The SHA-256 of its bytes, in hex.'),
    text: mailText.optional().describe('Its bytes as text.'),
  })
  .meta({ id: 'file', title: 'File', description: 'Selects a file of sent mail.' })

/** The files of sent mail as a scenario names them: by their names alone, or more closely. */
export const fileConditions = z
  .array(z.union([mailText, file]))
  .optional()
  .describe('The files, all of which must be attached, by their names or more closely; `[]` for none.')

type WrittenFile = NonNullable<z.output<typeof fileConditions>>[number]

/** A file as a story has it: its name, or what is expected of it. */
export type FileCondition = ExpectedValue | { readonly file: Readonly<Record<string, ExpectedValue>> }

const fields: readonly string[] = Object.keys(file.shape)

/** Returns the form of a file in a story. */
export function compileFile(
  written: WrittenFile,
  textOf: (value: z.output<typeof mailText>) => ExpectedValue,
): FileCondition {
  if (!isFileMatch(written)) return textOf(written as z.output<typeof mailText>)
  const { name, text, ...plain } = written as z.output<typeof file>
  return {
    file: {
      ...(plain as Readonly<Record<string, ExpectedValue>>),
      ...(name !== undefined && { name: textOf(name) }),
      ...(text !== undefined && { text: textOf(text) }),
    },
  }
}

/** Returns the match of a file of a story. */
export function fileMatchOf(condition: FileCondition, matcherOf: MatcherOf): Match | FileMatch {
  if (typeof condition !== 'object' || condition === null || !('file' in condition))
    return matcherOf(condition)
  const { name, text, ...plain } = condition.file
  return {
    ...plain,
    ...(name !== undefined && { name: matcherOf(name) }),
    ...(text !== undefined && { text: matcherOf(text) }),
  }
}

/** Returns how files differ from those that must be among them; if none are expected, there must be none. */
export function fileMismatches(
  expected: readonly (Match | FileMatch)[],
  found: readonly ShownFile[],
  contentOf: ContentOf,
): Mismatch[] {
  const names = found.map(({ filename }) => filename)
  if (expected.length === 0)
    return found.length === 0 ? [] : [{ name: 'attachments', expected: [], found: names }]
  return expected.flatMap((one) => {
    const wanted: FileMatch = isFileMatch(one) ? one : { name: one }
    const compared = found.map((other) => compareFile(wanted, other, contentOf))
    const [nearest] = compared.toSorted((a, b) => a.length - b.length)
    if (nearest?.length === 0) return []
    const isNearest =
      nearest && (wanted.name === undefined || nearest.every(({ name }) => !name.endsWith('.name')))
    if (isNearest) return nearest
    const shown = isFileMatch(one) ? described(`one with ${describeExpected(one)}`) : one
    return [{ name: 'attachments', expected: shown, found: names.length === 1 ? names[0] : names }]
  })
}

function compareFile(wanted: FileMatch, found: ShownFile, contentOf: ContentOf): Mismatch[] {
  const content = contentOf(found.id)
  const bytes = content === undefined ? undefined : fromBase64(content)
  const values = {
    name: found.filename,
    type: found.content_type.replace(/;.*$/s, '').trim().toLowerCase(),
    size: found.size_bytes,
    sha256: wanted.sha256 === undefined || !bytes ? null : sha256Of(bytes),
    text: wanted.text === undefined || !bytes ? null : new TextDecoder().decode(bytes),
  }
  const expected = { ...wanted, ...(wanted.sha256 !== undefined && { sha256: wanted.sha256.toLowerCase() }) }
  return Object.entries(values).flatMap(([name, value]) => {
    return mismatches(`attachments.${found.filename}.${name}`, expected[name as keyof FileMatch], value)
  })
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
