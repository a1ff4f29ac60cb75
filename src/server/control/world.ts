import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { defineOperation, type Route } from './route.js'
import { instant } from './values.js'

const count = z.int().min(0)

/** A world as answers show it. */
export const shown = z.object({
  id: z.string(),
  scenario: z.string(),
  seed: z.int().describe('What every generated value hangs on.'),
  start: z.string().describe('The instant the story begins, ISO 8601 UTC.'),
  now: instant,
  clock: z.string().describe('`real`, `frozen` or a speed such as `10x`.'),
  counts: z.object({
    agents: count,
    threads: count,
    messages: count,
    webhooks: count,
    deliveries: count.describe('What was, or is being, sent to subscriptions.'),
  }),
  digest: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .describe('Over everything the world holds: equal for equal worlds. There with `?digest=true` alone.'),
})

/** `GET /_sim/world`: what a world is, how much it holds, and what time it has. */
export const worldRoute: Route = {
  path: '/world',
  operations: {
    GET: defineOperation({
      summary: 'What a world is, how much it holds, and what time it has.',
      query: z.object({
        digest: z
          .enum(['true', 'false'])
          .optional()
          .describe('Whether to add the digest, which reads every message and so takes its time.'),
      }),
      answer: shown,
      perform({ simulator, query }) {
        return { ...show(simulator), ...(query.digest === 'true' && { digest: simulator.digest() }) }
      },
    }),
  },
}

/** `POST /_sim/reset`: back to how the scenario starts, with an empty journal. */
export const resetRoute: Route = {
  path: '/reset',
  operations: {
    POST: defineOperation({
      summary: "Back to the scenario's start, with an empty journal and no faults.",
      answer: shown,
      perform({ simulator }) {
        simulator.reset()
        return show(simulator)
      },
    }),
  },
}

/** What a world is, how much it holds, and what time it has. */
export function show(simulator: Simulator): object {
  const { id, scenario, seed, start, clock, deliveries } = simulator
  const counts = { ...simulator.summary(), deliveries: deliveries.count }
  return { id, scenario, seed, start, now: clock.now(), clock: clock.mode, counts }
}
