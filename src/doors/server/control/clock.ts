import { z } from '../../../base/schema.js'
import type { Duration } from '../../../service/time/time.js'
import type { Simulator } from '../../simulator/simulator.js'
import { defineRoute } from './route.js'
import { clockMode, shownClockMode, shownInstant } from './shapes.js'

const clockState = z.object({ now: shownInstant, mode: shownClockMode })

const actions = ['advance', 'to', 'mode'] as const

const change = z
  .strictObject({
    advance: z
      .string('expected a duration such as "5m"')
      .optional()
      .describe('Advances the clock by a duration such as `30s`, `5m` or `1h30m`.'),
    to: z.string().optional().describe('Advances the clock to an instant, ISO 8601.'),
    mode: clockMode.optional(),
  })
  .refine((body) => actions.filter((action) => body[action] !== undefined).length === 1, {
    error: 'expected exactly one of advance, to and mode',
  })
  .meta({ oneOf: actions.map((action) => ({ required: [action] })) })

const playedEntry = z.object({
  name: z.string().describe('The key of the entry, or a name composed of its time and action.'),
  at: z.string().describe('ISO 8601 UTC.'),
  problem: z.string().nullable().describe('Why the entry could not be played as written; otherwise null.'),
})

/** Routes of a world's clock and timeline. */
export const clockRoutes = [
  defineRoute('GET /clock', {
    summary: "Returns the world's time and how it passes.",
    answer: clockState,
    perform: ({ simulator }) => show(simulator),
  }),
  defineRoute('POST /clock', {
    summary:
      'Advances the clock and runs everything that is due in between, or changes its mode; time never goes back.',
    body: change,
    answer: clockState,
    async perform({ simulator, body: { advance, to, mode } }) {
      if (advance !== undefined) await simulator.clock.advance(advance as Duration)
      if (to !== undefined) await simulator.clock.advanceTo(to)
      if (mode !== undefined) simulator.clock.setMode(mode)
      return show(simulator)
    },
  }),
  defineRoute('GET /timeline', {
    summary: "Lists the entries of the scenario's timeline that have been played, and those that come next.",
    answer: z.object({
      played: z.array(playedEntry).describe('The entries that have been played, in order.'),
      left: z.int().min(0).describe('The number of entries that have not been played yet.'),
      upcoming: z
        .array(z.object({ name: z.string(), at: z.string().describe('ISO 8601 UTC.') }))
        .describe('The next 1,000 of these, in order.'),
    }),
    perform({ simulator: { timeline } }) {
      return { played: timeline.played(), left: timeline.left, upcoming: timeline.upcoming(1000) }
    },
  }),
]

function show({ clock }: Simulator): object {
  return { now: clock.now(), mode: clock.mode }
}
