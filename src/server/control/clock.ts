import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { defineRoute } from './route.js'
import { clockMode, instant, shownClockMode } from './shapes.js'

const clockState = z.object({ now: instant, mode: shownClockMode })

const actions = ['advance', 'to', 'mode'] as const

const change = z
  .strictObject({
    advance: z
      .string('expected a duration such as "5m"')
      .optional()
      .describe('Advances by a duration such as `30s`, `5m` or `1h30m`.'),
    to: z.string().optional().describe('Advances to an instant, ISO 8601.'),
    mode: clockMode.optional(),
  })
  .refine((given) => actions.filter((action) => given[action] !== undefined).length === 1, {
    error: 'expected exactly one of advance, to and mode',
  })
  .meta({ oneOf: actions.map((action) => ({ required: [action] })) })

const playedEntry = z.object({
  name: z.string().describe('The key of the entry, or a name made of its time and what happens.'),
  at: z.string().describe('ISO 8601 UTC.'),
  problem: z.string().nullable().describe('Why it did not happen as it was written.'),
})

/** Routes of a world's clock and timeline. */
export const clockRoutes = [
  defineRoute('GET /clock', {
    summary: "The world's time, and how it passes.",
    answer: clockState,
    perform: ({ simulator }) => show(simulator),
  }),
  defineRoute('POST /clock', {
    summary:
      'Advances the clock, doing everything due on the way, or changes its mode; it never goes backwards.',
    body: change,
    answer: clockState,
    async perform({ simulator, body: { advance, to, mode } }) {
      if (advance !== undefined) await simulator.clock.advance(advance)
      if (to !== undefined) await simulator.clock.advanceTo(to)
      if (mode !== undefined) simulator.clock.setMode(mode)
      return show(simulator)
    },
  }),
  defineRoute('GET /timeline', {
    summary: "The entries of the scenario's timeline that have happened, and how many are to come.",
    answer: z.object({
      played: z.array(playedEntry).describe('In order.'),
      left: z.int().min(0).describe('How many entries are still to come.'),
      upcoming: z
        .array(z.object({ name: z.string(), at: z.string().describe('ISO 8601 UTC.') }))
        .describe('The next 1,000 of them, in order.'),
    }),
    perform({ simulator: { timeline } }) {
      return { played: timeline.played(), left: timeline.left, upcoming: timeline.upcoming(1000) }
    },
  }),
]

function show({ clock }: Simulator): object {
  return { now: clock.now(), mode: clock.mode }
}
