import type { Random } from '../../random.js'
import { parseDuration } from '../../time.js'
import type { Fault } from '../fault.js'

/** How long an answer waits, in milliseconds of the world's time. */
export function delayOf({ delay }: Fault, random: Random): number {
  if (delay === undefined) return 0
  const [least, most] = [delay].flat().map((text) => parseDuration(text) as number) as [number, number?]
  return most === undefined ? least : random.integer(Math.min(least, most), Math.max(least, most))
}
