import { z } from '../../base/schema.js'
import { snapshotSchema } from '../../service/world/snapshot.js'
import type { CreatedWorld, Simulator } from '../simulator/simulator.js'
import { assumptionChoices, assumptionsByName } from './assumptions.js'
import { clockMode, control, type RequestInput, someObject } from './control.js'
import { ControlError } from './errors.js'

const listedWorld = () =>
  z.object({ id: z.string(), api_key: z.string(), scenario: z.string(), seed: z.int() })

const attacks = () => z.union([z.string(), z.array(z.string()).min(1)]).optional()

const newWorld = () =>
  z.strictObject({
    scenario: z
      .union([z.string(), someObject()], {
        error: 'expected the name of a shipped scenario, or a complete scenario as an object',
      })
      .optional()
      .describe(
        'The name of a shipped scenario, or a complete scenario; it may refer to no files except shipped attachments.',
      ),
    seed: z.int().min(0).optional().describe('Replaces the seed of the scenario.'),
    assume: z
      .union([assumptionsByName(), assumptionChoices()])
      .optional()
      .describe(
        'A profile, or assumptions by gap; override the assumptions of the world that it is created from.',
      ),
    clock: clockMode().optional(),
    at: z
      .int()
      .min(0)
      .optional()
      .describe(
        'The moment of the world from which it goes on: the `seq` of an exchange or of another event; only with `clock`.',
      ),
    attack: attacks().describe('Attacks of the scenario that are laid over its story, by name.'),
    benign: attacks().describe('The same, but with their harmless versions.'),
  })

/** The most bytes of a scenario, which may contain files, and of a snapshot. */
const [largestScenario, largestSnapshot] = [10_485_760, 134_217_728]

/** The routes of worlds: creation and deletion, summary, reset and snapshots. */
export const worldRoutes = [
  control({
    route: 'GET /worlds',
    summary: 'Lists all worlds, starting with the first world.',
    ofServer: true,
    answer: () => z.object({ worlds: z.array(listedWorld()) }),
    async perform(simulator: Simulator) {
      const kept = await simulator.persistence?.list()
      const [first, ...others] = simulator.worlds()
      return { worlds: [first as Simulator, ...(kept ?? others)].map(list) }
    },
  }),
  control({
    route: 'POST /worlds',
    summary: 'Creates an isolated world: a fork, or a world with another scenario.',
    ofServer: true,
    body: newWorld,
    bodyOptional: true,
    limit: largestScenario,
    status: 201,
    answer: listedWorld,
    async perform(simulator: Simulator, { at, ...options }: RequestInput) {
      const other = Object.keys(options).find((name) => name !== 'clock')
      if (at !== undefined && other !== undefined) {
        const message = `A world that goes on from a moment (at) has the story of its world; leave out ${other}, or at.`
        throw new ControlError('invalid_body', message)
      }
      return list(await simulator.createWorld({ at, ...options }))
    },
  }),
  control({
    route: 'GET /worlds/{id}',
    summary: 'Returns one world.',
    ofServer: true,
    answer: listedWorld,
    async perform(simulator: Simulator, id: string) {
      const record = await simulator.persistence?.find(id)
      return list(record ?? existingWorld(id, simulator))
    },
  }),
  control({
    route: 'DELETE /worlds/{id}',
    summary: 'Deletes a world; requests with its key are refused from then on.',
    ofServer: true,
    status: 204,
    async perform(simulator: Simulator, id: string) {
      if (await simulator.persistence?.remove(id)) return
      const world = existingWorld(id, simulator)
      if (world.isFirst) {
        throw new ControlError('conflict', 'The first world cannot be deleted; POST /_sim/reset resets it.')
      }
      world.close()
    },
  }),
  control({
    route: 'GET /world',
    summary: 'Describes a world: its scenario, size and time.',
    query: () =>
      z.object({
        digest: z
          .enum(['true', 'false'])
          .optional()
          .describe('Whether to add the digest of everything in the world; equal worlds have equal digests.'),
      }),
    perform(simulator: Simulator, { digest }: RequestInput) {
      const summary = summarize(simulator)
      return digest === 'true' ? { ...summary, digest: simulator.digest() } : summary
    },
  }),
  control({
    route: 'POST /reset',
    summary: 'Resets the world to the start of its scenario, with an empty journal and no faults.',
    perform(simulator: Simulator) {
      simulator.reset()
      return summarize(simulator)
    },
  }),
  control({
    route: 'GET /snapshot',
    summary:
      'Returns one document from which the world can be restored: everything that differs from its scenario, ' +
      'including tokens and keys.',
    query: () =>
      z.object({
        secrets: z
          .enum(['included', 'masked'])
          .optional()
          .describe('`masked` omits tokens and keys; such a document cannot be restored.'),
      }),
    answer: snapshotSchema,
    perform: (simulator: Simulator, options: RequestInput) => simulator.snapshot(options),
  }),
  control({
    route: 'PUT /snapshot',
    summary:
      'Restores the world from a snapshot, with an empty journal; an invalid snapshot changes nothing.',
    // `restore` checks it and explains what is wrong with it.
    body: () => z.unknown().describe('A document from `GET /_sim/snapshot`.'),
    whole: 'snapshot',
    limit: largestSnapshot,
    perform(simulator: Simulator, snapshot: unknown) {
      simulator.restore(snapshot)
      return summarize(simulator)
    },
  }),
]

/** Returns the world with an id. @throws ControlError `unknown_world` */
export function existingWorld(id: string, simulator: Simulator): Simulator {
  const found = simulator.world(id)
  if (found) return found
  throw new ControlError(
    'unknown_world',
    `There is no world "${id}"; POST /_sim/worlds creates one, and GET /_sim/worlds lists all worlds.`,
  )
}

function list(world: CreatedWorld) {
  const { id, scenario, seed } = world
  return { id, api_key: 'api_key' in world ? world.api_key : world.apiKey, scenario, seed }
}

function summarize(simulator: Simulator) {
  const { id, scenario, task, seed, start, clock, deliveries, journal } = simulator
  const counts = { ...simulator.summary(), deliveries: deliveries.count }
  const time = { start, now: clock.now(), clock: clock.mode }
  return { id, scenario, task, seed, ...time, counts, journal: journal.usage }
}
