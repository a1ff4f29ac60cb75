import {
  isProfileName,
  parseChoice,
  profileReadings,
  ReadingError,
  type ReadingsInput,
  type ReadingsLayer,
} from '../../world/index.js'
import { FileError } from './file-error.js'
import { type NoteFile, readWithin, resolveName, workingFolder } from './files.js'
import { maxScenarioBytes } from './sizes.js'

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
  // Loaded here, so that choices which are no file do without a parser.
  const { parseReadingsFile } = await import('./readings-text.js')
  const { extended, choices } = parseReadingsFile(path, await textOf(path, url))
  const own = { file: path, input: choices }
  if (extended === undefined) return [own]
  if (isProfileName(extended)) return [{ file: path, input: extended }, own]
  return [...(await readFileChain(extended, url, [...seen, url.href], note)), own]
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
