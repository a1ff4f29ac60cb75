import { counted } from '../../contract/counted.js'
import { everyOperationName } from '../../contract/extensions.js'
import { didYouMean } from '../../contract/nearest.js'
import type { AnyOperationName } from '../../contract/operations.js'
import type { Exchange } from '../../world/index.js'
import {
  describeValues,
  type ExchangeMatch,
  exchangeMismatches,
  formatExchange,
  formatMismatch,
  nearest,
} from '../matching.js'
import {
  describeFitting,
  describeNumber,
  formatJudged,
  isWantedNumber,
  type Judged,
  judge,
  listed,
  type MatcherResult,
  noRequests,
  simulatorIn,
} from './matcher.js'

/** The wanted values of requests besides their operation. */
export interface RequestMatch extends Omit<ExchangeMatch, 'operation'> {
  /** How many requests are to fit, exactly; at least one when it is left out. */
  readonly times?: number
}

/** Whether requests of an operation came to a simulator, and with what. */
export function toHaveRequested(
  received: unknown,
  operation: AnyOperationName,
  { times, ...match }: RequestMatch = {},
): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveRequested')
  const names = everyOperationName(mailbox.extensions)
  if (!names.includes(operation)) {
    throw new TypeError(`There is no operation "${operation}"${didYouMean(operation, names)}`)
  }
  const { judged, fitting } = judge(mailbox.journal.exchanges(), (exchange) => {
    return exchangeMismatches({ operation, ...match }, exchange)
  })
  const pass = isWantedNumber(fitting.length, times)
  return {
    pass,
    message() {
      const values = describeValues(match)
      const number = describeNumber(pass, times, 'request')
      const what = `Expected ${number} of ${operation}${values && ` with ${values}`}.`
      if (judged.length === 0) return `${what} ${noRequests(mailbox)}`
      const came = `${counted(judged.length, 'request')} came, of which ${describeFitting(fitting.length)}`
      const blocks = (pass ? fitting : nearest(judged)).map(formatRequest)
      return `${what}\n${came}${pass ? ':' : '; the nearest first:'}\n${listed(blocks, 8)}`
    },
  }
}

function formatRequest({ thing: exchange, mismatches }: Judged<Exchange>): string {
  const unmatched = exchange.operation === null ? exchange.near_miss : null
  const lines = mismatches.map((mismatch) => {
    return mismatch.name === 'operation' && unmatched !== null ? unmatched : formatMismatch(mismatch)
  })
  return formatJudged(formatExchange(exchange), lines.length === 0, lines)
}
