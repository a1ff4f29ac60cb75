import type { Path } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import { type Extensions, noExtensions } from '../../contract/extensions.js'
import { defaultAssumptions } from '../../contract/gaps.js'
import {
  type AssumptionsLayer,
  type ChosenAssumptions,
  chooseAssumptions,
  isProfileName,
  type OwnGaps,
  parseChoice,
  profileAssumptions,
  withChoices,
} from '../../service/assumptions/assumptions.js'
import { WorldError } from '../../service/model/errors.js'
import { assumptionChoicesSchema } from '../format/values.js'
import { FileError, type NoteFile, readText, resolveFile } from './files.js'
import { type ProblemAt, refusal, ScenarioError } from './problem.js'

/**
 * Resolves a user's choice to layers: a profile, a file (with the one it extends), `gap=assumption,…`, or choices.
 * @throws WorldError
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
  return layersOfFile(input, from, beside, access)
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

/** The layers of a file, the one it extends first; that may extend a profile, but no further file. @throws WorldError */
async function layersOfFile(
  path: string,
  from: string,
  beside: URL | undefined,
  access: AssumptionsAccess,
  isExtended = false,
): Promise<AssumptionsLayer[]> {
  const { url, text } = await readNamed(path, beside, access)
  const { extends: extended, assume } = await parseAssumptionsFile(path, text, access.own)
  const own = { from: `${from}: ${path}`, input: assume }
  if (extended === undefined) return [own]
  if (isProfileName(extended)) return [{ from: own.from, input: extended }, own]
  if (!isExtended) return [...(await layersOfFile(extended, from, url, access, true)), own]
  const message = `${path}: a file that another one extends may extend a profile, not the file ${extended}.`
  throw new WorldError('malformed', message)
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
    throw new WorldError('unknown-profile', `${message}; a profile is default, worst-case or seed:<n>.`)
  }
}

/** A file of assumptions; they override those of the profile or file it extends. */
const fileSchema = z.strictObject({
  extends: z.string().optional(),
  assume: assumptionChoicesSchema.default({}),
})

/** Parses a file of assumptions. @throws WorldError with the places of its problems */
export async function parseAssumptionsFile(
  path: string,
  text: string,
  own?: OwnGaps,
): Promise<z.output<typeof fileSchema>> {
  // Imported here so that other choices do not load the YAML parser.
  const { readChecked } = await import('./yaml.js')
  let code: WorldError['code'] = 'malformed'
  try {
    const { content, locate } = readChecked(path, text, () => fileSchema)
    const [wrong, ...others] = choiceProblems(content.assume, ['assume'], own)
    if (!wrong) return content
    code = wrong.part === 'key' ? 'unknown-gap' : 'unknown-assumption'
    throw refusal(path, locate, [wrong, ...others])
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const form =
      'A file of assumptions has the form { extends: worst-case, assume: { threads.total: page-size } }.'
    throw new WorldError(code, code === 'malformed' ? `${error.message}\n${form}` : error.message)
  }
}

/** Returns the problems of choices of assumptions, each at its gap. */
export function choiceProblems(
  choices: Readonly<Record<string, string>>,
  path: Path,
  own: OwnGaps | undefined,
): ProblemAt[] {
  return Object.entries(choices).flatMap(([gap, assumption]) => {
    try {
      withChoices(defaultAssumptions, { [gap]: assumption }, own)
      return []
    } catch (error) {
      return [assumptionProblem(error, [...path, gap])]
    }
  })
}

/** Returns the problem of a choice of assumptions; rethrows any other error. */
function assumptionProblem(error: unknown, path: Path): ProblemAt {
  if (!(error instanceof WorldError)) throw error
  return { path, part: error.code === 'unknown-gap' ? 'key' : 'value', message: error.message }
}

/**
 * Reads the assumptions of a scenario. A wrong choice is a problem of its gap; a file is a problem if the scenario is
 * confined to shipped files.
 */
export async function ownAssumptions(
  { assume: input }: { readonly assume?: string | Readonly<Record<string, string>> | undefined },
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

/** Adds assumptions that override the present ones. @throws WorldError */
export async function addAssumptions(
  present: ChosenAssumptions & { readonly extensions?: Extensions },
  added: readonly AssumptionsLayer[],
): Promise<ChosenAssumptions> {
  const { gaps } = present.extensions ?? noExtensions
  return chooseAssumptions(await readLayers(added, () => undefined, gaps), present, gaps)
}

/** Resolves requested layers and reads their files; errors name the layer's origin. @throws WorldError */
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
      if (!(error instanceof WorldError)) throw error
      throw new WorldError(error.code, `${layer.from}: ${error.message}`)
    }
  })
  return (await Promise.all(read)).flat()
}
