import { stringify } from 'yaml'
import { defaultReadings, type Readings } from '../../contract/gaps.js'
import { explainIssue, hiddenKeys, z } from '../../contract/schema.js'
import { type OwnGaps, ReadingError, type ReadingsInput, withChoices } from '../../world/index.js'
import { readingChoicesSchema } from '../format/values.js'
import { type FilePlace, keyOf } from '../problems/problem.js'
import { readYaml } from '../problems/yaml.js'

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
  const [hidden] = hiddenKeys(value)
  if (hidden)
    throw new ReadingError('unknown-gap', at(path, locate(hidden, 'key'), 'There is no gap "__proto__".'))
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) {
    const messages = parsed.error.issues.map((issue) => {
      return at(path, locate(issue.path), `${keyOf(issue.path)} ${explainIssue(issue, fileSchema)}`.trim())
    })
    throw new ReadingError('malformed', `${messages.join('\n')}\n${form}`)
  }
  const { extends: extended, readings } = parsed.data
  for (const [gap, reading] of Object.entries(readings)) {
    explain(() => withChoices(defaultReadings, { [gap]: reading }, own), path, locate(['readings', gap]))
  }
  return { extended, choices: readings }
}

const form =
  'A file of readings has the form { extends: worst-case, readings: { threads.total: page-size } }.'

function explain(check: () => unknown, path: string, place: FilePlace | undefined): void {
  try {
    check()
  } catch (error) {
    if (error instanceof ReadingError) throw new ReadingError(error.code, at(path, place, error.message))
    throw error
  }
}

function at(path: string, place: FilePlace | undefined, message: string): string {
  if (!place) return `${path}: ${message}`
  return `${path}:${place.line}:${place.column}: ${message}`
}
