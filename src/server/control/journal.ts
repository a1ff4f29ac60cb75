import { operationName } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { harEntry, harLog, unknownOperation } from '../../world/index.js'
import { ControlError } from './control-error.js'
import { sendList, sendPages } from './json-list.js'
import { defineRoute } from './route.js'
import { headers, part, reliances } from './shapes.js'

const body = z.string().nullable().describe('Cut after 64 KiB.')

const exchange = z.object({
  seq: z.int().min(1).describe('Counts up, through resets as well.'),
  at: z.string().describe("The world's time, ISO 8601 UTC."),
  world: z.string(),
  operation: operationName().nullable().describe('Null where it matched no operation.'),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  status: z.int(),
  duration_ms: z.number().describe('Wall time the simulator took.'),
  request: z.object({ headers, body }).optional(),
  response: z.object({ headers, body }).optional(),
  reliances,
  fault: z.object({ id: z.string() }).loose().nullable().describe('The rule that disturbed it.'),
  near_miss: z
    .string()
    .nullable()
    .describe('The nearest operation where it matched none, and why it did not match.'),
})

const command = z.object({
  seq: z.int().min(1),
  at: z.string().describe("The world's time, ISO 8601 UTC."),
  command: z.object({ type: z.string() }).loose().describe('Tokens are masked.'),
})

const archive = z.object({
  log: z
    .object({
      version: z.literal('1.2'),
      creator: z.object({ name: z.string(), version: z.string() }),
      pages: z.array(z.never()),
      entries: z.array(z.object({ startedDateTime: z.string(), _seq: z.int().min(1) }).loose()),
    })
    .describe('HTTP Archive 1.2; fields that begin with `_` are extensions.'),
})

const exchangeFilter = z.object({ operation: operationName().optional(), ...part })

/** Routes of the journal. */
export const journalRoutes = [
  defineRoute('GET /journal', {
    summary: 'The latest 10,000 requests with their answers, the oldest first.',
    query: exchangeFilter.extend({
      bodies: z
        .enum(['true', 'false'])
        .optional()
        .describe('With `false`, headers and bodies are left out: much less for a list.'),
    }),
    answer: z.object({ exchanges: z.array(exchange) }),
    stream({ simulator, query }, _request, response) {
      checkOperation(simulator, query.operation)
      const { journal } = simulator
      return sendList(response, 'exchanges', journal.entries(query), (entry) => {
        return query.bodies === 'false' ? entry.showWithoutBodies() : entry.show()
      })
    },
  }),
  defineRoute('DELETE /journal', {
    summary: 'Deletes what happened: requests, what they relied on, changes and events.',
    status: 204,
    perform: ({ simulator }) => simulator.journal.clear(),
  }),
  defineRoute('GET /journal.har', {
    summary: 'The latest 10,000 requests with their answers as an HTTP Archive (HAR 1.2).',
    query: exchangeFilter,
    answer: archive,
    stream({ simulator, query }, _request, response) {
      checkOperation(simulator, query.operation)
      // The name under which a browser that opens the address saves it.
      response.setHeader('content-disposition', `attachment; filename="${simulator.id}.har"`)
      const log = JSON.stringify({ ...harLog(), entries: [] })
      const around = [`{"log":${log.slice(0, -2)}`, ']}}'] as const
      return sendPages(response, around, simulator.journal.entries(query), harEntry)
    },
  }),
  defineRoute('GET /journal/commands', {
    summary: 'The latest 10,000 changes of the world, whatever made them, the oldest first.',
    query: z.object(part),
    answer: z.object({ commands: z.array(command) }),
    stream({ simulator: { journal }, query }, _request, response) {
      return sendList(response, 'commands', journal.commands(query), (recorded) => recorded)
    },
  }),
]

/** Refuses to look for what there is not. @throws ControlError `invalid_query` */
function checkOperation({ extensions }: Simulator, operation: string | undefined): void {
  const unknown = unknownOperation(operation, extensions)
  if (unknown !== undefined)
    throw new ControlError('invalid_query', `operation: ${unknown}${unknown.endsWith('?') ? '' : '.'}`)
}
