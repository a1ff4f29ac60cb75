import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { defineOperation, type Route } from './route.js'
import { clockMode, instant } from './values.js'

const shown = z.object({
  now: instant,
  mode: z.string().describe('`real`, `frozen` or a speed such as `10x`.'),
})

const ways = ['advance', 'to', 'mode'] as const

const change = z
  .strictObject({
    advance: z.string().optional().describe('Moves on by a duration such as `30s`, `5m` or `1h30m`.'),
    to: z.string().optional().describe('Moves on to an instant, ISO 8601.'),
    mode: clockMode.optional(),
  })
  .refine((given) => ways.filter((way) => given[way] !== undefined).length === 1, {
    error: 'expected exactly one of advance, to and mode',
  })
  .meta({ oneOf: ways.map((way) => ({ required: [way] })) })

/** `GET /_sim/clock`: a world's time. `POST`: moves it on, or has it pass otherwise. */
export const clockRoute: Route = {
  path: '/clock',
  operations: {
    GET: defineOperation({
      summary: "A world's time, and how it passes.",
      answer: shown,
      perform: ({ simulator }) => show(simulator),
    }),
    POST: defineOperation({
      summary:
        'Moves time on, doing everything due on the way, or has it pass otherwise; it never goes back.',
      body: change,
      answer: shown,
      async perform({ simulator, body: { advance, to, mode } }) {
        if (advance !== undefined) await simulator.clock.advance(advance)
        if (to !== undefined) await simulator.clock.advanceTo(to)
        if (mode !== undefined) simulator.clock.setMode(mode)
        return show(simulator)
      },
    }),
  },
}

function show({ clock }: Simulator): object {
  return { now: clock.now(), mode: clock.mode }
}
