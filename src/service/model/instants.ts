import type { MessageRow } from './rows.js'

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
