import { explainDocument, type Synonyms } from '../../base/explain-document.js'
import { hiddenKeys, type z } from '../../base/schema.js'
import { grouped } from '../../base/text.js'
import { type Locate, type ProblemAt, refusal } from './problem.js'

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
  readonly placed?: (problem: ProblemAt) => ProblemAt
}

/** Checks the value of a source against a format. @throws ScenarioError with every problem */
export function checkFormat<Content>(
  schema: z.ZodType<Content>,
  value: unknown,
  { source, locate, placed = (problem) => problem }: CheckedSource,
): Content {
  const { content, problems } = fitted(schema, value)
  if (problems.length > 0) throw refusal(source, locate, problems.map(placed))
  return content as Content
}

/** Returns the problems of a value under a format. */
export function formatProblems(schema: z.ZodType, value: unknown): readonly ProblemAt[] {
  return fitted(schema, value).problems
}

function fitted<Content>(schema: z.ZodType<Content>, value: unknown) {
  const excess = excessIn(value)
  if (excess) return { content: undefined, problems: [excess] }
  const { data: content } = schema.safeParse(value)
  const problems: ProblemAt[] = content === undefined ? explainDocument(schema, value, synonyms) : []
  // A record silently drops the key `__proto__`.
  const hidden = problems.length === 0 ? hiddenKeys(value) : []
  problems.push(...hidden.map((path): ProblemAt => ({ path, part: 'key', message: 'unknown key' })))
  return { content, problems }
}

/** How deeply the lists and maps of a document may be nested. */
const maxNesting = 100
/** The number of values in a document, those that aliases repeat counted each time. */
const maxValues = 1_000_000

/** Returns the first part of a value that is nested too deeply, such as one that contains itself, or is one too many. */
function excessIn(value: unknown): ProblemAt | undefined {
  const path: PropertyKey[] = []
  let count = 0
  const visit = (part: unknown): string | undefined => {
    count += 1
    if (count > maxValues)
      return `a document has up to ${grouped(maxValues)} values, those of aliases counted each time`
    if (path.length > maxNesting) return `lists and maps are nested more than ${maxNesting} deep here`
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return undefined
    for (const [key, child] of Object.entries(part)) {
      path.push(Array.isArray(part) ? Number(key) : key)
      const message = visit(child)
      if (message !== undefined) return message
      path.pop()
    }
    return undefined
  }
  const message = visit(value)
  // The steps down to a deep place would fill a screen.
  return message === undefined ? undefined : { path: path.slice(0, 3), message }
}
