import { parseJson } from '../../base/json.js'
import { z } from '../../base/schema.js'
import { expectedOneOf, truncate } from '../../base/text.js'
import {
  type AnyOperationName,
  type DocumentedOperation,
  type NamedOperation,
  type OperationName,
  operationName,
  operations,
} from '../../contract/operations.js'
import { formatInstant } from '../../service/time/time.js'
import { type ExchangeWithRequest, type JournalEntry, queryOf } from '../../service/world/exchange.js'
import { matcher, parameter } from '../format/values.js'
import { Counter, type Judge } from './amount.js'
import { describeWorst, hasReached, isMistake } from './exchanges.js'
import { amountKeys, amountOf, type Compiling, defineExpectationKind } from './kind.js'
import {
  type AsymmetricMatcher,
  type Difference,
  describeExpected,
  formatDifference,
  type Match,
  matchesOf,
  matchFields,
  matchOf,
  matchOfId,
} from './match.js'
import { type Moment, type StoryWindow, wholePlay } from './time-window.js'
import type { Amount, Compiled, JudgedMailbox, NearestMatch, RunFacts } from './tracker.js'

const where = z
  .strictObject({
    path: matcher.optional().describe('The path, e.g. /api/v1/identities/support.'),
    query: z
      .record(z.string(), parameter)
      .optional()
      .describe('Parameters of the query; null for an absent one.'),
    body: z.record(z.string(), matcher).optional().describe('Fields of the JSON body; it may have others.'),
    status: z.int().min(100).max(599).optional().describe('The status of the response.'),
  })
  .meta({ id: 'where', title: 'where', description: 'Selects requests.' })
  .optional()
  .describe('Selects the requests that count.')

/** The expectation of requests of an operation. */
export const requestExpectations = defineExpectationKind({
  about: 'requests',
  keys: {
    request: operationName().optional().describe('About requests of this operation.'),
    where,
    ...amountKeys,
  },
  compile(written, compiling) {
    const operation = written.request as AnyOperationName
    const { path, query, body, status } = written.where ?? {}
    compiling.names.checkOperation(operation, [...compiling.path, 'request'])
    const match: ExchangeMatch = {
      operation: operation as NamedOperation,
      ...(path !== undefined && { path: matchOf(path) as AsymmetricMatcher }),
      ...(query && { query: compileQuery(operation, query, compiling) }),
      ...(body && { body: matchesOf(body) }),
      ...(status !== undefined && { status }),
    }
    const { handles } = compiling.names.names
    const agent = query?.['agent']
    if (typeof agent === 'string' && !handles.includes(agent.replace(/^@/, ''))) {
      const message = `there is no identity with the handle "${agent}"${expectedOneOf(agent, handles)}`
      compiling.warn('where.query.agent', message)
    }
    return expectRequests(match, amountOf(written), compiling.window)
  },
})

/** Returns the expectation of a number of requests. */
export function expectRequests(match: ExchangeMatch, amount: Amount, window = wholePlay): Compiled {
  return countedRequests(requestJudge(match), amount, window)
}

function countedRequests(judge: Judge<JournalEntry>, amount: Amount, window: StoryWindow): Compiled {
  const track = (facts: RunFacts) => {
    return new Counter(judge, { amount, window }, facts, (observation) => {
      if (observation.type !== 'exchange') return []
      return [{ thing: observation.entry, exchange: observation.entry.seq }]
    })
  }
  return { amount, window, track }
}

type WrittenQuery = NonNullable<NonNullable<z.output<typeof where>>['query']>

/** Returns the match of a query, with the ids of the threads that it names; an unknown parameter is a problem. */
function compileQuery(
  name: AnyOperationName,
  written: WrittenQuery,
  { names, path }: Compiling,
): Readonly<Record<string, Match>> {
  const query: Record<string, Match> = matchesOf(written)
  const operation: DocumentedOperation | undefined = operations[name as OperationName]
  if (!operation) return query
  const known = Object.keys(operation.query)
  for (const [key, value] of Object.entries(written)) {
    const own = [...path, 'where', 'query', key]
    // If the interface leaves the names of parameters open, any name may be right.
    if (!operation.unnamedQuery && !known.includes(key)) {
      const message = () => `${name} has no such parameter in its query${expectedOneOf(key, known)}`
      names.problem(own, message, 'key')
    } else if (typeof value !== 'object' || value?.thread === undefined) continue
    else if (key !== 'thread_id') {
      names.problem([...own, 'thread'], `${key} is not a thread id; that is thread_id`, 'key')
    } else {
      const thread = names.target(value, own)?.thread
      if (thread) query[key] = matchOfId(thread.id, `thread ${thread.key}`)
    }
  }
  return query
}

/** Selects exchanges. Omitted fields match anything, and so do further fields of a body. */
export interface ExchangeMatch {
  readonly operation?: NamedOperation
  readonly method?: string
  readonly path?: string | RegExp | AsymmetricMatcher
  /** Parameters of the query; null for one that must be absent. */
  readonly query?: Readonly<Record<string, Match>>
  /** Fields of the JSON body of the request. */
  readonly body?: Match
  readonly status?: number
}

