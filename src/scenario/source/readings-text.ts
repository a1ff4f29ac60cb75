import { LineCounter, parseDocument, stringify } from 'yaml'
import { defaultReadings, type Readings } from '../../contract/gaps.js'
import { z } from '../../contract/schema.js'
import { ReadingError, type ReadingsInput, withChoices } from '../../world/index.js'
import { readingChoicesSchema } from '../format/reading-choices.js'
import { createLocate } from '../problems/locate.js'
import { keyOf, type Locate } from '../problems/places.js'

/** Complete readings as the text of a file that `readingsLayers` reads. */
export function formatReadingsFile(readings: Readings): string {
  return stringify({ readings })
}

/** A file with readings: those it names, on top of the profile or file it extends. */
const fileSchema = z.strictObject({
  extends: z.string().optional(),
  readings: readingChoicesSchema.default({}),
})

/** Reads the text of a file of readings. @throws ReadingError with the place of every problem */
export function parseReadingsFile(
  path: string,
  text: string,
): { extended: string | undefined; choices: ReadingsInput } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const locate = createLocate(document, lines)
  const [broken] = document.errors
  if (broken) throw malformed(path, lines.linePos(broken.pos[0]), broken.message.split(' at line ')[0] ?? '')
  const parsed = fileSchema.safeParse(document.toJS())
  if (!parsed.success) {
    const messages = parsed.error.issues.map((issue) => {
      return at(path, locate(issue.path), `${keyOf(issue.path)} ${issue.message}`.trim())
    })
    throw new ReadingError('malformed', `${messages.join('\n')}\n${form}`)
  }
  const { extends: extended, readings } = parsed.data
  for (const [gap, reading] of Object.entries(readings)) {
    explain(() => withChoices(defaultReadings, { [gap]: reading }), path, locate(['readings', gap]))
  }
  return { extended, choices: readings }
}

const form =
  'A file of readings is of the form { extends: worst-case, readings: { threads.total: page-size } }.'

function explain(check: () => unknown, path: string, place: ReturnType<Locate>): void {
  try {
    check()
  } catch (error) {
    if (error instanceof ReadingError) throw new ReadingError(error.code, at(path, place, error.message))
    throw error
  }
}

type Place = ReturnType<Locate> | { readonly line: number; readonly col: number }

function malformed(path: string, place: Place, message: string): ReadingError {
  return new ReadingError('malformed', at(path, place, message))
}

function at(path: string, place: Place, message: string): string {
  if (!place) return `${path}: ${message}`
  return `${path}:${place.line}:${'col' in place ? place.col : place.column}: ${message}`
}
