import { mistakesIn, type Synonyms } from '../../base/explain.js'
import { keyOf, type Mistake, type Path, quoted, textOf } from '../../base/mistake.js'
import { isError } from '../../base/platform.js'
import { hiddenKeys, type z } from '../../base/schema.js'
import { expectedOneOf, grouped } from '../../base/text.js'

/** A place in a file; both count from 1, columns in UTF-16 code units. */
interface FilePlace {
  readonly line: number
  readonly column: number
}

/** Finds the place of a value or its key in a file; that of the parent if it is missing. Undefined without a file. */
export type Locate = (path: Path, part?: 'key' | 'value') => FilePlace | undefined

/** A problem of a part of a scenario. */
export interface ProblemAt extends Mistake {
  /** A file that the scenario names, and the places of its parts. */
  readonly file?: { readonly name: string; readonly locate: Locate }
}

/** A problem of a scenario. */
export interface ScenarioProblem {
  readonly file?: string
  /** The place of the problem, if known. */
  readonly line?: number
  readonly column?: number
  /** The key at fault, e.g. `identities[0].handle`. */
  readonly key: string
  /** What was found and what is expected. */
  readonly message: string
}

/** The maximum number of problems that are reported; beyond it, the first ones and the number of the rest. */
const maxReported = 20

/** The error of a scenario that cannot be used, with its problems; nothing is loaded. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly code: 'not-found' | 'unreadable' | 'syntax' | 'invalid'
  /** The path of the file, or the scenario's name if there is no file. */
  readonly source: string
  /** The problems in the order of the file, up to 20 of them. */
  readonly problems: readonly ScenarioProblem[]
  /** The number of additional problems that were found. */
  readonly further: number

  /** `cause` is what the scenario's own code threw, if it did; `further` counts the problems that are not listed. */
  constructor(
    code: ScenarioError['code'],
    source: string,
    problems: readonly ScenarioProblem[],
    { further = 0, ...options }: ErrorOptions & { readonly further?: number } = {},
  ) {
    const reported = problems.slice(0, maxReported)
    const more = further + problems.length - reported.length
    const lines = reported.map((problem) => describe(source, problem))
    super([...lines, ...(more > 0 ? [`${source}: and ${grouped(more)} more`] : [])].join('\n'), options)
    this.code = code
    this.source = source
    this.problems = reported
    this.further = more
  }
}

/** Creates the error for a single problem of a scenario. */
export function scenarioError(
  code: ScenarioError['code'],
  source: string,
  message: string,
  place: Partial<FilePlace> = {},
): ScenarioError {
  return new ScenarioError(code, source, [{ ...place, key: '', message }])
}

function describe(source: string, { file = source, line, column, key, message }: ScenarioProblem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return key === '' ? `${place}: ${message}` : `${place}: ${key}: ${message}`
}

/** Creates the error for a scenario with problems: each once, in the order of the file; then those of other files. */
export function refusal(source: string, locate: Locate, problems: readonly ProblemAt[]): ScenarioError {
  const placed = problems.map(({ path, place = path, part, message, file }) => {
    const at = (file?.locate ?? locate)(place, part)
    return { at, path, message, file: file && besides(source, file.name) }
  })
  // Problems of the scenario itself come first.
  const inOrder = (a = '', b = ''): number => Number(a > b) - Number(a < b)
  placed.sort((a, b) => {
    return (
      inOrder(a.file, b.file) ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0)
    )
  })
  const reported = new Map<string, ScenarioProblem>()
  let seen = 0
  for (const { at, path, message, file } of placed) {
    if (reported.size === maxReported) break
    seen++
    const named = file !== undefined && { file }
    const problem: ScenarioProblem = { ...named, ...at, key: keyOf(path), message: textOf(message) }
    // What an alias repeats has one place.
    const mistake = JSON.stringify(at ? { ...problem, key: path.at(-1) } : problem)
    if (!reported.has(mistake)) reported.set(mistake, problem)
  }
  return new ScenarioError('invalid', source, [...reported.values()], { further: placed.length - seen })
}

