import { groupThousands } from '../../facts/amount.js'

/** Writes whole yen below a thousand million, e.g. `12,980円`. */
export function formatYen(yen: number): string {
  return `${groupThousands(yen, ',')}円`
}
