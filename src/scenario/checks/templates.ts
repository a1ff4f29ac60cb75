import type { Faker } from '@faker-js/faker'
import { nearestName } from '../../contract/nearest.js'
import type { ScenarioPath } from '../building/building.js'
import { scenarioSchema } from '../format/index.js'
import { template } from '../format/values.js'
import { shorten } from '../problems/places.js'
import type { ProblemAt } from '../problems/refusal.js'
import { formsOf, schemaAt } from '../problems/schema-walk.js'
import { filledBy } from './trial-fill.js'

/** Finds what is wrong with the templates of a scenario. Faker is loaded only where there are any. */
export async function checkTemplates(scenario: object): Promise<ProblemAt[]> {
  const texts = textsWithBraces(scenario, []).filter(({ path }) => isTemplate(scenario, path))
  if (texts.length === 0) return []
  const { faker } = await import('@faker-js/faker/locale/en')
  const names = templateNames(faker)
  const trial = filledBy(faker)
  return texts.flatMap(({ path, text }) => {
    return problemsIn(text, names, trial).map((message) => ({ path, message }))
  })
}

interface TextAt {
  readonly path: ScenarioPath
  readonly text: string
}

function textsWithBraces(value: unknown, path: ScenarioPath): TextAt[] {
  if (typeof value === 'string') return value.includes('{{') ? [{ path, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => {
    return textsWithBraces(child, [...path, Array.isArray(value) ? Number(key) : key])
  })
}

function isTemplate(scenario: object, path: ScenarioPath): boolean {
  const schema = schemaAt(scenarioSchema, scenario, path)
  return schema !== undefined && formsOf(schema).includes(template)
}

/** The names templates may have, e.g. `person.fullName`. */
function templateNames(faker: Faker): string[] {
  return Object.entries(faker).flatMap(([area, module]) => {
    if (typeof module !== 'object' || module === null || area === 'fakerCore') return []
    const methods = Object.entries(module as object).filter(([, method]) => typeof method === 'function')
    return methods.map(([name]) => `${area}.${name}`)
  })
}

/** What is wrong with the templates in one text. */
function problemsIn(
  text: string,
  names: readonly string[],
  trial: (template: string) => string | undefined,
): string[] {
  const problems: string[] = []
  for (const { 0: start, index } of text.matchAll(/\{\{\s*[a-z]/gi)) {
    const end = text.indexOf('}}', index)
    if (end < 0) return [...problems, `${shorten(text.slice(index))}: "{{" without "}}" after it`]
    const whole = text.slice(index, end + 2)
    const problem = problemWith(whole.slice(2, -2), /^\{\{[a-z]/.test(start), names) ?? trial(whole)
    if (problem !== undefined) problems.push(`${shorten(whole)}: ${problem}`)
  }
  return [...new Set(problems)]
}

/** Faker fills in only what begins with a small letter right after the braces; the rest stays as it is. */
function problemWith(content: string, isFilled: boolean, names: readonly string[]): string | undefined {
  const [name = ''] = content.trim().split('(', 1)
  if (!isFilled) {
    return names.includes(name.trim())
      ? `leave out the spaces within the braces: {{${shorten(content)}}}`
      : undefined
  }
  if (name !== content.trim() && !content.endsWith(')')) return 'a closing ")" is missing before the "}}"'
  if (!names.includes(name)) return unknownName(name, names)
  return problemWithArguments(name, content.slice(name.length + 1, -1))
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
  if (given === '' || isJson(`[${given}]`)) return undefined
  const wantsJson = given.startsWith('{') || /^(string|number|lorem)\./.test(name)
  return wantsJson ? `expected JSON in the brackets, such as {"length": 6}` : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