/** Returns the name of a file beside a scenario in messages: its path, relative like that of the scenario. */
function besides(source: string, name: string): string {
  const folder = /[\\/]/.test(source) ? source.replace(/[^\\/]*$/, '') : ''
  return `${folder}${name.replace(/^\.\//, '')}`
}

/** Returns `there is no thread "refnd"; did you mean "refund"?`, or lists the known names if none is similar. */
export function noSuch(what: string, given: string, known: Iterable<string>): string {
  return `there is no ${what} ${quoted(given)}${expectedOneOf(given, known)}`
}

/** Returns the message that no agent has a handle. */
export function noIdentity(handle: string, known: Iterable<string>): string {
  return noSuch('identity with the handle', handle.replace(/^@/, ''), known)
}

/** What authors of scenarios call its keys. */
const synonyms: Synonyms = {
  agents: 'identities',
  body: 'text',
  content: 'text',
  sender: 'from',
  recipient: 'to',
  date: 'at',
  timestamp: 'at',
  name: 'scenario',
  description: 'describe',
}

/** The source of a value that is checked. */
interface CheckedSource {
  readonly source: string
  readonly locate: Locate
  /** Returns a problem at the place that caused it; by default it is the problem itself. */
  readonly placed?: ((problem: ProblemAt) => ProblemAt) | undefined
}

/** Checks the value of a source against a format. @throws ScenarioError with every problem */
export function checkFormat<Content>(
  schema: z.ZodType<Content>,
  value: unknown,
  origin: CheckedSource,
): Content {
  const { content, problems } = fitted(schema, value)
  refuseProblems(origin, problems)
  return content as Content
}

/** @throws ScenarioError if there are problems */
export function refuseProblems(
  { source, locate, placed = (problem) => problem }: CheckedSource,
  problems: readonly ProblemAt[],
): void {
  if (problems.length > 0) throw refusal(source, locate, problems.map(placed))
}

/** Returns the problems of a value under a format. */
export function formatProblems(schema: z.ZodType, value: unknown): readonly ProblemAt[] {
  return fitted(schema, value).problems
}

function fitted<Content>(schema: z.ZodType<Content>, value: unknown) {
  const { data: content } = schema.safeParse(value)
  const problems: ProblemAt[] = content === undefined ? mistakesIn(schema, value, synonyms) : []
  // A record silently drops the key `__proto__`.
  const hidden = problems.length === 0 ? hiddenKeys(value) : []
  problems.push(...hidden.map((path): ProblemAt => ({ path, part: 'key', message: 'unknown key' })))
  return { content, problems }
}

/**
 * Converts a value thrown by a scenario's code into a problem of the first line in its stack trace that is in one of the
 * files, which are given by their paths with their names in messages.
 */
export function explainThrown(
  thrown: unknown,
  what: string,
  source: string,
  files: ReadonlyMap<string, string> = new Map(),
): ScenarioError {
  const frames = isError(thrown) ? (thrown.stack ?? '').split('\n') : []
  const [place] = frames.flatMap((frame) => {
    // A frame of V8, or the line of a syntax error that names its file.
    const [, file = '', line] = /^ +(?:at )?(?:.*[( ])?(\/.*|[A-Za-z]:.*):(\d+):\d+\)?$/.exec(frame) ?? []
    const name = files.get(file)
    return name === undefined ? [] : [{ name, line: Number(line) }]
  })
  const problem = {
    ...(place && { line: place.line }),
    key: '',
    message: `${what} throws ${messageOf(thrown)}`,
  }
  return new ScenarioError('invalid', place?.name ?? source, [problem], { cause: thrown })
}

function messageOf(thrown: unknown): string {
  if (!isError(thrown)) return typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown)
  const [message = ''] = thrown.message.split('\n')
  return message === '' ? thrown.name : `${thrown.name}: ${message.trimEnd()}`
}
