import { defaultReadings, type GapId, gapIds, gaps, type Readings, readingsOf } from '../contract/gaps.js'
import { didYouMean } from '../contract/nearest.js'
import { ReadingError } from './errors.js'
import { createRandom } from './random.js'

/** Some gaps with the reading wanted for each, as people write them. */
export type ReadingChoices = Readonly<Record<string, string>>

/**
 * Readings by profile (`'worst-case'`, `'seed:7'`), from a file (`'./readings.yaml'`), or one by one
 * (`'threads.total=page-size'`, `{ 'threads.total': 'page-size' }`).
 */
export type ReadingsInput = string | ReadingChoices

const profiles = ['default', 'worst-case', 'seed:<n>']

/** The readings of a profile. @throws ReadingError `unknown-profile` */
export function profileReadings(name: string): Readings {
  if (name === 'default') return defaultReadings
  if (name === 'worst-case') return choose((gap) => gaps[gap].worst)
  const seed = /^seed:(\d+)$/.exec(name)?.[1]
  if (seed !== undefined) {
    return choose((gap) => createRandom(Number(seed), `readings/${gap}`).pick(readingsOf(gap)).name)
  }
  const hint = didYouMean(name, profiles)
  const known = `${hint === '' ? '; the' : `${hint} The`} profiles are ${profiles.join(', ')}.`
  throw new ReadingError('unknown-profile', `There is no profile "${name}"${known}`)
}

/** Whether a text names a profile, rather than a file. */
export function isProfileName(name: string): boolean {
  return /^(default|worst-case|seed:\d+)$/.test(name)
}

/** Other readings with some changed. @throws ReadingError `unknown-gap`, `unknown-reading` */
export function withChoices(readings: Readings, choices: ReadingChoices): Readings {
  for (const [gap, reading] of Object.entries(choices)) checkChoice(gap, reading)
  return Object.freeze({ ...readings, ...choices }) as Readings
}

/** Reads `gap=reading` as a flag gives it. @throws ReadingError `malformed` and those of `withChoices` */
export function parseChoice(text: string): ReadingChoices {
  const [gap = '', reading, ...rest] = text.split('=')
  if (reading === undefined || rest.length > 0) {
    throw new ReadingError(
      'malformed',
      `"${text}" is not of the form gap=reading, e.g. threads.total=page-size.`,
    )
  }
  checkChoice(gap.trim(), reading.trim())
  return { [gap.trim()]: reading.trim() }
}

/** The gap of that name. @throws ReadingError `unknown-gap` */
export function parseGap(name: string): GapId {
  if (Object.hasOwn(gaps, name)) return name as GapId
  const hint = didYouMean(name, gapIds) || '; agent-mailbox-sim readings list shows them all.'
  throw new ReadingError('unknown-gap', `There is no gap "${name}"${hint}`)
}

function checkChoice(gap: string, reading: string): void {
  const names: readonly string[] = readingsOf(parseGap(gap)).map(({ name }) => name)
  if (!names.includes(reading)) {
    throw new ReadingError(
      'unknown-reading',
      `"${reading}" is not a reading of ${gap}${didYouMean(reading, names) || '.'} Choose one of ${names.join(', ')}.`,
    )
  }
}

function choose(name: (gap: GapId) => string): Readings {
  return Object.freeze(Object.fromEntries(gapIds.map((gap) => [gap, name(gap)]))) as unknown as Readings
}
