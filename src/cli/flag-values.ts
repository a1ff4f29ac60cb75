import { InvalidArgumentError } from 'commander'
import { type ClockMode, parseClockMode } from '../world/clock-mode.js'
import { parseChoice, type ReadingChoices } from '../world/readings.js'

/** A TCP port. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('A port is a number from 0 (a free one) to 65535.')
}

/** The seed of generated values. @throws InvalidArgumentError */
export function parseSeed(text: string): number {
  const seed = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(seed)) return seed
  throw new InvalidArgumentError('A seed is a whole number, 0 or more.')
}

/** Another `gap=reading`, added to those before. @throws InvalidArgumentError */
export function collectChoice(text: string, before: readonly ReadingChoices[] = []): ReadingChoices[] {
  return [...before, explain(() => parseChoice(text))]
}

/** How time passes. @throws InvalidArgumentError */
export function parseClock(text: string): ClockMode {
  return explain(() => parseClockMode(text))
}

/** Another name, added to those before. */
export function collectName(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** A bearer token. @throws InvalidArgumentError */
export function parseToken(text: string): string {
  if (/^\S+$/.test(text)) return text
  throw new InvalidArgumentError('A token has at least one character and no spaces.')
}

/** Has Commander say which flag it was that had a value nobody can use. */
function explain<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}
