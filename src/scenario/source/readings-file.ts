import { LineCounter, parseDocument, stringify } from 'yaml'
import { defaultReadings, type Readings } from '../../contract/gaps.js'
import { z } from '../../contract/schema.js'
import {
  isProfileName,
  parseChoice,
  profileReadings,
  ReadingError,
  type ReadingsInput,
  type ReadingsLayer,
  withChoices,
} from '../../world/index.js'
import { readingChoicesSchema } from '../format/reading-choices.js'
import { createLocate, keyOf, type Locate } from '../problems/places.js'
import { FileError } from './file-error.js'
import { type NoteFile, readWithin, resolveName, workingFolder } from './files.js'
import { maxScenarioBytes } from './sizes.js'

/** A file with readings: those it names, on top of the profile or file it extends. */
const fileSchema = z.strictObject({
  extends: z.string().optional(),
  readings: readingChoicesSchema.default({}),
})

/**
 * The layers a user's wish stands for: a profile, a file (with what it extends), `gap=reading,…`, or choices.
 * @throws ReadingError
 */
export async function readingsLayers(
  layer: ReadingsLayer,
  beside?: URL,
  note?: NoteFile,
): Promise<ReadingsLayer[]> {
  const { from, input } = layer
  if (typeof input !== 'string' || isProfileName(input)) return [layer]
  if (!namesFile(input)) return input.split(',').map((choice) => ({ from, input: parseChoice(choice) }))
  if (!/[./\\]/.test(input)) profileReadings(input)
  const inputs = await readFileChain(input, beside, [], note)
  return inputs.map(({ input: read, file }) => ({ from: `${from}: ${file}`, input: read }))
}

/** Whether a wish is one for a file: it is neither a profile nor of the form `gap=reading`. */
export function namesFile(input: string): boolean {
  return !isProfileName(input) && !input.includes('=')
}

/** Complete readings as the text of a file that `readingsLayers` reads. */
export function formatReadingsFile(readings: Readings): string {
  return stringify({ readings })
}

interface FileInput {
  readonly file: string
  readonly input: ReadingsInput
}

async function readFileChain(
  path: string,
  beside: URL | undefined,
  seen: readonly string[],
  note: NoteFile | undefined,
): Promise<FileInput[]> {
  const url = await resolveName(path, beside ? new URL('.', beside) : await workingFolder())
  note?.(url)
  if (seen.includes(url.href)) {
    throw new ReadingError('malformed', `${path} extends itself, by way of ${seen.length} other file(s).`)
  }
  const { extended, choices } = parseReadingsFile(path, await textOf(path, url))
  const own = { file: path, input: choices }
  if (extended === undefined) return [own]
  if (isProfileName(extended)) return [{ file: path, input: extended }, own]
  return [...(await readFileChain(extended, url, [...seen, url.href], note)), own]
}

/** Reads the text of a file of readings. @throws ReadingError with the place of every problem */
function parseReadingsFile(
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

async function textOf(path: string, url: URL): Promise<string> {
  try {
    return new TextDecoder().decode(await readWithin(url, path, maxScenarioBytes))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const message =
      error.code === 'missing'
        ? `There is no file of readings "${path}"`
        : `The file of readings ${error.message}`
    throw new ReadingError('unknown-profile', `${message}; a profile is default, worst-case or seed:<n>.`)
  }
}
