import { z } from '../../base/schema.js'
import { duration, field, key } from '../format/values.js'
import type { Amount } from './tracker.js'

const count = z.int().min(0)
const place = 'an operation, the key of an entry of the timeline, or a time from the start.'

const times = count.optional().describe('The exact number.')
const atLeast = count.optional().describe('The minimum number; by default one.')
const atMost = count.optional().describe('The maximum number.')
const before = key.optional().describe(`Only those before this: ${place}`)
const after = key.optional().describe(`Only those after this: ${place}`)
const within = duration
  .optional()
  .describe('Only those within this much story time, from `after` or from the start.')

const has = z
  .record(z.string(), field)
  .optional()
  .describe(
    'Its fields, as the service returns them, at the end or, with `after` or `within`, at some moment.',
  )

/** The keys that several kinds take, in the order in which documents list them. */
export const sharedKeys = { has, times, at_least: atLeast, at_most: atMost, before, after, within }

/** The keys of a state. */
export const stateKeys = { has, after, within }

/** The keys of a number of things. */
export const amountKeys = { at_least: atLeast, at_most: atMost, times, before, after, within }

/** A number as a scenario states it. */
interface WrittenAmount {
  readonly times?: number | undefined
  readonly at_least?: number | undefined
  readonly at_most?: number | undefined
}

/** Returns the expected number: at least one by default. */
export function amountOf({ times, at_least: least, at_most: most }: WrittenAmount): Amount {
  return { least: times ?? least ?? (most === undefined ? 1 : 0), most: times ?? most ?? null }
}

/** Explains why numbers contradict each other. */
export function problemWithAmount({
  times,
  at_least: least,
  at_most: most,
}: WrittenAmount): string | undefined {
  if (times !== undefined && (least ?? most) !== undefined) return '"times" excludes "at_least" and "at_most"'
  if (least !== undefined && most !== undefined && least > most) return '"at_least" is more than "at_most"'
  return undefined
}