/** How requests are shown. */
const shownRequests = {
  nouns: ['request', 'requests'],
  line: (entry) => formatExchange(entry.showRequest()),
  show: (entry) => entry.showRequest(),
} satisfies Partial<Judge<JournalEntry>>

/** Creates the judge of requests. It compares them as they came; what is shown of them is masked. */
function requestJudge(wanted: ExchangeMatch): Judge<JournalEntry> {
  const { operation, ...values } = wanted
  const described = describeExpected(values)
  const absent = Object.fromEntries(Object.keys(values.query ?? {}).map((name) => [name, null]))
  return {
    ...shownRequests,
    expected: [operation && `of ${operation}`, described && `with ${described}`].filter(Boolean).join(' '),
    compare({ recorded }) {
      const query = { ...absent, ...queryOf(recorded.search) }
      const found = { ...recorded, query, body: bodyOf(recorded.requestBody) }
      // A request of another operation may have fewer values that can differ, but it is still farther away.
      return matchFields({ ...wanted } as Readonly<Record<string, Match>>, found, { operation: 10 })
    },
    differences: describeDifferences,
  }
}

/** Parses a body as JSON; returns its text if it is not JSON. */
export function bodyOf(text: string | null): unknown {
  const value = text === null ? null : parseJson(text)
  return value === undefined ? text : value
}

function describeDifferences(entry: JournalEntry, differing: readonly Difference[]): string[] {
  const { masker } = entry.showing
  return differing.map((one) => {
    // The near miss says more than the fact that the request matched no operation.
    const { operation, nearMiss } = entry.recorded
    if (one.name === 'operation' && operation === null && nearMiss !== null) return masker.url(nearMiss)
    const name = one.name.slice(one.name.lastIndexOf('.') + 1)
    const isOfQuery = one.name.startsWith('query.') && typeof one.found === 'string'
    const { found } = isOfQuery
      ? { found: masker.parameter(name, one.found as string) }
      : { found: Object.values(masker.content({ [name]: one.found }) as object)[0] }
    return formatDifference({ ...one, found: one.found === undefined ? undefined : found })
  })
}

/** Formats an exchange as a line: `GET /api/v1/mail/threads?agent=support 200`. */
export function formatExchange({
  method,
  path,
  query,
  status,
  fault,
  replayed,
}: ExchangeWithRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  )
  const disturbed = fault === null ? '' : `, disturbed by ${fault.id}`
  const again =
    replayed === null
      ? ''
      : `, the response of ${replayed === 0 ? 'an earlier request' : `request ${replayed}`}`
  const got = status === 0 ? 'without a response' : status
  return `${method} ${path}${search.size === 0 ? '' : `?${search}`} ${got}${again}${disturbed}`
}

/** Describes an exchange as the nearest match. */
export function nearestExchange(
  exchange: ExchangeWithRequest,
  { at }: Moment,
  differences: readonly string[],
): NearestMatch {
  return { line: formatExchange(exchange), exchange: exchange.seq, at: formatInstant(at), differences }
}

/** Explains that a mailbox received no request: what an agent that is notified responded, if one is. */
export function explainNoRequests(mailbox: JudgedMailbox): string {
  const none = `No request has come to ${mailbox.id}`
  const deliveries = mailbox.deliveries.list()
  const arrived = deliveries.filter(hasReached)
  if (deliveries.length === 0) return `${none}; does the client use mailbox.baseUrl and mailbox.apiKey?`
  return `${none}: ${describeWorst(arrived.length > 0 ? arrived : deliveries)}.`
}

/** Says which requests, or bodies of requests, are no longer known; undefined if all are. */
export function explainForgotten({ events, journal }: JudgedMailbox): string | undefined {
  const { bodiless } = events.log
  const entries = journal.entries()
  if (events.log.forgotten() > 0)
    return `requests 1 to ${(entries[0]?.seq ?? events.latest + 1) - 1} are no longer known`
  return bodiless > 0
    ? `the bodies of requests 1 to ${entries[bodiless - 1]?.seq} are no longer known`
    : undefined
}

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
  compile: ({ except = [] }) => countedRequests(errorJudge(except), { least: 0, most: 0 }, wholePlay),
})

/** Creates the judge of responses with a 4xx status, except those of a fault that replaces the response. */
function errorJudge(except: readonly number[]): Judge<JournalEntry> {
  return {
    ...shownRequests,
    expected: `with a 4xx status${except.length === 0 ? '' : ` but ${except.join(', ')}`}`,
    compare({ recorded }) {
      const isWrong = isMistake(recorded) && !except.includes(recorded.status)
      return isWrong ? [] : [{ name: 'status', expected: '4xx', found: recorded.status }]
    },
    differences(entry) {
      const { near_miss, response } = entry.show()
      const { body } = response
      return [
        ...(near_miss === null ? [] : [near_miss]),
        ...(body === null || body === '' ? [] : [`response: ${showBody(body)}`]),
      ]
    },
  }
}

/** Formats the body of a response in a line, truncated if it is long. */
function showBody(body: string): string {
  return truncate(body.replace(/\s+/g, ' '), 200)
}
