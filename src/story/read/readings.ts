import { counted } from '../../base/index.js'
import { type Extensions, noExtensions } from '../../contract/index.js'
import { ReadingError } from '../../service/model/index.js'
import {
  type ChosenReadings,
  chooseReadings,
  isProfileName,
  type OwnGaps,
  parseChoice,
  profileReadings,
  type ReadingsInput,
  type ReadingsLayer,
} from '../../service/readings/index.js'
import type { Scenario } from '../format/index.js'
import { choiceProblems, readingProblem } from '../resolve/index.js'
import { createResolver, type FileAccess, FileError, type NoteFile, readText } from '../source/index.js'

/**
 * Resolves a user's choice to layers: a profile, a file (with those it extends), `gap=reading,…`, or choices.
 * @throws ReadingError
 */
export async function readingsLayers(
  layer: ReadingsLayer,
  beside?: URL,
  access: ReadingsAccess = {},
): Promise<ReadingsLayer[]> {
  const { from, input } = layer
  if (typeof input !== 'string' || isProfileName(input)) return [layer]
  if (!namesFile(input)) return input.split(',').map((choice) => ({ from, input: parseChoice(choice) }))
  if (!/[./\\]/.test(input)) profileReadings(input)
  const inputs = await readFileChain(input, beside, [], access)
  return inputs.map(({ input: read, file }) => ({ from: `${from}: ${file}`, input: read }))
}

/** Which files of readings may be read. */
interface ReadingsAccess extends FileAccess {
  /** The gaps of extensions. */
  readonly own?: OwnGaps
}

/** Returns whether a choice names a file: it is neither a profile nor of the form `gap=reading`. */
function namesFile(input: string): boolean {
  return !isProfileName(input) && !input.includes('=')
}

async function readFileChain(
  path: string,
  beside: URL | undefined,
  seen: readonly string[],
  access: ReadingsAccess,
): Promise<{ readonly file: string; readonly input: ReadingsInput }[]> {
  const { url, text } = await readNamed(path, beside, access)
  if (seen.includes(url.href)) {
    throw new ReadingError(
      'malformed',
      `${path} extends itself, through ${counted(seen.length, 'file')}; leave out one extends.`,
    )
  }
  // Imported here so that other choices do not load the YAML parser.
  const { parseReadingsFile } = await import('./readings-text.js')
  const { extended, choices } = parseReadingsFile(path, text, access.own)
  const own = { file: path, input: choices }
  if (extended === undefined) return [own]
  if (isProfileName(extended)) return [{ file: path, input: extended }, own]
  return [...(await readFileChain(extended, url, [...seen, url.href], access)), own]
}

async function readNamed(path: string, beside: URL | undefined, access: ReadingsAccess) {
  try {
    const url = await createResolver(beside, access)(path)
    return { url, text: await readText(url, path) }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const isMissing = error.code === 'missing'
    const message = isMissing
      ? `There is no file of readings "${path}"`
      : `The file of readings ${error.message}`
    throw new ReadingError('unknown-profile', `${message}; a profile is default, worst-case or seed:<n>.`)
  }
}

/**
 * Reads the readings of a scenario. A wrong choice is a problem of its gap; a file is a problem if the scenario is
 * confined to shipped files.
 */
export async function ownReadings(
  { readings: input }: Scenario,
  beside: URL | undefined,
  access: FileAccess | 'shipped',
  own?: OwnGaps,
) {
  if (typeof input === 'object') {
    const problems = choiceProblems(input, ['readings'], own)
    return { layers: problems.length > 0 ? [] : [{ from: 'scenario', input }], problems }
  }
  if (input === undefined) return { layers: [{ from: 'scenario', input }], problems: [] }
  if (access === 'shipped' && namesFile(input)) {
    const message =
      'expected default, worst-case, seed:<n> or readings by gap; this scenario may not name a file'
    return { layers: [], problems: [{ path: ['readings'], message }] }
  }
  try {
    const files = access === 'shipped' ? {} : access
    const layers = await readingsLayers({ from: 'scenario', input }, beside, {
      ...files,
      isConfined: true,
      ...(own && { own }),
    })
    chooseReadings(layers, undefined, own)
    return { layers, problems: [] }
  } catch (error) {
    return { layers: [], problems: [readingProblem(error, ['readings'])] }
  }
}

/** Adds readings that override the present ones. @throws ReadingError */
export async function addReadings(
  present: ChosenReadings & { readonly extensions?: Extensions },
  added: readonly ReadingsLayer[],
): Promise<ChosenReadings> {
  const { gaps } = present.extensions ?? noExtensions
  return chooseReadings(await readLayers(added, () => undefined, gaps), present, gaps)
}

/** Resolves requested layers and reads their files; errors name the layer's origin. @throws ReadingError */
export async function readLayers(
  requested: readonly ReadingsLayer[],
  note: NoteFile,
  own: OwnGaps,
): Promise<readonly ReadingsLayer[]> {
  const read = requested.map(async (layer) => {
    try {
      const layers = await readingsLayers(layer, undefined, { note, own })
      chooseReadings(layers, undefined, own)
      return layers
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error
      throw new ReadingError(error.code, `${layer.from}: ${error.message}`)
    }
  })
  return (await Promise.all(read)).flat()
}
