import { counted } from '../../base/text.js'
import { type Extensions, noExtensions } from '../../contract/extensions.js'
import {
  type AssumptionsInput,
  type AssumptionsLayer,
  type ChosenAssumptions,
  chooseAssumptions,
  isProfileName,
  type OwnGaps,
  parseChoice,
  profileAssumptions,
} from '../../service/assumptions/assumptions.js'
import { AssumptionError } from '../../service/model/errors.js'
import { assumptionProblem, choiceProblems } from '../compile/choices.js'
import type { Scenario } from '../format/scenario.js'
import { FileError, type NoteFile, readText, resolveFile } from './files.js'

/**
 * Resolves a user's choice to layers: a profile, a file (with those it extends), `gap=assumption,…`, or choices.
 * @throws AssumptionError
 */
export async function assumptionsLayers(
  layer: AssumptionsLayer,
  beside?: URL,
  access: AssumptionsAccess = {},
): Promise<AssumptionsLayer[]> {
  const { from, input } = layer
  if (typeof input !== 'string' || isProfileName(input)) return [layer]
  if (!namesFile(input)) return input.split(',').map((choice) => ({ from, input: parseChoice(choice) }))
  if (!/[./\\]/.test(input)) profileAssumptions(input)
  const inputs = await readFileChain(input, beside, [], access)
  return inputs.map(({ input: read, file }) => ({ from: `${from}: ${file}`, input: read }))
}

/** How files of assumptions are read. */
interface AssumptionsAccess {
  readonly note?: NoteFile | undefined
  /** The gaps of extensions. */
  readonly own?: OwnGaps
}

/** Returns whether a choice names a file: it is neither a profile nor of the form `gap=assumption`. */
function namesFile(input: string): boolean {
  return !isProfileName(input) && !input.includes('=')
}

async function readFileChain(
  path: string,
  beside: URL | undefined,
  seen: readonly string[],
  access: AssumptionsAccess,
): Promise<{ readonly file: string; readonly input: AssumptionsInput }[]> {
  const { url, text } = await readNamed(path, beside, access)
  if (seen.includes(url.href)) {
    throw new AssumptionError(
      'malformed',
      `${path} extends itself, through ${counted(seen.length, 'file')}; leave out one extends.`,
    )
  }
  // Imported here so that other choices do not load the YAML parser.
  const { parseAssumptionsFile } = await import('./assumptions-text.js')
  const { extended, choices } = parseAssumptionsFile(path, text, access.own)
  const own = { file: path, input: choices }
  if (extended === undefined) return [own]
  if (isProfileName(extended)) return [{ file: path, input: extended }, own]
  return [...(await readFileChain(extended, url, [...seen, url.href], access)), own]
}

async function readNamed(path: string, beside: URL | undefined, access: AssumptionsAccess) {
  try {
    const url = resolveFile(path, beside, access.note)
    return { url, text: await readText(url, path) }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const isMissing = error.code === 'missing'
    const message = isMissing
      ? `There is no file of assumptions "${path}"`
      : `The file of assumptions ${error.message}`
    throw new AssumptionError('unknown-profile', `${message}; a profile is default, worst-case or seed:<n>.`)
  }
}

/**
 * Reads the assumptions of a scenario. A wrong choice is a problem of its gap; a file is a problem if the scenario is
 * confined to shipped files.
 */
export async function ownAssumptions(
  { assume: input }: Scenario,
  beside: URL | undefined,
  access: Pick<AssumptionsAccess, 'note'> | 'shipped',
  own?: OwnGaps,
) {
  if (typeof input === 'object') {
    const problems = choiceProblems(input, ['assume'], own)
    return { layers: problems.length > 0 ? [] : [{ from: 'scenario', input }], problems }
  }
  if (input === undefined) return { layers: [{ from: 'scenario', input }], problems: [] }
  if (access === 'shipped' && namesFile(input)) {
    const message =
      'expected default, worst-case, seed:<n> or assumptions by gap; this scenario may not name a file'
    return { layers: [], problems: [{ path: ['assume'], message }] }
  }
  try {
    const files = access === 'shipped' ? {} : access
    const layers = await assumptionsLayers({ from: 'scenario', input }, beside, {
      ...files,
      ...(own && { own }),
    })
    chooseAssumptions(layers, undefined, own)
    return { layers, problems: [] }
  } catch (error) {
    return { layers: [], problems: [assumptionProblem(error, ['assume'])] }
  }
}

/** Adds assumptions that override the present ones. @throws AssumptionError */
export async function addAssumptions(
  present: ChosenAssumptions & { readonly extensions?: Extensions },
  added: readonly AssumptionsLayer[],
): Promise<ChosenAssumptions> {
  const { gaps } = present.extensions ?? noExtensions
  return chooseAssumptions(await readLayers(added, () => undefined, gaps), present, gaps)
}

/** Resolves requested layers and reads their files; errors name the layer's origin. @throws AssumptionError */
export async function readLayers(
  requested: readonly AssumptionsLayer[],
  note: NoteFile,
  own: OwnGaps,
): Promise<readonly AssumptionsLayer[]> {
  const read = requested.map(async (layer) => {
    try {
      const layers = await assumptionsLayers(layer, undefined, { note, own })
      chooseAssumptions(layers, undefined, own)
      return layers
    } catch (error) {
      if (!(error instanceof AssumptionError)) throw error
      throw new AssumptionError(error.code, `${layer.from}: ${error.message}`)
    }
  })
  return (await Promise.all(read)).flat()
}
