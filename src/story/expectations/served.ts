import { z } from '../../base/schema.js'
import { counted, formatBytes } from '../../base/text.js'
import { type AnyOperationName, operationName } from '../../contract/operations.js'
import { type ExchangeWithRequest, servedBody } from '../../service/world/exchange.js'
import { defineExpectationKind, type Named } from './kind.js'
import { nearestExchange } from './request.js'
import type { NearestMatch, Tracker } from './tracker.js'

/** How much an agent was served: the bytes and characters of the bodies of responses, and their number. */
export interface ServedTotal {
  readonly responses: number
  readonly bytes: number
  readonly characters: number
}

/** A limit of what is served. */
export interface ServedLimit {
  readonly amount: number
  readonly unit: 'bytes' | 'tokens'
}

/** Expects that the bodies of all responses, or of those of an operation, are together no larger than a limit. */
export interface ServedExpectation extends Named {
  readonly kind: 'served'
  readonly limit: ServedLimit
  readonly operation: AnyOperationName | null
}

const limitPattern = /^(\d+(?:\.\d+)?) ?(B|kB|MB|tokens)$/
const unitBytes: Readonly<Record<string, number>> = { B: 1, kB: 1e3, MB: 1e6 }

/** The expectation that the agent reads no more than so much. */
export const servedExpectations = defineExpectationKind({
  about: 'what was served',
  keys: {
    served: z
      .strictObject({
        at_most: z
          .union([
            z.int().min(0),
            z.string().regex(limitPattern, 'expected a size such as 200 kB or 12000 tokens'),
          ])
          .describe('Bytes as a number, or with a unit: `200 kB`, `1.5 MB`, `12000 tokens`.'),
        operation: operationName().optional().describe('Counts only the responses of this operation.'),
      })
      .meta({ id: 'served', title: 'served', description: 'Limits what the agent is served.' })
      .optional()
      .describe(
        'About the bodies of all responses together: their bytes, or tokens estimated as a quarter of their characters.',
      ),
  },
  names({ served }) {
    const { operation } = Object(served) as { readonly operation?: unknown }
    return operation === undefined
      ? []
      : [{ what: 'operation', name: operation, path: ['served', 'operation'] }]
  },
  holdsAtStart: () => true,
  resolve({ served }) {
    const limit = parseLimit(served?.at_most ?? 0)
    const operation = (served?.operation as AnyOperationName | undefined) ?? null
    return () => ({ limit, operation })
  },
  track: trackServed,
})

function parseLimit(written: number | string): ServedLimit {
  if (typeof written === 'number') return { amount: written, unit: 'bytes' }
  const [, number, unit = 'B'] = limitPattern.exec(written) ?? []
  if (unit === 'tokens') return { amount: Math.floor(Number(number)), unit }
  return { amount: Math.floor(Number(number) * (unitBytes[unit] ?? 1)), unit: 'bytes' }
}

/** What nobody was served yet. */
export const nothingServed: ServedTotal = { responses: 0, bytes: 0, characters: 0 }

/** Adds a response, given as the size and the text of its body, to what was served. */
export function addServed(served: ServedTotal, body: ReturnType<typeof servedBody>): ServedTotal {
  return {
    responses: served.responses + 1,
    bytes: served.bytes + body.bytes,
    characters: served.characters + body.text.length,
  }
}

/** Returns the tokens that a model takes for a text, estimated as a quarter of its characters. */
export function estimatedTokens({ characters }: Pick<ServedTotal, 'characters'>): number {
  return Math.ceil(characters / 4)
}

/** Formats what was served: `48.2 kB, about 12,050 tokens`. */
export function formatServed({ bytes, tokens }: { readonly bytes: number; readonly tokens: number }): string {
  return `${formatBytes(bytes)}, about ${tokens.toLocaleString('en-US')} tokens`
}

function formatLimit({ amount, unit }: ServedLimit): string {
  return unit === 'bytes' ? formatBytes(amount) : `${amount.toLocaleString('en-US')} tokens`
}

/** Adds up the bodies of responses; the nearest is the one that exceeds the limit. */
function trackServed({ limit, operation }: ServedExpectation): Tracker {
  let served = nothingServed
  let over: { readonly nearest: NearestMatch; readonly at: number } | undefined
  const amount = () => (limit.unit === 'bytes' ? served.bytes : estimatedTokens(served))

  return {
    expected: `at most ${formatLimit(limit)} served${operation === null ? '' : ` by ${operation}`}`,
    observe(observation) {
      if (observation.type !== 'exchange') return
      const { exchange, moment, recorded } = observation
      if (operation !== null && exchange.operation !== operation) return
      const before = served
      served = addServed(served, servedBody(recorded))
      if (over || amount() <= limit.amount) return
      const differences = [differenceOf(exchange, before, served, limit)]
      over = { nearest: nearestExchange(exchange, moment, differences), at: moment.at }
    },
    evaluate() {
      const found = `${formatServed({ bytes: served.bytes, tokens: estimatedTokens(served) })} in ${counted(served.responses, 'response')}`
      if (!over) return { passed: true, found, nearest: null }
      return { passed: false, at: over.at, found, nearest: over.nearest }
    },
  }
}

function differenceOf(
  { seq }: ExchangeWithRequest,
  before: ServedTotal,
  after: ServedTotal,
  limit: ServedLimit,
): string {
  const own = formatServed({
    bytes: after.bytes - before.bytes,
    tokens: estimatedTokens({ characters: after.characters - before.characters }),
  })
  return `served: expected at most ${formatLimit(limit)}, exceeded by the response of request ${seq} (${own})`
}
