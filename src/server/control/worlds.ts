import { z } from '../../contract/schema.js'
import type { ScenarioDefinition } from '../../scenario/index.js'
import type { MadeWorld, Simulator } from '../../simulator/simulator.js'
import { snapshotSchema, type WorldRecord } from '../../world/index.js'
import { ControlError } from './control-error.js'
import { readingChoices, readingsByName } from './readings.js'
import { bodyLimits, existingWorld } from './request.js'
import { defineRoute } from './route.js'
import { clockMode, instant, isObject, shownClockMode } from './shapes.js'

const listedWorld = z.object({
  id: z.string().describe('For `X-Sim-World`.'),
  api_key: z.string().describe('The bearer key that leads requests of the service to this world.'),
  scenario: z.string(),
  seed: z.int(),
})

const scenario = z
  .union([z.string(), z.custom<ScenarioDefinition>(isObject)], {
    error: 'expected the name of a shipped scenario, or a whole one as an object',
  })
  .meta({ anyOf: [{ type: 'string' }, { type: 'object' }] })

const newWorld = z.strictObject({
  scenario: scenario
    .optional()
    .describe(
      'The name of a shipped scenario, or a whole one; it may name no files but shipped attachments.',
    ),
  seed: z.int().min(0).optional().describe("Replaces the scenario's own."),
  readings: z
    .union([readingsByName, readingChoices])
    .optional()
    .describe('Override those of the world it is made from: a profile, or readings by gap.'),
  clock: clockMode.optional(),
})

const count = z.int().min(0)

const worldSummary = z.object({
  id: z.string(),
  scenario: z.string(),
  seed: z.int().describe('Every generated value depends on it.'),
  start: z.string().describe('The instant at which the scenario starts, ISO 8601 UTC.'),
  now: instant,
  clock: shownClockMode,
  counts: z.object({
    agents: count,
    threads: count,
    messages: count,
    webhooks: count,
    deliveries: count.describe('Deliveries to subscriptions, finished or not.'),
  }),
  journal: z
    .object({ exchanges: count, commands: count, bytes: count })
    .describe('How many requests and changes are kept, and about how many bytes of memory that takes.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .describe('Of everything in the world: equal for equal worlds. Only with `?digest=true`.'),
})

const parameters = { id: 'The id of a world.' }

/** Routes of worlds: making and deleting them, their summary, reset and snapshots. */
export const worldRoutes = [
  defineRoute('GET /worlds', {
    summary: 'Every world, the first one first.',
    ofServer: true,
    answer: z.object({ worlds: z.array(listedWorld) }),
    async perform({ simulator }) {
      const kept = await simulator.persistence?.list()
      if (!kept) return { worlds: simulator.worlds().map(list) }
      const [first] = simulator.worlds()
      return { worlds: [...(first ? [list(first)] : []), ...kept.map(listRecord)] }
    },
  }),
  defineRoute('POST /worlds', {
    summary: 'Makes an isolated world: a fork, or one with another scenario.',
    ofServer: true,
    body: newWorld,
    bodyOptional: true,
    bodyLimit: bodyLimits.scenario,
    status: 201,
    answer: listedWorld,
    perform: async ({ simulator, body }) => list(await simulator.createWorld(body)),
  }),
  defineRoute('GET /worlds/{id}', {
    summary: 'One world.',
    ofServer: true,
    parameters,
    answer: listedWorld,
    async perform({ simulator, parameters: { id = '' } }) {
      const record = await simulator.persistence?.find(id)
      return record ? listRecord(record) : list(existingWorld(id, simulator))
    },
  }),
  defineRoute('DELETE /worlds/{id}', {
    summary: 'Deletes a world; its key is refused from then on.',
    ofServer: true,
    parameters,
    status: 204,
    async perform({ simulator, parameters: { id = '' } }) {
      if (await simulator.persistence?.remove(id)) return
      const world = existingWorld(id, simulator)
      if (world.isFirst) {
        throw new ControlError('conflict', 'The first world cannot be deleted; POST /_sim/reset resets it.')
      }
      world.close()
    },
  }),
  defineRoute('GET /world', {
    summary: 'The scenario, size and time of a world.',
    query: z.object({
      digest: z
        .enum(['true', 'false'])
        .optional()
        .describe('Whether to add the digest, which takes time because it reads every message.'),
    }),
    answer: worldSummary,
    perform({ simulator, query }) {
      return { ...summarize(simulator), ...(query.digest === 'true' && { digest: simulator.digest() }) }
    },
  }),
  defineRoute('POST /reset', {
    summary: "Resets the world to the scenario's start, with an empty journal and no faults.",
    answer: worldSummary,
    perform({ simulator }) {
      simulator.reset()
      return summarize(simulator)
    },
  }),
  defineRoute('GET /snapshot', {
    summary:
      'The whole world as one document, which contains what it changed of its scenario, tokens and keys included; ' +
      '`?secrets=masked` leaves them out, and cannot be restored.',
    query: z.object({
      secrets: z
        .enum(['included', 'masked'])
        .optional()
        .describe('`masked` leaves tokens and keys out; such a document cannot be restored.'),
    }),
    answer: snapshotSchema(),
    perform: ({ simulator, query }) => simulator.snapshot(query),
  }),
  defineRoute('PUT /snapshot', {
    summary: 'Restores the world from a snapshot, with an empty journal; one that is wrong changes nothing.',
    // Restoring checks it, and says what is wrong with it.
    body: z.unknown().describe('A document from `GET /_sim/snapshot`.'),
    bodyLimit: bodyLimits.snapshot,
    answer: worldSummary,
    perform({ simulator, body }) {
      simulator.restore(body)
      return summarize(simulator)
    },
  }),
]

function listRecord({ id, api_key, scenario, seed }: WorldRecord): object {
  return { id, api_key, scenario, seed }
}

function list({ id, apiKey, scenario, seed }: MadeWorld): object {
  return { id, api_key: apiKey, scenario, seed }
}

function summarize(simulator: Simulator): object {
  const { id, scenario, seed, start, clock, deliveries, journal } = simulator
  const counts = { ...simulator.summary(), deliveries: deliveries.count }
  const time = { start, now: clock.now(), clock: clock.mode }
  return { id, scenario, seed, ...time, counts, journal: journal.usage }
}
