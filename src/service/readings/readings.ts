import { didYouMean, invocation, shorten } from '../../base/index.js'
import {
  defaultReadings,
  type ExtensionGap,
  type Gap,
  type GapId,
  gapIds,
  gapOf,
  gaps,
  type Readings,
} from '../../contract/index.js'
import { ReadingError } from '../model/index.js'
import { createRandom } from '../time/index.js'

/** Some gaps, each with the chosen reading, as users write them. */
export type ReadingChoices = Readonly<Record<string, string>>

/**
 * Readings as a profile (`'worst-case'`, `'seed:7'`), a file (`'./readings.yaml'`), or one by one
 * (`'threads.total=page-size'`, `{ 'threads.total': 'page-size' }`).
 */
export type ReadingsInput = string | ReadingChoices

/** The gaps that extensions define, by id. */
export type OwnGaps = ReadonlyMap<string, ExtensionGap>

const noGaps: OwnGaps = new Map()

const profiles = ['default', 'worst-case', 'seed:<n>']

/** Returns the readings of a profile, including those of extensions' gaps. @throws ReadingError `unknown-profile` */
export function profileReadings(name: string, own = noGaps): Readings {
  if (name === 'default')
    return own.size === 0 ? defaultReadings : choose(own, (_, { readings }) => readings[0].name)
  if (name === 'worst-case') return choose(own, (_, { worst }) => worst)
  const seed = /^seed:(\d+)$/.exec(name)?.[1]
  if (seed !== undefined) {
    return choose(own, (gap, { readings }) => {
      const possible = readings.filter(({ byNameOnly }) => !byNameOnly)
      return createRandom(Number(seed), `readings/${gap}`).pick(possible).name
    })
  }
  const hint = didYouMean(name, profiles)
  const known = `${hint === '' ? '; the' : `${hint} The`} profiles are ${profiles.join(', ')}.`
  throw new ReadingError('unknown-profile', `There is no profile "${shorten(name)}"${known}`)
}

/** Returns whether a text names a profile rather than a file. */
export function isProfileName(name: string): boolean {
  return /^(default|worst-case|seed:\d+)$/.test(name)
}

/**
 * Returns readings with some of them changed. A choice whose gap ends with `?`, such as
 * `{ 'messages.send-status?': 'created' }`, is ignored if there is no such gap.
 * @throws ReadingError `unknown-gap`, `unknown-reading`
 */
export function withChoices(readings: Readings, choices: ReadingChoices, own = noGaps): Readings {
  const chosen = Object.entries(choices).flatMap(([name, reading]) => {
    const gap = name.replace(/\?$/, '')
    if (gap !== name && !gapOf(gap, own)) return []
    checkChoice(gap, reading, own)
    return [[gap, reading]]
  })
  return Object.freeze({ ...readings, ...Object.fromEntries(chosen) }) as Readings
}

/**
 * Parses `gap=reading`, as flags have it. Gaps of extensions are unknown here, so other names of gaps are not checked.
 * @throws ReadingError `malformed`, `unknown-reading`
 */
export function parseChoice(text: string): ReadingChoices {
  const [gap = '', reading, ...rest] = text.split('=')
  if (gap.trim() === '' || reading === undefined || rest.length > 0) {
    throw new ReadingError(
      'malformed',
      `"${shorten(text)}" is not of the form gap=reading, e.g. threads.total=page-size.`,
    )
  }
  if (Object.hasOwn(gaps, gap.trim())) checkChoice(gap.trim(), reading.trim())
  return { [gap.trim()]: reading.trim() }
}

/** Returns the gap of that name. @throws ReadingError `unknown-gap` */
export function parseGap(name: string, own = noGaps): GapId {
  if (isGap(name, own)) return name
  const all = 'shows all gaps; with --extend FILE, also those of an extension.'
  const hint = didYouMean(name, [...gapIds, ...own.keys()]) || `; ${invocation} readings list ${all}`
  throw new ReadingError('unknown-gap', `There is no gap "${shorten(name)}"${hint}`)
}

/** Returns whether there is such a gap, of the interface or of an extension. */
export function isGap(name: string, own = noGaps): name is GapId {
  return gapOf(name, own) !== undefined
}

/** Returns whether a gap has such a reading. */
export function isReadingOf(gap: GapId, reading: string, own = noGaps): boolean {
  return (gapOf(gap, own) as Gap).readings.some(({ name }) => name === reading)
}

function checkChoice(name: string, reading: string, own = noGaps): void {
  const gap = parseGap(name, own)
  if (!isReadingOf(gap, reading, own)) {
    const names: readonly string[] = (gapOf(gap, own) as Gap).readings.map(({ name }) => name)
    throw new ReadingError(
      'unknown-reading',
      `"${shorten(String(reading))}" is not a reading of ${gap}${didYouMean(String(reading), names) || '.'} Choose one of ${names.join(', ')}.`,
    )
  }
}

function choose(own: OwnGaps, name: (id: string, gap: Gap) => string): Readings {
  const all = [...Object.entries(gaps), ...own] as [string, Gap][]
  return Object.freeze(Object.fromEntries(all.map(([id, gap]) => [id, name(id, gap)]))) as unknown as Readings
}

/** The variable of the environment that chooses readings. */
export const readingsVariable = 'MAILBOX_SIM_READINGS'

/** Readings from one source. */
export interface ReadingsLayer {
  /** The source as users see it, e.g. `scenario`, `MAILBOX_SIM_READINGS`, `--reading`. */
  readonly from: string
  readonly input: ReadingsInput | undefined
}

/** Readings, and the source of each gap's reading. */
export interface ChosenReadings {
  readonly readings: Readings
  readonly origins: Readonly<Record<GapId, string>>
}

/**
 * Applies layers to readings (by default the default ones) in order: a later layer overrides an earlier one. `own` are
 * the gaps of extensions.
 * @throws ReadingError
 */
export function chooseReadings(
  layers: readonly ReadingsLayer[],
  below?: ChosenReadings,
  own = noGaps,
): ChosenReadings {
  const started = below ?? byDefault(own)
  let { readings } = started
  const origins: Record<string, string> = { ...started.origins }
  for (const { from, input } of layers) {
    if (input === undefined) continue
    readings = typeof input === 'string' ? profileReadings(input, own) : withChoices(readings, input, own)
    const chosen = Object.keys(typeof input === 'string' ? readings : input)
    const named = chosen.map((gap) => gap.replace(/\?$/, '')).filter((gap) => Object.hasOwn(readings, gap))
    for (const gap of named) origins[gap] = typeof input === 'string' ? `${from}: ${input}` : from
  }
  return { readings, origins: origins as ChosenReadings['origins'] }
}

function byDefault(own: OwnGaps): ChosenReadings {
  const readings = profileReadings('default', own)
  const origins = Object.fromEntries(Object.keys(readings).map((gap) => [gap, 'default']))
  return { readings, origins: origins as Record<GapId, string> }
}
