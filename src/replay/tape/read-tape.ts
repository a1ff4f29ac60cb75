import { readFileSync } from 'node:fs'
import type { z } from '../../contract/schema.js'
import { type Tape, type TapeHead, tapedRequest, tapeFormat, tapeHead, tapeVersion } from './tape.js'
import { TapeError } from './tape-error.js'
import { volatileOf } from './volatile.js'

/** What a tape must be of, to be of use. */
export interface TapedStory {
  readonly scenario: string
  readonly seed: number
}

/** Reads a tape; all of it fits, or nothing is given. @throws TapeError */
export function readTape(file: string): Tape {
  const [first = '', ...rest] = linesOf(file)
  const head = parseHead(first, `${file}:1`)
  volatileOf(head.volatile, `${file}:1: volatile`)
  const requests = rest.flatMap((text, index) => {
    const line = index + 2
    const place = `${file}:${line}`
    // Where the program that wrote it came to its end, the last line may be cut off.
    const cutOff = index === rest.length - 1 && !isJson(text)
    if (text.trim() === '' || cutOff) return []
    return [{ line, request: fitting(tapedRequest, jsonOf(text, place), place) }]
  })
  return { file, head, requests }
}

/** Sees that a tape is of a story. @throws TapeError `wrong-scenario` */
export function checkTape({ file, head }: Tape, { scenario, seed }: TapedStory): void {
  const remedy = 'or record another one with --record.'
  if (head.scenario !== scenario) {
    const problem = `this tape is of the scenario "${head.scenario}", and this one is "${scenario}"`
    throw new TapeError('wrong-scenario', `${file}:1: scenario: ${problem}; replay that one, ${remedy}`)
  }
  if (head.seed !== seed) {
    const problem = `this tape was recorded with the seed ${head.seed}, and this replay has ${seed}`
    throw new TapeError('wrong-scenario', `${file}:1: seed: ${problem}; use --seed ${head.seed}, ${remedy}`)
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file; make it with --record' : message
    throw new TapeError('unreadable', `${file}: ${reason}.`)
  }
}

function parseHead(text: string, place: string): TapeHead {
  const document = headOf(text)
  if (document?.['format'] !== tapeFormat) {
    const wanted = `its first line should begin with {"format":"${tapeFormat}"`
    throw new TapeError('not-a-tape', `${place}: this is no tape; ${wanted}, as --record writes it.`)
  }
  const { version } = document
  if (typeof version === 'number' && version > tapeVersion) {
    const problem = `this tape has version ${version}, and this simulator reads no newer one than ${tapeVersion}`
    throw new TapeError(
      'wrong-version',
      `${place}: version: ${problem}; use a newer simulator, or record it anew.`,
    )
  }
  return fitting(tapeHead, document, place)
}

function headOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null ? { ...document } : undefined
  } catch {
    return undefined
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function jsonOf(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = (error as Error).message
    throw new TapeError('malformed', `${place}: expected one request as JSON: ${reason}.`)
  }
}

function fitting<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const key = issue?.path.join('.') ?? ''
  throw new TapeError('malformed', `${place}: ${key}${key && ': '}${issue?.message}.`)
}
