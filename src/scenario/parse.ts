import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { nearestName } from '../contract/nearest.js'
import { z } from '../contract/schema.js'
import { type Scenario, scenarioSchema } from './format/index.js'
import { ScenarioError, type ScenarioProblem } from './scenario-error.js'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** Where a key of the scenario stands in its file; undefined where there is no file. */
export type Locate = (path: Path) => { line: number; column: number } | undefined

/** Reads a scenario from YAML or JSON. @throws ScenarioError with every problem in it */
export function parseScenarioText(source: string, text: string): { checked: Scenario; locate: Locate } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      const { line, col } = lines.linePos(error.pos[0])
      return { line, column: col, key: '', message: error.message.split(' at line ')[0] as string }
    })
    throw new ScenarioError('syntax', source, problems)
  }
  const locate: Locate = (path) => placeOf(document, lines, path)
  return { checked: checkScenario(source, document.toJS(), locate), locate }
}

/** Checks a scenario that is an object already. @throws ScenarioError with every problem in it */
export function checkScenario(source: string, value: unknown, locate: Locate): Scenario {
  const parsed = scenarioSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues
    .flatMap((issue) => problemsOf(issue, locate))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  throw new ScenarioError('invalid', source, problems)
}

function problemsOf(issue: Issue, locate: Locate): ScenarioProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = [...issue.path, key]
      return { ...locate(path), key: keyOf(path), message: unknownKey(issue.path, key) }
    })
  }
  return [{ ...locate(issue.path), key: keyOf(issue.path), message: explain(issue) }]
}

function unknownKey(path: Path, key: string): string {
  const known = keysAt(path)
  const nearest = nearestName(key, known)
  const hint = nearest === undefined ? `there is ${known.join(', ')}` : `did you mean "${nearest}"?`
  return `unknown key; ${hint}`
}

/** The keys the format has at a path. */
function keysAt(path: Path): string[] {
  let schema: z.core.$ZodType | undefined = scenarioSchema
  for (const step of path) schema = childOf(unwrap(schema), step)
  const object = unwrap(schema)
  return object instanceof z.ZodObject ? Object.keys(object.shape) : []
}

function childOf(schema: z.core.$ZodType | undefined, step: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element as z.core.$ZodType
  return schema instanceof z.ZodObject ? (schema.shape as Record<PropertyKey, z.ZodType>)[step] : undefined
}

function unwrap(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrap(schema.unwrap() as z.core.$ZodType)
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options
      .map((option) => unwrap(option as z.core.$ZodType))
      .find((option) => option instanceof z.ZodObject)
  }
  return schema
}

/** `['identities', 0, 'handle']` → `identities[0].handle`. */
export function keyOf(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('')
}

/** Where a key stands; a key that is missing stands where its parent does. */
export function placeOf(document: Document, lines: LineCounter, path: Path): ReturnType<Locate> {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return { line, column: col }
    }
  }
  return undefined
}

function explain({ message }: Issue): string {
  const missing = /^Invalid input: expected (\w+), received undefined$/.exec(message)
  if (missing) return `is missing; expected ${missing[1] === 'array' ? 'a list' : `a ${missing[1]}`}`
  return message.charAt(0).toLowerCase() + message.slice(1)
}
