import { counted } from '../../contract/counted.js'
import type { Amount } from '../../world/index.js'

/** How many there have to be, in words: `at least 1 request`, `no request`. */
export function describeAmount({ least, most }: Amount, one: string, several = `${one}s`): string {
  if (most === null) return `at least ${counted(least, one, several)}`
  if (most === 0) return `no ${one}`
  if (least === most) return `exactly ${counted(most, one, several)}`
  if (least === 0) return `at most ${counted(most, one, several)}`
  return `${least} to ${counted(most, one, several)}`
}

/** That something is one too many. */
export function oneTooMany(most: number, one: string): string {
  return most === 0
    ? `expected no such ${one}; this is the first`
    : `expected at most ${most} of them; this is number ${most + 1}`
}
