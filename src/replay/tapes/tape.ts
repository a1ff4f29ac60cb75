import { readFileSync } from 'node:fs'
import { parseJson } from '../../contract/json.js'
import { explainIssue, z } from '../../contract/schema.js'
import { TapeError } from '../errors.js'

/** The value of `format` in the first line of a tape. */
export const tapeFormat = 'agent-mailbox-sim/tape'

/** The version of the format that is written. */
export const tapeVersion = 1

const tapeHead = z.object({
  format: z.literal(tapeFormat),
  version: z.literal(tapeVersion),
  scenario: z.string(),
  seed: z.number(),
  /** A part of requests that may differ between runs, as `--volatile` names it. */
  volatile: z.array(z.string()),
})

const tapedRequest = z.object({
  method: z.string(),
  path: z.string(),
  /** Values by name; a list if a name was given more than once. */
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** Parsed JSON, or text that is not JSON; null without a body. */
  body: z.json(),
})

/** The first line of a tape. */
export type TapeHead = z.infer<typeof tapeHead>

/** A request on a line of a tape. */
export type TapedRequest = z.infer<typeof tapedRequest>

/** A recording of an agent's requests. */
export interface Tape {
  readonly file: string
  readonly head: TapeHead
  /** Requests with their line numbers, counted from 1. */
  readonly requests: readonly { readonly line: number; readonly request: TapedRequest }[]
}

/** Reads a tape. @throws TapeError */
export function readTape(file: string): Tape {
  const [first = '', ...rest] = linesOf(file)
  const head = parseHead(first, `${file}:1`)
  volatileOf(head.volatile, `${file}:1: volatile`)
  const requests = rest.flatMap((text, index) => {
    const line = index + 2
    const place = `${file}:${line}`
    // The last line may be cut off if the program that wrote it was killed.
    const isCutOff = index === rest.length - 1 && parseJson(text) === undefined
    if (text.trim() === '' || isCutOff) return []
    return [{ line, request: fitting(tapedRequest, jsonOf(text, place), place) }]
  })
  return { file, head, requests }
}

/** Checks that a tape is of a scenario and a seed. @throws TapeError `wrong-scenario` */
export function checkTape(
  { file, head }: Tape,
  { scenario, seed }: Pick<TapeHead, 'scenario' | 'seed'>,
): void {
  const refuse = (name: string, taped: string, present: string, remedy: string): never => {
    const problem = `this tape was recorded with the ${name} ${taped}, but this replay has ${present}`
    const remedies = `${remedy}, or record another one with --record.`
    throw new TapeError('wrong-scenario', `${file}:1: ${name}: ${problem}; ${remedies}`)
  }
  if (head.scenario !== scenario) refuse('scenario', `"${head.scenario}"`, `"${scenario}"`, 'replay that one')
  if (head.seed !== seed) refuse('seed', `${head.seed}`, `${seed}`, `use --seed ${head.seed}`)
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file; create it with --record' : message
    throw new TapeError('unreadable', `${file}: ${reason}.`)
  }
}

function parseHead(text: string, place: string): TapeHead {
  const document = parseJson(text) as Readonly<Record<string, unknown>> | null | undefined
  if (document?.['format'] !== tapeFormat) {
    const expected = `its first line should begin with {"format":"${tapeFormat}"`
    throw new TapeError('not-a-tape', `${place}: this is not a tape; ${expected}, as --record writes it.`)
  }
  const { version } = document
  if (typeof version === 'number' && version > tapeVersion) {
    const problem = `this tape has version ${version}, but this simulator reads at most version ${tapeVersion}`
    const remedy = 'use a newer simulator, or record it again.'
    throw new TapeError('wrong-version', `${place}: version: ${problem}; ${remedy}`)
  }
  return fitting(tapeHead, document, place)
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
  throw new TapeError('malformed', `${place}: ${key}${key && ': '}${issue && explainIssue(issue, schema)}.`)
}

/** The parts of requests that may differ from run to run. */
export interface Volatile {
  /** Whether the number of identical requests in a row may differ. */
  readonly repeats: boolean
  /** Places in a request: `['query', 'offset']`; `*` matches every item or field. */
  readonly places: readonly (readonly string[])[]
}

/** The fields that are volatile by default: clients generate them anew for each request. */
export const usuallyVolatile: readonly string[] = [
  'query._',
  'query.nonce',
  'query.request_id',
  'query.timestamp',
  'body.nonce',
  'body.request_id',
  'body.timestamp',
]

/** Reads the list of `--volatile`. @throws TapeError `unknown-field` */
export function parseVolatileList(text: string): string[] {
  const names = text.split(',').flatMap((name) => name.trim() || [])
  for (const name of names) placeOf(name, '--volatile')
  return names
}

/** Parses names of volatile fields; `from` is where they were read. @throws TapeError `unknown-field` */
export function volatileOf(names: readonly string[], from: string): Volatile {
  const fields = names.filter((name) => name !== 'repeats')
  return { repeats: fields.length < names.length, places: fields.map((name) => placeOf(name, from)) }
}

function placeOf(name: string, from: string): string[] {
  const place = name.split('.')
  const [part] = place
  const known = name === 'repeats' || (name === 'path' && place.length === 1)
  const inside = (part === 'query' || part === 'body') && place.every((step) => step !== '')
  if (known || inside) return place
  throw new TapeError(
    'unknown-field',
    `${from}: "${name}" cannot be volatile; use query.offset, body.note, body.items.*.id, path, ` +
      'or repeats (how often the same request comes in a row).',
  )
}
