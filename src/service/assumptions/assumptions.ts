import { invocation } from '../../base/package.js'
import { didYouMean, shorten } from '../../base/text.js'
import { type ExtensionGap, gapOf } from '../../contract/extensions.js'
import { type Gap, namesOfAssumptions } from '../../contract/gaps/gap.js'
import { type Assumptions, defaultAssumptions, type GapId, gapIds, gaps } from '../../contract/gaps.js'
import { WorldError } from '../model/errors.js'
import { createRandom } from '../time/random.js'

/** Some gaps, each with the chosen assumption, as users write them. */
export type AssumptionChoices = Readonly<Record<string, string>>

/**
 * Assumptions as a profile (`'worst-case'`, `'seed:7'`), a file (`'./assumptions.yaml'`), or one by one
 * (`'threads.total=page-size'`, `{ 'threads.total': 'page-size' }`).
 */
export type AssumptionsInput = string | AssumptionChoices

/** The gaps that extensions define, by id. */
export type OwnGaps = ReadonlyMap<string, ExtensionGap>

const noGaps: OwnGaps = new Map()

const profiles = ['default', 'worst-case', 'seed:<n>']

/** Returns the assumptions of a profile, including those of extensions' gaps. @throws WorldError `unknown-profile` */
export function profileAssumptions(name: string, own = noGaps): Assumptions {
  if (name === 'default')
    return own.size === 0 ? defaultAssumptions : choose(own, (_, gap) => namesOfAssumptions(gap)[0] as string)
  if (name === 'worst-case') return choose(own, (_, { worst }) => worst)
  const seed = /^seed:(\d+)$/.exec(name)?.[1]
  if (seed !== undefined) {
    return choose(own, (id, gap) => {
      const possible = namesOfAssumptions(gap).filter((name) => !gap.byNameOnly?.includes(name))
      return createRandom(Number(seed), `readings/${id}`).pick(possible)
    })
  }
  const hint = didYouMean(name, profiles)
  const known = `${hint === '' ? '; the' : `${hint} The`} profiles are ${profiles.join(', ')}.`
  throw new WorldError('unknown-profile', `There is no profile "${shorten(name)}"${known}`)
}

/** Returns whether a text names a profile rather than a file. */
export function isProfileName(name: string): boolean {
  return /^(default|worst-case|seed:\d+)$/.test(name)
}

/**
 * Returns assumptions with some of them changed. A choice whose gap ends with `?`, such as
 * `{ 'messages.send-status?': 'created' }`, is ignored if there is no such gap.
 * @throws WorldError `unknown-gap`, `unknown-assumption`
 */
export function withChoices(assumptions: Assumptions, choices: AssumptionChoices, own = noGaps): Assumptions {
  const chosen = Object.entries(choices).flatMap(([name, assumption]) => {
    const gap = name.replace(/\?$/, '')
    if (gap !== name && !gapOf(gap, own)) return []
    checkChoice(gap, assumption, own)
    return [[gap, assumption]]
  })
  return Object.freeze({ ...assumptions, ...Object.fromEntries(chosen) }) as Assumptions
}

/**
 * Parses `gap=assumption`, as flags have it. Gaps of extensions are unknown here, so other names of gaps are not checked.
 * @throws WorldError `malformed`, `unknown-assumption`
 */
export function parseChoice(text: string): AssumptionChoices {
  const [gap = '', assumption, ...rest] = text.split('=')
  if (gap.trim() === '' || assumption === undefined || rest.length > 0) {
    throw new WorldError(
      'malformed',
      `"${shorten(text)}" is not of the form gap=assumption, e.g. threads.total=page-size.`,
    )
  }
  if (Object.hasOwn(gaps, gap.trim())) checkChoice(gap.trim(), assumption.trim())
  return { [gap.trim()]: assumption.trim() }
}

/** Returns the gap of that name. @throws WorldError `unknown-gap` */
export function parseGap(name: string, own = noGaps): GapId {
  if (isGap(name, own)) return name
  const all = 'shows all gaps; with --extend FILE, also those of an extension.'
  const hint = didYouMean(name, [...gapIds, ...own.keys()]) || `; ${invocation} assumptions list ${all}`
  throw new WorldError('unknown-gap', `There is no gap "${shorten(name)}"${hint}`)
}

/** Returns whether there is such a gap, of the interface or of an extension. */
function isGap(name: string, own = noGaps): name is GapId {
  return gapOf(name, own) !== undefined
}

/** Returns whether a gap has such an assumption. */
function isAssumptionOf(gap: GapId, assumption: string, own = noGaps): boolean {
  return Object.hasOwn((gapOf(gap, own) as Gap).assumptions, assumption)
}

function checkChoice(name: string, assumption: string, own = noGaps): void {
  const gap = parseGap(name, own)
  if (!isAssumptionOf(gap, assumption, own)) {
    const names = namesOfAssumptions(gapOf(gap, own) as Gap)
    throw new WorldError(
      'unknown-assumption',
      `"${shorten(String(assumption))}" is not an assumption of ${gap}${didYouMean(String(assumption), names) || '.'} Choose one of ${names.join(', ')}.`,
    )
  }
}

function choose(own: OwnGaps, name: (id: string, gap: Gap) => string): Assumptions {
  const all = [...Object.entries(gaps), ...own] as [string, Gap][]
  return Object.freeze(
    Object.fromEntries(all.map(([id, gap]) => [id, name(id, gap)])),
  ) as unknown as Assumptions
}

/** The variable of the environment that chooses assumptions. */
export const assumptionsVariable = 'MAILBOX_SIM_ASSUME'

/** Assumptions from one source. */
export interface AssumptionsLayer {
  /** The source as users see it, e.g. `scenario`, `MAILBOX_SIM_ASSUME`, `--assume`. */
  readonly from: string
  readonly input: AssumptionsInput | undefined
}

/** Assumptions, and the source of each gap's assumption. */
export interface ChosenAssumptions {
  readonly assumptions: Assumptions
  readonly origins: Readonly<Record<GapId, string>>
}

/**
 * Applies layers to assumptions (by default the default ones) in order: a later layer overrides an earlier one. `own` are
 * the gaps of extensions.
 * @throws WorldError
 */
export function chooseAssumptions(
  layers: readonly AssumptionsLayer[],
  below?: ChosenAssumptions,
  own = noGaps,
): ChosenAssumptions {
  const started = below ?? byDefault(own)
  let { assumptions } = started
  const origins: Record<string, string> = { ...started.origins }
  for (const { from, input } of layers) {
    if (input === undefined) continue
    assumptions =
      typeof input === 'string' ? profileAssumptions(input, own) : withChoices(assumptions, input, own)
    const chosen = Object.keys(typeof input === 'string' ? assumptions : input)
    const named = chosen.map((gap) => gap.replace(/\?$/, '')).filter((gap) => Object.hasOwn(assumptions, gap))
    for (const gap of named) origins[gap] = typeof input === 'string' ? `${from}: ${input}` : from
  }
  return { assumptions, origins: origins as ChosenAssumptions['origins'] }
}

function byDefault(own: OwnGaps): ChosenAssumptions {
  const assumptions = profileAssumptions('default', own)
  const origins = Object.fromEntries(Object.keys(assumptions).map((gap) => [gap, 'default']))
  return { assumptions, origins: origins as Record<GapId, string> }
}
