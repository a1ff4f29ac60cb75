import type { Faker } from '@faker-js/faker'
import { parseJson } from '../../contract/json.js'
import type { z } from '../../contract/schema.js'
import { nearestName, shorten } from '../../contract/text.js'
import { createRandom, turnsOfOthers } from '../../world/index.js'
import { scenarioSchema } from '../format/index.js'
import { template } from '../format/values.js'
import { type Path, type ProblemAt, textOf } from '../problems/problem.js'
import { childOf, formFor, formsOf } from '../problems/schema.js'
import {
  callIn,
  fillTemplates,
  limitCounts,
  limitedDraws,
  TemplateError,
  templateNames,
  templatesIn,
} from './evaluate.js'

/** Finds what is wrong with the templates of a scenario. Faker is loaded only where there are any. */
export async function checkTemplates(scenario: object): Promise<ProblemAt[]> {
  const texts = [...templatesUnder(scenarioSchema, scenario, [])]
  if (texts.length === 0) return []
  const { faker } = await import('@faker-js/faker/locale/en')
  const check = new TemplateCheck(faker)
  const problems: ProblemAt[] = []
  const turn = turnsOfOthers()
  for (const { path, text } of texts) {
    problems.push(...check.problemsIn(text).map((message) => ({ path, message })))
    await turn()
  }
  return problems
}

interface TextAt {
  readonly path: Path
  readonly text: string
}

/** The texts with braces where the format takes templates. */
function* templatesUnder(schema: z.core.$ZodType, value: unknown, path: Path): Generator<TextAt> {
  if (typeof value === 'string') {
    if (value.includes('{{') && formsOf(schema).includes(template)) yield { path, text: value }
    return
  }
  const form = formFor(schema, value)
  if (!form || typeof value !== 'object' || value === null) return
  for (const [name, child] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name
    const part = childOf(form, step)
    if (part) yield* templatesUnder(part, child, [...path, step])
  }
}

type Message = ProblemAt['message']

/** Checks templates by their names and arguments, and by filling them in with an English Faker of its own. */
class TemplateCheck {
  readonly #faker: Faker
  readonly #names: ReadonlySet<string>
  readonly #known = new Map<string, Message | undefined>()
  #next: () => number = () => 0

  constructor(shared: Faker) {
    const random = createRandom(0, 'trial')
    const randomizer = { next: () => this.#next(), seed: () => undefined }
    this.#faker = new (shared.constructor as typeof Faker)({ locale: shared.rawDefinitions, randomizer })
    this.#faker.setDefaultRefDate('2026-01-05T09:00:00.000Z')
    limitCounts(this.#faker)
    this.#names = new Set(templateNames(shared))
    this.#draw = random.next
  }

  readonly #draw: () => number

  /** What is wrong with the templates in one text, each problem once. */
  problemsIn(text: string): Message[] {
    const problems = new Map<unknown, Message>()
    for (const { whole, isClosed } of templatesIn(text, /\{\{\s*[a-z]/gi)) {
      if (!this.#known.has(whole)) this.#known.set(whole, this.#problemWith(whole, isClosed))
      const problem = this.#known.get(whole)
      if (problem !== undefined) problems.set(whole, problem)
    }
    if (problems.size > 0) return [...problems.values()]
    // One alone was tried already.
    const limit = this.#known.has(text) ? undefined : this.#tryFilling(text)
    return limit === undefined ? [] : [`${shorten(text)}: ${limit}`]
  }

  #problemWith(whole: string, isClosed: boolean): Message | undefined {
    if (!isClosed) return `${shorten(whole)}: "{{" without "}}" after it`
    const content = whole.slice(2, -2)
    const problem = this.#problemWithCall(content) ?? this.#tryFilling(whole)
    if (problem === undefined) return undefined
    return () => `${shorten(whole)}: ${textOf(problem)}`
  }

  /** Faker fills in only what begins with a small letter right after the braces; the rest stays as it is. */
  #problemWithCall(content: string): Message | undefined {
    const { name, given } = callIn(content.trim())
    if (!/^[a-z]/.test(content)) {
      return this.#names.has(name.trim())
        ? `leave out the spaces within the braces: {{${shorten(content)}}}`
        : undefined
    }
    if (name !== content.trim() && !content.endsWith(')')) return 'a closing ")" is missing before the "}}"'
    if (!this.#names.has(name)) return () => unknownName(name, [...this.#names])
    return problemWithArguments(name, given)
  }

  /** Why a text cannot be filled in; undefined where it can. */
  #tryFilling(text: string): string | undefined {
    this.#next = limitedDraws(this.#draw)
    try {
      const filled = fillTemplates(this.#faker, text)
      const isText = !/^(NaN|undefined|null|Invalid Date|\[object \w+\])$/.test(filled)
      return isText ? undefined : 'gives no text with these arguments'
    } catch (error) {
      if (error instanceof TemplateError) return error.message
      const [reason = ''] = (error as Error).message.split('\n')
      return `cannot be filled in: ${reason.replace(/\.$/, '')}`
    }
  }
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

/** Faker takes what is no JSON for text, which these make nothing of. */
function problemWithArguments(name: string, given: string): string | undefined {
  if (given === '' || parseJson(`[${given}]`) !== undefined) return undefined
  const wantsJson = given.startsWith('{') || /^(string|number|lorem)\./.test(name)
  return wantsJson ? `expected JSON in the brackets, such as {"length": 6}` : undefined
}
