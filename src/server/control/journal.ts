import { operationNames } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import { sendList } from './json-list.js'
import { defineOperation, type Route } from './route.js'
import { headers, part, reliances } from './values.js'

const body = z.string().nullable().describe('Cut after 64 KiB.')

const exchange = z.object({
  seq: z.int().min(1).describe('Counts up, through resets as well.'),
  at: z.string().describe("The world's time, ISO 8601 UTC."),
  world: z.string(),
  operation: z.enum(operationNames).nullable().describe('Null where it met none of the operations.'),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  status: z.int(),
  duration_ms: z.number().describe('Wall time the simulator took.'),
  request: z.object({ headers, body }),
  response: z.object({ headers, body }),
  reliances,
  fault: z.object({ id: z.string() }).loose().nullable().describe('The rule that disturbed it.'),
  near_miss: z.string().nullable().describe('What it came closest to where it met none, and why it missed.'),
})

/** `GET /_sim/journal`: the requests with their answers. `DELETE`: forgets them. */
export const journalRoute: Route = {
  path: '/journal',
  operations: {
    GET: defineOperation({
      summary: 'The latest 10,000 requests with their answers, the oldest first.',
      query: z.object({ operation: z.enum(operationNames).optional(), ...part }),
      answer: z.object({ exchanges: z.array(exchange) }),
      stream({ simulator: { journal }, query }, _request, response) {
        return sendList(response, 'exchanges', journal.entries(query), (entry) => entry.show())
      },
    }),
    DELETE: defineOperation({
      summary: 'Forgets what happened: requests, what they relied on, changes and events.',
      status: 204,
      perform: ({ simulator }) => simulator.journal.clear(),
    }),
  },
}

const command = z.object({
  seq: z.int().min(1),
  at: z.string().describe("The world's time, ISO 8601 UTC."),
  command: z.object({ type: z.string() }).loose().describe('Tokens are masked.'),
})

/** `GET /_sim/journal/commands`: what changed the world. */
export const commandsRoute: Route = {
  path: '/journal/commands',
  operations: {
    GET: defineOperation({
      summary: 'The latest 10,000 changes of the world, whatever made them, the oldest first.',
      query: z.object(part),
      answer: z.object({ commands: z.array(command) }),
      stream({ simulator: { journal }, query }, _request, response) {
        return sendList(response, 'commands', journal.commands(query), (command) => command)
      },
    }),
  },
}
