import { InvalidArgumentError } from 'commander'
import type { WantedGaps } from '../explore/index.js'
import { parseGap } from '../world/readings.js'
import { parseDuration } from '../world/time.js'

/** Which gaps are tried. @throws InvalidArgumentError */
export function parseGaps(text: string): WantedGaps {
  if (text === 'relied' || text === 'all') return text
  try {
    return text.split(',').map((name) => parseGap(name.trim()))
  } catch (error) {
    throw new InvalidArgumentError(
      `${(error as Error).message}\nIt is relied, all, or a list such as threads.total,threads.order.`,
    )
  }
}

/** How many runs there are at a time. @throws InvalidArgumentError */
export function parseJobs(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Runs at a time are a number from 1 to 999.')
}

/** The longest a run may take, in milliseconds. @throws InvalidArgumentError */
export function parseTimeLimit(text: string): number {
  const limit = parseDuration(text)
  if (limit !== undefined && limit > 0 && limit < 2 ** 31) return limit
  throw new InvalidArgumentError('A time limit is a duration such as 30s, 5m or 1h, at most 24 days.')
}
