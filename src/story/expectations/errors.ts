import { z } from '../../base/schema.js'
import { counted, truncate } from '../../base/text.js'
import { parseInstant } from '../../service/time/time.js'
import type { ExchangeWithRequest } from '../../service/world/exchange.js'
import { isMistake } from './exchanges.js'
import { defineExpectationKind } from './kind.js'
import { nearestExchange } from './request.js'
import type { NearestMatch, Tracker } from './tracker.js'

/** The expectation that the client makes no mistakes. */
export const errorsExpectations = defineExpectationKind({
  about: 'errors',
  keys: {
    errors: z.literal('none').optional().describe('No request got a 4xx status.'),
    except: z
      .array(z.int().min(400).max(499))
      .min(1)
      .optional()
      .describe('Statuses that `errors: none` allows.'),
  },
  compile: ({ except = [] }) => ({ track: () => trackErrors(except) }),
})

/** Finds responses with a 4xx status, except those of a fault that replaces the response. */
function trackErrors(except: readonly number[]): Tracker {
  const but = except.length === 0 ? '' : ` but ${except.join(', ')}`
  const counts = new Map<number, number>()
  let requests = 0
  let first: NearestMatch | undefined

  function differencesOf({ status, near_miss }: ExchangeWithRequest, body: string | null): string[] {
    return [
      `status: expected none from 400 to 499${but}, found ${status}`,
      ...(near_miss === null ? [] : [near_miss]),
      ...(body === null || body === '' ? [] : [`response: ${showBody(body)}`]),
    ]
  }

  return {
    expected: `no response with a 4xx status${but}`,
    get decided() {
      return first !== undefined
    },
    observe(observation) {
      if (observation.type !== 'exchange') return
      requests++
      const { exchange, moment, entry } = observation
      const { status } = exchange
      if (!isMistake(exchange) || except.includes(status)) return
      counts.set(status, (counts.get(status) ?? 0) + 1)
      first ??= nearestExchange(exchange, moment, differencesOf(exchange, entry.show().response.body))
    },
    evaluate() {
      if (requests === 0) return { passed: true, found: 'no request came', nearest: null }
      const all = counted(requests, 'request')
      if (!first) return { passed: true, found: `none in ${all}`, nearest: null }
      const found = [...counts]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status} ${times(count)}`)
        .join(', ')
      return { passed: false, at: parseInstant(first.at), found: `${found} in ${all}`, nearest: first }
    },
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}

/** Formats the body of a response in a line, truncated if it is long. */
function showBody(body: string): string {
  return truncate(body.replace(/\s+/g, ' '), 200)
}
