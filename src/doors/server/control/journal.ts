import { z } from '../../../base/schema.js'
import { operationName } from '../../../contract/operations.js'
import { unknownOperation } from '../../../service/faults/fault.js'
import type { JournalEntry } from '../../../service/world/exchange.js'
import type { ExchangeFilter } from '../../../service/world/journal.js'
import { changesIn } from '../../simulator/changes.js'
import { repeatExchange } from '../../simulator/repeat-exchange.js'
import type { Simulator } from '../../simulator/simulator.js'
import { assumptionChoices } from './assumptions.js'
import { ControlError } from './control-error.js'
import { defineRoute, sendList } from './route.js'
import { headers, part, reliances, wholeNumber } from './shapes.js'

const body = z.string().nullable().describe('Cut after 64 KiB.')

const exchange = z.object({
  seq: z.int().min(1).describe('Counts up, also across resets.'),
  at: z.string().describe("The world's time, ISO 8601 UTC."),
  world: z.string(),
  operation: operationName().nullable().describe('Null if the request matched no operation.'),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  status: z.int(),
  duration_ms: z.number().describe('The wall time that the simulator took.'),
  request: z.object({ headers, body }).optional(),
  response: z.object({ headers, body }).optional(),
  reliances,
  fault: z.object({ id: z.string() }).loose().nullable().describe('The rule that disturbed the response.'),
  replayed: z
    .int()
    .nullable()
    .describe(
      'The exchange whose response was repeated, for the same `Idempotency-Key`; 0 if it is no longer kept.',
    ),
  hints: z.array(z.string()).describe('Likely mistakes of the client that the response hides.'),
  near_miss: z
    .string()
    .nullable()
    .describe('If no operation matched, the closest one and why it did not match.'),
  via: z.literal('mcp').optional().describe('`mcp` if the request was a call of a tool.'),
  start: z
    .int()
    .optional()
    .describe(
      "Which start of the agent's program sent it, from 1, in a story that starts it more than once.",
    ),
})

const command = z.object({
  seq: z.int().min(1),
  at: z.string().describe("The world's time, ISO 8601 UTC."),
  command: z.object({ type: z.string() }).loose().describe('Tokens are masked.'),
})

const fields = z.record(z.string(), z.unknown()).nullable()

const changedRow = z.object({
  model: z.string().describe('`thread`, `message`, `identity`, …'),
  id: z.string(),
  before: fields.describe('The fields that changed; null if the row was added.'),
  after: fields.describe('Null if it was deleted.'),
})

const missed = z
  .int()
  .min(0)
  .nullable()
  .describe(
    'How many entries of the log after `since` are no longer kept; null if `since` is not a number of this log, as after a restart.',
  )

const exchangeQuery = z.object({
  operation: operationName().optional(),
  ...part,
  bodies: z
    .enum(['true', 'false'])
    .optional()
    .describe('`false` omits headers and bodies, which makes the response much smaller.'),
})

/** Routes of the journal. */
export const journalRoutes = [
  defineRoute('GET /journal', {
    summary: 'Lists the latest 10,000 requests with their responses, oldest first.',
    query: exchangeQuery,
    answer: z.object({ exchanges: z.array(exchange), missed }),
    stream({ simulator, query }, _request, response) {
      const { entries, show, missed } = selectExchanges(simulator, query)
      return sendList(response, 'exchanges', entries, show, { missed })
    },
    perform({ simulator, query }) {
      const { entries, show, missed } = selectExchanges(simulator, query)
      return { exchanges: entries.map(show), missed }
    },
  }),
  defineRoute('GET /journal/changes', {
    summary:
      'Lists what requests and entries of the timeline changed: the rows that they added, changed or deleted.',
    query: z.object({
      exchange: wholeNumber(1).optional().describe('Only that of the request with this `seq`.'),
    }),
    answer: z.object({
      exchanges: z.array(z.object({ seq: z.int(), rows: z.array(changedRow) })),
      entries: z.array(z.object({ name: z.string(), at: z.string(), rows: z.array(changedRow) })),
    }),
    perform: ({ simulator, query }) => changesIn(simulator, query.exchange),
  }),
  defineRoute('POST /journal/{seq}/repeat', {
    summary:
      'Handles a recorded request again, with the present state of the world and the same key, fault and assumptions; changes and ' +
      'records nothing.',
    parameters: { seq: 'The `seq` of an exchange in the journal.' },
    body: z.strictObject({
      assumptions: assumptionChoices
        .optional()
        .describe('Assumptions instead of those that were in force for the recorded response.'),
    }),
    bodyOptional: true,
    answer: exchange.pick({ status: true, response: true }).required(),
    async perform({ simulator, parameters, body: { assumptions } = {} }) {
      const repeated = await repeatExchange(simulator, Number(parameters['seq']), assumptions)
      if (repeated) return { status: repeated.status, response: repeated.response }
      throw new ControlError(
        'not_found',
        `The journal has no request ${parameters['seq']} with a response; GET /_sim/journal lists those that are kept.`,
      )
    },
  }),
  defineRoute('DELETE /journal', {
    summary: 'Deletes all records: requests, what their responses depend on, changes and events.',
    status: 204,
    perform: ({ simulator }) => simulator.journal.clear(),
  }),
  defineRoute('GET /journal/commands', {
    summary: 'Lists the latest 10,000 changes to the world, regardless of their cause, oldest first.',
    query: z.object(part),
    answer: z.object({ commands: z.array(command), missed }),
    stream({ simulator: { journal }, query }, _request, response) {
      const missed = journal.missed(query.since)
      const entries = journal.commandEntries(query)
      return sendList(response, 'commands', entries, (entry) => entry.show(), { missed })
    },
  }),
]

/** Returns the entries that a query selects, and how they are shown. @throws ControlError */
function selectExchanges(simulator: Simulator, query: z.output<typeof exchangeQuery>) {
  checkOperation(simulator, query)
  const { journal } = simulator
  const show = (entry: JournalEntry): object => {
    return query.bodies === 'false' ? entry.showWithoutBodies() : entry.show()
  }
  return { entries: journal.entries(query), show, missed: journal.missed(query.since) }
}

/** Checks that the operation of a query exists. @throws ControlError `invalid_query` */
function checkOperation<Query extends { readonly operation?: string | undefined }>(
  { extensions }: Simulator,
  query: Query,
): asserts query is Query & ExchangeFilter {
  const unknown = unknownOperation(query.operation, extensions)
  if (unknown !== undefined)
    throw new ControlError('invalid_query', `operation: ${unknown}${unknown.endsWith('?') ? '' : '.'}`)
}
