import { isJsonObject } from '../../../base/json.js'
import { z } from '../../../base/schema.js'
import { snapshotSchema } from '../../../service/world/snapshot.js'
import type { WorldRecord } from '../../../service/world/worlds.js'
import type { ScenarioDefinition } from '../../../story/read/define-scenario.js'
import type { CreatedWorld } from '../../simulator/create-world.js'
import type { Simulator } from '../../simulator/simulator.js'
import { assumptionChoices, assumptionsByName } from './assumptions.js'
import { existingWorld } from './calls.js'
import { ControlError } from './control-error.js'
import { bodyLimits } from './request.js'
import { defineRoute } from './route.js'
import { clockMode, shownClockMode, shownInstant } from './shapes.js'

const listedWorld = z.object({
  id: z.string().describe('The value for `X-Sim-World`.'),
  api_key: z.string().describe('The bearer key with which requests to the service reach this world.'),
  scenario: z.string(),
  seed: z.int(),
})

const scenario = z
  .union([z.string(), z.custom<ScenarioDefinition>(isJsonObject)], {
    error: 'expected the name of a shipped scenario, or a complete scenario as an object',
  })
  .meta({ anyOf: [{ type: 'string' }, { type: 'object' }] })

const attacks = z.union([z.string(), z.array(z.string()).min(1)]).optional()

const newWorld = z.strictObject({
  scenario: scenario
    .optional()
    .describe(
      'The name of a shipped scenario, or a complete scenario; it may refer to no files except shipped attachments.',
    ),
  seed: z.int().min(0).optional().describe('Replaces the seed of the scenario.'),
  assume: z
    .union([assumptionsByName, assumptionChoices])
    .optional()
    .describe(
      'A profile, or assumptions by gap; override the assumptions of the world that it is created from.',
    ),
  clock: clockMode.optional(),
  at: z
    .int()
    .min(0)
    .optional()
    .describe(
      'The moment of the world from which it goes on: the `seq` of an exchange or of another event; only with `clock`.',
    ),
  attack: attacks.describe('Attacks of the scenario that are laid over its story, by name.'),
  benign: attacks.describe('The same, but with their harmless counterparts.'),
})

const count = z.int().min(0)

const worldSummary = z.object({
  id: z.string(),
  scenario: z.string(),
  task: z.string().optional().describe('What the scenario asks the agent to do, if it says so.'),
  seed: z.int().describe('The seed of all generated values.'),
  start: z.string().describe('The instant at which the scenario starts, ISO 8601 UTC.'),
  now: shownInstant,
  clock: shownClockMode,
  counts: z.object({
    agents: count,
    threads: count,
    messages: count,
    webhooks: count,
    deliveries: count.describe('Deliveries to subscriptions, finished and unfinished.'),
  }),
  journal: z
    .object({ exchanges: count, commands: count })
    .describe('How many requests and changes are kept.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .describe(
      'The digest of everything in the world; equal worlds have equal digests. Only with `?digest=true`.',
    ),
})

const parameters = { id: 'The id of a world.' }

/** Routes of worlds: creation and deletion, summary, reset and snapshots. */
export const worldRoutes = [
  defineRoute('GET /worlds', {
    summary: 'Lists all worlds, starting with the first world.',
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
    summary: 'Creates an isolated world: a fork, or a world with another scenario.',
    ofServer: true,
    body: newWorld,
    bodyOptional: true,
    bodyLimit: bodyLimits.scenario,
    status: 201,
    answer: listedWorld,
    async perform({ simulator, body }) {
      const { at, clock: _, ...others } = body
      const [other] = Object.keys(others)
      if (at !== undefined && other !== undefined) {
        const message = `A world that goes on from a moment (at) has the story of its world; leave out ${other}, or at.`
        throw new ControlError('invalid_body', message)
      }
      return list(await simulator.createWorld(body))
    },
  }),
  defineRoute('GET /worlds/{id}', {
    summary: 'Returns one world.',
    ofServer: true,
    parameters,
    answer: listedWorld,
    async perform({ simulator, parameters: { id = '' } }) {
      const record = await simulator.persistence?.find(id)
      return record ? listRecord(record) : list(existingWorld(id, simulator))
    },
  }),
  defineRoute('DELETE /worlds/{id}', {
    summary: 'Deletes a world; requests with its key are refused from then on.',
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
    summary: 'Describes a world: its scenario, size and time.',
    query: z.object({
      digest: z.enum(['true', 'false']).optional().describe('Whether to add the digest.'),
    }),
    answer: worldSummary,
    perform({ simulator, query }) {
      if (query.digest !== 'true') return summarize(simulator)
      return { ...summarize(simulator), digest: simulator.digest() }
    },
  }),
  defineRoute('POST /reset', {
    summary: 'Resets the world to the start of its scenario, with an empty journal and no faults.',
    answer: worldSummary,
    perform({ simulator }) {
      simulator.reset()
      return summarize(simulator)
    },
  }),
  defineRoute('GET /snapshot', {
    summary:
      'Returns one document from which the world can be restored: everything that differs from its scenario, ' +
      'including tokens and keys.',
    query: z.object({
      secrets: z
        .enum(['included', 'masked'])
        .optional()
        .describe('`masked` omits tokens and keys; such a document cannot be restored.'),
    }),
    answer: snapshotSchema(),
    perform: ({ simulator, query }) => simulator.snapshot(query),
  }),
  defineRoute('PUT /snapshot', {
    summary:
      'Restores the world from a snapshot, with an empty journal; an invalid snapshot changes nothing.',
    // `restore` checks it and explains what is wrong with it.
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

function list({ id, apiKey, scenario, seed }: CreatedWorld): object {
  return { id, api_key: apiKey, scenario, seed }
}

function summarize(simulator: Simulator): object {
  const { id, scenario, task, seed, start, clock, deliveries, journal } = simulator
  const counts = { ...simulator.summary(), deliveries: deliveries.count }
  const time = { start, now: clock.now(), clock: clock.mode }
  const story = { scenario, ...(task !== undefined && { task }), seed }
  return { id, ...story, ...time, counts, journal: journal.usage }
}
