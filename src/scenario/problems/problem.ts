import { nearestOf, shorten } from '../../contract/text.js'

/** The keys and positions that lead to a part of a file, e.g. `['identities', 0, 'handle']`. */
export type Path = readonly PropertyKey[]

/** A place in a file; both count from 1, columns in UTF-16 code units. */
export interface FilePlace {
  readonly line: number
  readonly column: number
}

/** Finds a value of a file, or its key; what is missing is found at its parent. Undefined where there is no file. */
export type Locate = (path: Path, part?: 'key' | 'value') => FilePlace | undefined

/** Something wrong with a part of a scenario. */
export interface ProblemAt {
  readonly path: Path
  /** Where it stands, if that is not the place of the path. */
  readonly place?: Path
  /** Whether the key itself is wrong; the value otherwise. */
  readonly part?: 'key' | 'value'
  /** A text, or a function that makes it: a search for similar names is only worth it for what is reported. */
  readonly message: string | (() => string)
  readonly file?: FileBeside
}

/** A file as a scenario names it, and where its parts stand. */
interface FileBeside {
  readonly name: string
  readonly locate: Locate
}

/** The text of a problem. */
export function textOf(message: ProblemAt['message']): string {
  return typeof message === 'string' ? message : message()
}

/** A problem of a scenario. */
export interface ScenarioProblem {
  readonly file?: string
  /** The place of the problem, if known. */
  readonly line?: number
  readonly column?: number
  /** The key at fault, e.g. `identities[0].handle`. */
  readonly key: string
  /** What was found and what would be right. */
  readonly message: string
}

/** So many problems are reported; of more, the first ones and how many follow. */
const mostReported = 20
/** So many are looked for. */
export const mostFound = 5_000

/** What an error knows besides its problems. */
interface ErrorDetails extends ErrorOptions {
  /** How many problems there are besides those reported. */
  readonly further?: number
}

/** The error of a scenario that cannot be used, with its problems; nothing is loaded. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly code: 'not-found' | 'unreadable' | 'syntax' | 'invalid'
  /** The path of the file, or the scenario's name if there is no file. */
  readonly source: string
  /** The problems in the order of the file, up to 20 of them. */
  readonly problems: readonly ScenarioProblem[]
  /** The number of further problems that were found; the search stops at 5,000 in all. */
  readonly further: number

  /** `cause` is what code of the scenario threw, where it is such code that went wrong. */
  constructor(
    code: ScenarioError['code'],
    source: string,
    problems: readonly ScenarioProblem[],
    { further = 0, ...options }: ErrorDetails = {},
  ) {
    const reported = problems.slice(0, mostReported)
    const more = further + problems.length - reported.length
    const lines = reported.map((problem) => describe(source, problem))
    const least = more + reported.length < mostFound ? '' : 'at least '
    super(
      [...lines, ...(more > 0 ? [`${source}: and ${least}${grouped(more)} more`] : [])].join('\n'),
      options,
    )
    this.code = code
    this.source = source
    this.problems = reported
    this.further = more
  }
}

/** The error for a scenario that is wrong as a whole, or at one place. */
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

/** The error for a scenario with problems: every problem once, in the order of the file; then those of other files. */
export function refusal(source: string, locate: Locate, problems: readonly ProblemAt[]): ScenarioError {
  const placed = problems.map(({ path, place = path, part, message, file }) => {
    const at = (file?.locate ?? locate)(place, part)
    return { at, path, message, file: file && besides(source, file.name) }
  })
  // What stands in the scenario itself comes first.
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
    if (reported.size === mostReported) break
    seen++
    const named = file !== undefined && { file }
    const problem: ScenarioProblem = { ...named, ...at, key: keyOf(path), message: textOf(message) }
    reported.set(JSON.stringify(problem), problem)
  }
  return new ScenarioError('invalid', source, [...reported.values()], { further: placed.length - seen })
}

/** What messages call a file beside a scenario: its path from where the scenario's is from. */
function besides(source: string, name: string): string {
  const folder = /[\\/]/.test(source) ? source.replace(/[^\\/]*$/, '') : ''
  return `${folder}${name.replace(/^\.\//, '')}`
}

/** Adds problems that were found later, without those of parts in which something has been found already. */
export function withFurther(found: readonly ProblemAt[], later: readonly ProblemAt[]): ProblemAt[] {
  const known = new Set<string>()
  for (const { path } of later.length > 0 ? found : []) {
    for (let length = 0; length <= path.length; length++) known.add(JSON.stringify(path.slice(0, length)))
  }
  return [...found, ...later.filter(({ path }) => !known.has(JSON.stringify(path)))]
}

/** `['identities', 0, 'handle']` → `identities[0].handle`, in one line whatever the keys are. */
export function keyOf(path: Path): string {
  return path.map((step, index) => stepOf(step, index === 0)).join('')
}

function stepOf(step: PropertyKey, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  const name = String(step)
  if (!/^[^\s"[\]\p{C}]+$/u.test(name)) return `[${JSON.stringify(shorten(name))}]`
  return `${first ? '' : '.'}${shorten(name)}`
}

/** A text in quotes, shortened and in one line. */
export function quoted(text: string): string {
  return `"${shorten(text)}"`
}

/** A whole number as people read it: `10,000,000`. */
export function grouped(value: number): string {
  return String(value).replace(/(?<=^-?\d+)(?=(\d{3})+$)/g, ',')
}

/** `there is no thread "refnd"; did you mean "refund"?`, or, where no name is similar, the names there are. */
export function noSuch(what: string, given: string, known: Iterable<string>): string {
  return `there is no ${what} ${quoted(given)}${nearestOf(given, known)}`
}

/** Says that no agent has a handle. */
export function noIdentity(handle: string, known: Iterable<string>): string {
  return noSuch('identity with the handle', handle.replace(/^@/, ''), known)
}
