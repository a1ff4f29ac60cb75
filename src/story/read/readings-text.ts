import { stringify } from 'yaml'
import { hiddenKeys, keyOf, mistakesIn, textOf, z } from '../../base/index.js'
import type { Readings } from '../../contract/index.js'
import { ReadingError } from '../../service/model/index.js'
import type { OwnGaps, ReadingsInput } from '../../service/readings/index.js'
import { type FilePlace, readYaml } from '../problems/index.js'
import { choiceProblems } from '../resolve/index.js'
import { readingChoicesSchema } from '../schema/index.js'

/** Formats complete readings as a file that `readingsLayers` can read. */
export function formatReadingsFile(readings: Readings): string {
  return stringify({ readings })
}

/** A file of readings; they override those of the profile or file it extends. */
const fileSchema = z.strictObject({
  extends: z.string().optional(),
  readings: readingChoicesSchema.default({}),
})

/** Parses a file of readings. @throws ReadingError with the places of its problems */
export function parseReadingsFile(
  path: string,
  text: string,
  own?: OwnGaps,
): { extended: string | undefined; choices: ReadingsInput } {
  const { value, locate, problems } = readYaml(text)
  const [broken] = problems
  if (broken) throw new ReadingError('malformed', at(path, broken, broken.message))
  if (typeof value !== 'object' || value === null)
    throw new ReadingError('malformed', at(path, { line: 1, column: 1 }, form))
  const [hidden] = hiddenKeys(value)
  if (hidden)
    throw new ReadingError('unknown-gap', at(path, locate(hidden, 'key'), 'There is no gap "__proto__".'))
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) {
    const messages = mistakesIn(fileSchema, value).map(({ path: inside, key, message }) => {
      if (key !== undefined) return at(path, locate([...inside, key], 'key'), message)
      return at(path, locate(inside), `${keyOf(inside)} ${message}`.trim())
    })
    throw new ReadingError('malformed', `${messages.join('\n')}\n${form}`)
  }
  const { extends: extended, readings } = parsed.data
  const wrong = choiceProblems(readings, ['readings'], own)
  if (wrong[0]) {
    const messages = wrong.map((problem) => at(path, locate(problem.path), textOf(problem.message)))
    throw new ReadingError(wrong[0].part === 'key' ? 'unknown-gap' : 'unknown-reading', messages.join('\n'))
  }
  return { extended, choices: readings }
}

const form =
  'A file of readings has the form { extends: worst-case, readings: { threads.total: page-size } }.'

function at(path: string, place: FilePlace | undefined, message: string): string {
  if (!place) return `${path}: ${message}`
  return `${path}:${place.line}:${place.column}: ${message}`
}
