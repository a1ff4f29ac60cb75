import { z } from '../../base/schema.js'
import { WorldError } from '../model/errors.js'
import type { MessageRow } from '../model/rows.js'

/** Instants are milliseconds since the epoch, UTC; durations are milliseconds. */

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const isoInstant = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/

/** Parses an ISO 8601 instant with its zone, or a plain day (midnight UTC); undefined if it is neither. */
export function parseInstant(text: string): number | undefined {
  const day = isoInstant.exec(text)?.[1]
  const instant = Date.parse(text)
  if (day === undefined || Number.isNaN(instant)) return undefined
  // Date.parse reads 30 February as 2 March.
  return new Date(day).toISOString().startsWith(day) ? instant : undefined
}

/** Formats an instant as ISO 8601 UTC, e.g. `2026-01-05T09:00:00.000Z`; to seconds without the fraction. */
export function formatInstant(
  instant: number,
  precision: 'milliseconds' | 'seconds' = 'milliseconds',
): string {
  const text = new Date(instant).toISOString()
  return precision === 'seconds' ? `${text.slice(0, 19)}Z` : text
}

/** Formats an instant as HTTP headers have it, e.g. `Mon, 05 Jan 2026 09:00:00 GMT`. */
export function formatHttpDate(instant: number): string {
  return new Date(instant).toUTCString()
}

/** Formats an instant as an RFC 5322 date-time, e.g. `Mon, 05 Jan 2026 09:00:00 +0000`. */
export function formatMailDate(instant: number): string {
  return new Date(instant).toUTCString().replace('GMT', '+0000')
}

type DurationUnit = 'ms' | 's' | 'm' | 'h' | 'd' | 'w'

/** A span of time: numbers with units, such as `90s`, `1h30m` or `250ms`; before something, with a minus. */
export type Duration = `${number}${DurationUnit}` | `${number}${DurationUnit}${number}${DurationUnit}`

/**
 * Parses a duration such as `90s`, `1h30m`, `-2d` or `250ms` into whole milliseconds; undefined if it is malformed or
 * exceeds the safe integers.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(-?)((?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+)$/.exec(text)
  if (!match) return undefined
  let duration = 0
  for (const [, amount, unit] of (match[2] as string).matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) {
    duration += Number(amount) * units[unit as keyof typeof units]
  }
  const whole = Math.round(duration)
  if (!Number.isSafeInteger(whole)) return undefined
  return match[1] === '-' ? -whole : whole
}

/** Makes a date, or the dates in a list, print as ISO 8601 UTC; returns any other value unchanged. */
export function shownInUtc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownInUtc)
  if (!(value instanceof Date)) return value
  return Object.defineProperty(value, 'toString', { configurable: true, value: () => value.toISOString() })
}

/** Creates the schema of an instant in a document: ISO 8601 with a year of four digits. */
export const instantSchema = () =>
  z.string().refine(isInstant, {
    error: 'expected an ISO 8601 instant such as 2026-01-05T09:00:00.000Z',
  })

function isInstant(text: string): boolean {
  const parsed = parseInstant(text)
  return parsed !== undefined && /^\d{4}-/.test(formatInstant(parsed))
}

/**
 * How time passes: `real` follows the machine's clock; `frozen`, `auto` and `10x` begin at the scenario's start. On an `auto`
 * clock, no time passes by itself, not even for waits: what knows when the agent rests advances it to what is due next.
 */
export type ClockMode = 'real' | 'frozen' | 'auto' | `${number}x`

/** How time passes, as written in documents. */
export const clockModeSchema = () =>
  z
    .string()
    .refine(isClockMode, { error: 'expected auto, real, frozen or a speed such as 10x' })
    .describe('How time passes: `auto`, `real`, `frozen`, or a speed such as `10x`.')

function isClockMode(text: string): text is ClockMode {
  const speed = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1])
  return text === 'real' || text === 'frozen' || text === 'auto' || (speed > 0 && Number.isFinite(speed))
}

/** Parses a clock mode. @throws WorldError `unknown-mode` */
export function parseClockMode(text: string): ClockMode {
  if (isClockMode(text)) return text
  throw new WorldError(
    'unknown-mode',
    `There is no clock "${text}"; choose auto, real, frozen or a speed such as 10x.`,
  )
}

/** Returns how many milliseconds pass per millisecond of the machine; 0 if none passes by itself. */
export function speedOf(mode: ClockMode): number {
  return mode === 'frozen' || mode === 'auto' ? 0 : mode === 'real' ? 1 : Number.parseFloat(mode)
}

/** The last instant that is shown with a year of four digits, in milliseconds since the epoch. */
export const lastInstant = 253_402_300_799_999

/** Returns the first instant that looks later than another one where instants within a tick look the same, in milliseconds. */
export function nextTick(instant: number, tick: number): number {
  return (Math.floor(instant / tick) + 1) * tick
}

/**
 * Returns the messages of a thread, in order of their instants, with each one a millisecond after the one before if it was
 * created at the same instant or earlier: clients order messages by time.
 */
export function withDistinctInstants<Row extends Pick<MessageRow, 'created_at'>>(
  rows: readonly Row[],
): readonly Row[] {
  const instants = rows.map(({ created_at }) => created_at)
  for (let place = 1; place < instants.length; place++) {
    instants[place] = Math.max(instants[place] as number, (instants[place - 1] as number) + 1)
  }
  // Real mail may be dated at the end of time.
  for (
    let place = instants.length - 1, limit = lastInstant;
    (instants[place] ?? 0) > limit;
    place--, limit--
  ) {
    instants[place] = limit
  }
  return rows.map((row, place) => {
    const created_at = instants[place] as number
    return row.created_at === created_at ? row : { ...row, created_at }
  })
}
