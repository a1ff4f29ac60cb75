import type { Faker } from '@faker-js/faker'
import { parseJson } from '../../base/json.js'
import { textOf } from '../../base/mistake.js'
import { grouped, nearestName, shorten } from '../../base/text.js'
import type { ProblemAt } from '../read/problem.js'

/** The largest count or length that a template may ask for. */
const maxCount = 10_000
/** The most random values drawn for one text: about 50 ms. */
const maxDraws = 100_000
/** The longest text that filling in templates may produce, in characters. */
const maxTextLength = 1_000_000

type Problem = ProblemAt['message']

/** Thrown for a text whose templates cannot be filled in; explains the problems to its author. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(textOf(problems[0] ?? ''))
    this.problems = problems
  }
}

/** A source of random numbers that limits how many one text may draw. */
export function limitedDraws(next: () => number): () => number {
  let draws = 0
  return () => {
    if (++draws > maxDraws)
      throw new TemplateError(`a text may take up to ${grouped(maxDraws)} random values`)
    return next()
  }
}

/** Makes a Faker refuse counts and lengths above the limit wherever its methods resolve them. Returns the same Faker. */
export function limitCounts(faker: Faker): Faker {
  const { helpers } = faker
  const { rangeToNumber } = helpers
  helpers.rangeToNumber = (range) => {
    const count = rangeToNumber(range)
    if (!(count > maxCount)) return count
    throw new TemplateError(`asks for ${grouped(count)}; a count or length may be up to ${grouped(maxCount)}`)
  }
  return faker
}

/** One template in a text. */
interface TemplateAt {
  /** Its offset in the text. */
  readonly start: number
  /** Its text with the braces; the closing ones may be missing. */
  readonly whole: string
  readonly isClosed: boolean
}

/** Returns the templates of a text, including malformed ones, from left to right. */
function templatesIn(text: string): TemplateAt[] {
  const found: TemplateAt[] = []
  const pattern = /\{\{\s*[a-z]/gi
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const end = text.indexOf('}}', match.index)
    const isClosed = end >= 0
    const whole = text.slice(match.index, isClosed ? end + 2 : undefined)
    found.push({ start: match.index, whole, isClosed })
    if (!isClosed) break
    pattern.lastIndex = end + 2
  }
  return found
}

/** Returns a text with its templates filled in by a Faker. @throws TemplateError with all problems found */
export function fillTemplates(faker: Faker, text: string): string {
  const templates = templatesIn(text)
  const problems = new Map<string, Problem>()
  let filled = ''
  let end = 0
  for (const { start, whole, isClosed } of templates) {
    filled += text.slice(end, start)
    end = start + whole.length
    const content = whole.slice(2, -2)
    const problem = isClosed ? problemWithCall(faker, content) : '"{{" without "}}" after it'
    if (problem !== undefined) problems.set(whole, () => `${shorten(whole)}: ${textOf(problem)}`)
    if (problems.size > 0) continue
    try {
      // Faker only fills in templates with a lowercase letter right after the braces; others stay as they are.
      filled += /^[a-z]/.test(content) ? evaluate(faker, content) : whole
      if (filled.length > maxTextLength) throw tooLong()
    } catch (error) {
      const [reason = ''] = (error as Error).message.split('\n')
      const why =
        error instanceof TemplateError ? reason : `cannot be filled in: ${reason.replace(/\.$/, '')}`
      problems.set(whole, `${shorten(whole)}: ${why}`)
    }
  }
  if (problems.size > 0) throw new TemplateError(...problems.values())
  return filled + text.slice(end)
}

/** Returns the problem of a template's name or brackets, or undefined if there is none. */
function problemWithCall(faker: Faker, content: string): Problem | undefined {
  const { name, argumentText } = callIn(content.trim())
  const isKnown = methodOf(faker, name.trim()) !== undefined
  if (!/^[a-z]/.test(content)) {
    return isKnown ? `leave out the spaces within the braces: {{${shorten(content)}}}` : undefined
  }
  if (name !== content.trim() && !content.endsWith(')')) return 'a closing ")" is missing before the "}}"'
  if (!isKnown) return () => unknownName(name, templateNames(faker))
  return problemWithArguments(name, argumentText)
}

function unknownName(name: string, names: readonly string[]): string {
  const shown = shorten(name)
  const nearest = nearestName(name, names)
  if (nearest !== undefined) return `there is no ${shown}; did you mean "${nearest}"?`
  const [area] = name.split('.', 1)
  const methods = names
    .filter((known) => known.startsWith(`${area}.`))
    .map((known) => known.slice(known.indexOf('.') + 1))
  if (methods.length > 0)
    return `there is no ${shown}; ${area} has ${methods.slice(0, 8).join(', ')} and others`
  return `there is no ${shown}; a template is of the form {{person.fullName}}`
}

/** Returns the problem of arguments that are not JSON: Faker passes them as text, which some methods ignore. */
function problemWithArguments(name: string, argumentText: string): string | undefined {
  if (argumentText === '' || parseJson(`[${argumentText}]`) !== undefined) return undefined
  const wantsJson = argumentText.startsWith('{') || /^(string|number|lorem)\./.test(name)
  return wantsJson ? `expected JSON in the brackets, such as {"length": 6}` : undefined
}

/** Evaluates a call such as `person.fullName` or `string.numeric(6)`. @throws TemplateError */
function evaluate(faker: Faker, content: string): string {
  const { name, argumentText } = callIn(content)
  const values =
    argumentText === '' ? [] : ((parseJson(`[${argumentText}]`) as unknown[] | undefined) ?? [argumentText])
  // Nested templates are filled in, and explained, like others.
  const value =
    name === 'helpers.fake' ? fillTemplates(faker, String(values[0])) : methodOf(faker, name)?.(...values)
  const text = String(value)
  if (text.length > maxTextLength) throw tooLong()
  if (/^(NaN|undefined|null|Invalid Date|\[object \w+\])$/.test(text)) {
    throw new TemplateError('gives no text with these arguments')
  }
  return text
}

function tooLong(): TemplateError {
  return new TemplateError(`a text may have up to ${grouped(maxTextLength)} characters`)
}

/** Splits a template into the name of a method and the text in its brackets. */
function callIn(content: string): { readonly name: string; readonly argumentText: string } {
  const [name = ''] = content.split('(', 1)
  return { name, argumentText: name === content ? '' : content.slice(name.length + 1, -1) }
}

type Method = (...args: unknown[]) => unknown

function methodOf(faker: Faker, name: string): Method | undefined {
  const [area = '', method = '', ...others] = name.split('.')
  if (others.length > 0 || !isArea(faker, area)) return undefined
  const module = faker[area as keyof Faker] as unknown as Record<string, unknown>
  return Object.hasOwn(module, method) && typeof module[method] === 'function'
    ? (module[method] as Method)
    : undefined
}

function isArea(faker: Faker, name: string): boolean {
  if (name === 'fakerCore' || !Object.hasOwn(faker, name)) return false
  const module: unknown = faker[name as keyof Faker]
  return typeof module === 'object' && module !== null
}

/** The names that templates may use, e.g. `person.fullName`. */
function templateNames(faker: Faker): string[] {
  const areas = Object.keys(faker).filter((name) => isArea(faker, name))
  return areas.flatMap((area) => {
    const methods = Object.entries(faker[area as keyof Faker] as object)
    return methods.flatMap(([name, method]) => (typeof method === 'function' ? [`${area}.${name}`] : []))
  })
}
