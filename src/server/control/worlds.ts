import { z } from '../../contract/schema.js'
import type { ScenarioDefinition } from '../../scenario/index.js'
import type { Simulator } from '../../simulator/simulator.js'
import { existingWorld } from './call.js'
import { ControlError } from './control-error.js'
import { readingChoices, readingsByName } from './reading-choices.js'
import { bodyBytes } from './request-body.js'
import { defineOperation, type Route } from './route.js'
import { clockMode } from './values.js'

const shown = z.object({
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

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const story = z.strictObject({
  scenario: scenario
    .optional()
    .describe(
      'The name of a shipped scenario, or a whole one; it may name no files but shipped attachments.',
    ),
  seed: z.int().min(0).optional().describe("Stands in for the scenario's own."),
  readings: z
    .union([readingsByName, readingChoices])
    .optional()
    .describe('Count for more than those of the world it is made from: a profile, or readings by gap.'),
  clock: clockMode.optional(),
})

/** `POST /_sim/worlds`: a world of one's own. `GET`: all there are. */
export const worldsRoute: Route = {
  path: '/worlds',
  operations: {
    GET: defineOperation({
      summary: 'Every world, the first first.',
      answer: z.object({ worlds: z.array(shown) }),
      perform: ({ simulator }) => ({ worlds: simulator.worlds().map(show) }),
    }),
    POST: defineOperation({
      summary: 'Makes a world of its own, which nobody else changes: a fork, or one with another story.',
      body: story,
      bodyOptional: true,
      bodyBytes: bodyBytes.scenario,
      status: 201,
      answer: shown,
      async perform({ simulator, body: { clock, ...wanted } }) {
        const sameStory = Object.values(wanted).every((value) => value === undefined)
        if (sameStory) return show(simulator.fork({ clock }))
        return show(await simulator.addWorld({ ...wanted, clock, shippedOnly: true }))
      },
    }),
  },
}

const parameters = { id: 'The id of a world.' }

/** `GET /_sim/worlds/{id}`: one of them. `DELETE`: throws it away. */
export const oneWorldRoute: Route = {
  path: '/worlds/{id}',
  operations: {
    GET: defineOperation({
      summary: 'One world.',
      parameters,
      answer: shown,
      perform: ({ simulator, parameters: { id = '' } }) => show(existingWorld(id, simulator)),
    }),
    DELETE: defineOperation({
      summary: 'Throws a world away; its key is refused from then on.',
      parameters,
      status: 204,
      perform({ simulator, parameters: { id = '' } }) {
        const world = existingWorld(id, simulator)
        if (world.isFirst) {
          throw new ControlError('conflict', 'The first world stays; POST /_sim/reset begins it anew.')
        }
        world.close()
      },
    }),
  },
}

function show({ id, apiKey, scenario, seed }: Simulator): object {
  return { id, api_key: apiKey, scenario, seed }
}
