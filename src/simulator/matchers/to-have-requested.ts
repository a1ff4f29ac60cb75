import { counted } from '../../contract/counted.js'
import { didYouMean } from '../../contract/nearest.js'
import { type OperationName, operationNames } from '../../contract/operations.js'
import type { Exchange } from '../../world/index.js'
import { formatExchange } from '../exchange-line.js'
import { type ExchangeMatch, exchangeMismatches, formatMismatch, type Mismatch } from '../matching.js'
import { describeValues } from './describe-values.js'
import { listed, type MatcherResult, noRequests, simulatorIn } from './matcher.js'
import { nearest } from './nearness.js'

/** What is asked of requests beside their operation. */
export interface RequestMatch extends Omit<ExchangeMatch, 'operation'> {
  /** How many requests are to fit, exactly; at least one when it is left out. */
  readonly times?: number
}

interface Judged {
  readonly exchange: Exchange
  readonly mismatches: readonly Mismatch[]
}

/** Whether requests of an operation came to a simulator, and with what. */
export function toHaveRequested(
  received: unknown,
  operation: OperationName,
  { times, ...match }: RequestMatch = {},
): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveRequested')
  if (!operationNames.includes(operation)) {
    throw new TypeError(`There is no operation "${operation}"${didYouMean(operation, operationNames)}`)
  }
  const wanted: ExchangeMatch = { operation, ...match }
  const judged = mailbox.journal.exchanges().map((exchange) => {
    return { exchange, mismatches: exchangeMismatches(wanted, exchange) }
  })
  const fitting = judged.filter(({ mismatches }) => mismatches.length === 0)
  const pass = times === undefined ? fitting.length > 0 : fitting.length === times
  return {
    pass,
    message() {
      const values = describeValues(match)
      const what = `${wantedNumber(pass, times)} of ${operation}${values && ` with ${values}`}`
      if (judged.length === 0) return `Expected ${what}. ${noRequests(mailbox)}`
      const shown = pass ? fitting : nearest(judged)
      const fit =
        fitting.length === 0 ? 'none fits' : `${fitting.length} ${fitting.length === 1 ? 'fits' : 'fit'}`
      const came = `${counted(judged.length, 'request')} came, of which ${fit}`
      const order = pass ? ':' : '; the nearest first:'
      return `Expected ${what}.\n${came}${order}\n${listed(shown.map(formatJudged), 8)}`
    },
  }
}

function wantedNumber(pass: boolean, times: number | undefined): string {
  if (times === undefined) return pass ? 'no request' : 'a request'
  return `${pass ? 'not ' : ''}exactly ${counted(times, 'request')}`
}

function formatJudged({ exchange, mismatches }: Judged): string {
  const unmatched = exchange.operation === null ? exchange.near_miss : null
  const lines = mismatches.map((mismatch) => {
    return mismatch.name === 'operation' && unmatched !== null ? unmatched : formatMismatch(mismatch)
  })
  const mark = lines.length === 0 ? '✓' : '✗'
  return [`${mark} ${formatExchange(exchange)}`, ...lines.map((line) => `    ${line}`)].join('\n')
}
