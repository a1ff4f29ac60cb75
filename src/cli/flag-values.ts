import { InvalidArgumentError } from 'commander'
import { listOf } from '../base/text.js'
import { type ClientVariables, placeholders, portPlaceholder } from '../runs/agent/client-environment.js'
import {
  type ClockMode,
  formatInstant,
  parseClockMode,
  parseDuration,
  parseInstant,
} from '../service/time/time.js'
import { maxTimerDelay } from '../service/time/wall-time.js'
import type { DeliveryFormat } from '../service/webhooks/delivery-format.js'

/** Parses when a story begins. @throws InvalidArgumentError */
export function parseStoryStart(text: string): string {
  const instant = parseInstant(text)
  if (instant !== undefined) return formatInstant(instant)
  if (text === 'now' || text === 'scenario') return text
  throw new InvalidArgumentError('It must be now, scenario, or an instant such as 2026-01-05T09:00:00Z.')
}

/** Parses a number of trials, or that of one. @throws InvalidArgumentError */
export const parseTrials = numberWithin(1, 10_000, 'It must be a whole number from 1 to 10000.')

/** Parses a number of plays at a time. @throws InvalidArgumentError */
export const parseJobs = numberWithin(1, 999, 'The number of plays at a time is from 1 to 999.')

/** Parses the address of a live service, and removes its path. @throws InvalidArgumentError */
export function parseServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  }
  throw new InvalidArgumentError('It must be an http(s) address such as https://mail.example.')
}

/** Parses a URL. @throws InvalidArgumentError */
export function parseUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8787/.')
}

/** Adds a variable to the earlier ones. @throws InvalidArgumentError */
export function collectVariable(text: string, before: ClientVariables = {}): ClientVariables {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  const known = [...placeholders.map((name) => `{${name}}`), '{port:8787}']
  const wrong = value
    ?.replace(portPlaceholder, '')
    .match(/\{\w+(:\w*)?\}/g)
    ?.find((found) => !known.includes(found))
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be NAME=value, e.g. MAIL_URL={base_url}.')
  }
  if (wrong) throw new InvalidArgumentError(`There is no placeholder ${wrong}; use ${listOf(known)}.`)
  return { ...before, [name]: value }
}

/** Adds the names in a list with commas to the earlier ones. */
export function parseNames(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/[\s,]+/).filter((name) => name !== '')]
}

/** Returns a parser for numbers from `minimum` to `maximum`; `problem` explains what is valid. */
export function numberWithin(
  minimum: number,
  maximum: number,
  problem: string,
  parse: (text: string) => number | undefined = wholeNumber,
): (text: string) => number {
  return (text) => {
    const number = parse(text)
    if (number !== undefined && number >= minimum && number <= maximum) return number
    throw new InvalidArgumentError(problem)
  }
}

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Parses a duration as milliseconds, at most the longest timer. @throws InvalidArgumentError */
export const parseWait = numberWithin(
  0,
  maxTimerDelay,
  'It must be a duration such as 30s, 5m or 1h, at most 24 days.',
  parseDuration,
)

/** Parses a port; 0 is a free one. @throws InvalidArgumentError */
export const parsePort = numberWithin(0, 65_535, 'A port is a number from 0 (a free one) to 65535.')

/** Parses a number of requests a second. @throws InvalidArgumentError */
export const parseRate = numberWithin(
  Number.MIN_VALUE,
  1000,
  'It must be a number of requests a second, above 0 and at most 1000.',
  (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined),
)

/** Parses a whole number. @throws InvalidArgumentError */
export const parseCount = numberWithin(0, Number.MAX_SAFE_INTEGER, 'It must be a whole number, 0 or more.')

/** Parses a seed. @throws InvalidArgumentError */
export const parseSeed = numberWithin(0, Number.MAX_SAFE_INTEGER, 'A seed is a whole number, 0 or more.')

/** Adds a value of a repeatable flag to the earlier ones. */
export function collectText(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** Adds a key to a delivery format, which is validated once all keys are known. */
export function collectFormat(text: string, before: DeliveryFormat = {}): DeliveryFormat {
  const [key = '', ...value] = text.split('=')
  if (value.length > 0) return { ...before, [key]: value.join('=') }
  throw new InvalidArgumentError('It must be key=value, e.g. signature_header=x-signature.')
}

/** Parses how time passes. @throws InvalidArgumentError */
export function parseClock(text: string): ClockMode {
  try {
    return parseClockMode(text)
  } catch (error) {
    // So that Commander names the flag.
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** Parses a bearer token. @throws InvalidArgumentError */
export function parseToken(text: string): string {
  if (/^[!-~]+$/.test(text)) return text
  throw new InvalidArgumentError('A token has at least one character, only ASCII and no spaces.')
}
