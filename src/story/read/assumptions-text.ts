import { stringify } from 'yaml'
import { mistakesIn } from '../../base/explain.js'
import { keyOf, textOf } from '../../base/mistake.js'
import { hiddenKeys, z } from '../../base/schema.js'
import type { Assumptions } from '../../contract/gaps.js'
import type { AssumptionsInput, OwnGaps } from '../../service/assumptions/assumptions.js'
import { AssumptionError } from '../../service/model/errors.js'
import { choiceProblems } from '../compile/choices.js'
import { assumptionChoicesSchema } from '../format/values.js'
import type { FilePlace } from './problem.js'
import { readYaml } from './yaml.js'

/** Formats complete assumptions as a file that `assumptionsLayers` can read. */
export function formatAssumptionsFile(assumptions: Assumptions): string {
  return stringify({ assume: assumptions })
}

/** A file of assumptions; they override those of the profile or file it extends. */
const fileSchema = z.strictObject({
  extends: z.string().optional(),
  assume: assumptionChoicesSchema.default({}),
})

/** Parses a file of assumptions. @throws AssumptionError with the places of its problems */
export function parseAssumptionsFile(
  path: string,
  text: string,
  own?: OwnGaps,
): { extended: string | undefined; choices: AssumptionsInput } {
  const { value, locate, problem: broken } = readYaml(text)
  if (broken) throw new AssumptionError('malformed', at(path, broken, broken.message))
  if (typeof value !== 'object' || value === null)
    throw new AssumptionError('malformed', at(path, { line: 1, column: 1 }, form))
  const [hidden] = hiddenKeys(value)
  if (hidden)
    throw new AssumptionError('unknown-gap', at(path, locate(hidden, 'key'), 'There is no gap "__proto__".'))
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) {
    const messages = mistakesIn(fileSchema, value).map(({ path: inside, key, message }) => {
      if (key !== undefined) return at(path, locate([...inside, key], 'key'), message)
      return at(path, locate(inside), `${keyOf(inside)} ${message}`.trim())
    })
    throw new AssumptionError('malformed', `${messages.join('\n')}\n${form}`)
  }
  const { extends: extended, assume: assumptions } = parsed.data
  const wrong = choiceProblems(assumptions, ['assume'], own)
  if (wrong[0]) {
    const messages = wrong.map((problem) => at(path, locate(problem.path), textOf(problem.message)))
    throw new AssumptionError(
      wrong[0].part === 'key' ? 'unknown-gap' : 'unknown-assumption',
      messages.join('\n'),
    )
  }
  return { extended, choices: assumptions }
}

const form =
  'A file of assumptions has the form { extends: worst-case, assume: { threads.total: page-size } }.'

function at(path: string, place: FilePlace | undefined, message: string): string {
  if (!place) return `${path}: ${message}`
  return `${path}:${place.line}:${place.column}: ${message}`
}
