import type { Path } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import type { Lookups } from '../compile/names.js'
import { duration, key, matcher } from '../format/values.js'
import type { StoryWindow } from './time-window.js'
import type { Amount, Compiled } from './tracker.js'

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
  .record(z.string(), matcher)
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

/** An expectation as a scenario has it, with the keys of one kind. */
export type Written<Keys extends z.ZodRawShape> = z.output<z.ZodObject<Keys>>

/**
 * A kind of expectation: its keys, and how what is written is compiled to something that follows a play. `kinds` lists all of
 * them, and everything that knows about expectations iterates over that list.
 */
export interface ExpectationKind<Keys extends z.ZodRawShape = z.ZodRawShape> {
  /** What such expectations are about, for people: `sent mail`. */
  readonly about: string
  /** The keys that it takes besides those of all kinds; the one that is named like the kind comes first. */
  readonly keys: Keys
  /** Explains why keys that are right by themselves do not fit together. */
  problemWith?(written: Written<Keys>): string | undefined
  /** The keys that it must have, besides the one that is named like the kind. */
  readonly required?: readonly (keyof Keys & string)[]
  /** Keys become ids; undefined if what it refers to is not found. */
  compile(written: Written<Keys>, compiling: Compiling): Compiled | undefined
}

/** Defines a kind of expectation. */
export function defineExpectationKind<Keys extends z.ZodRawShape>(
  kind: ExpectationKind<Keys>,
): ExpectationKind<Keys> {
  return kind
}

/** What an expectation is compiled with. */
export interface Compiling {
  readonly names: Lookups
  /** The path of the expectation. */
  readonly path: Path
  /** The names of the secrets of the scenario. */
  readonly secrets: readonly string[]
  /** The part of the story that the expectation is about. */
  readonly window: StoryWindow
  /** Called with what is valid, but refers to something that does not exist; the key is e.g. `where.query.agent`. */
  warn(key: string, message: string): void
}
