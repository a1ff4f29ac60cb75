import { z } from '../../contract/schema.js'
import { defineOperation, type Route } from './route.js'

const played = z.object({
  name: z.string().describe('The key of the entry, or a name made of its time and what happens.'),
  at: z.string().describe('ISO 8601 UTC.'),
  problem: z.string().nullable().describe('Why it did not happen as it was written.'),
})

/** `GET /_sim/timeline`: what has happened by itself, and how much is to come. */
export const timelineRoute: Route = {
  path: '/timeline',
  operations: {
    GET: defineOperation({
      summary: "What has happened by itself, as the scenario's timeline has it, and how much is to come.",
      answer: z.object({
        played: z.array(played).describe('In order.'),
        left: z.int().min(0).describe('How many entries are still to come.'),
      }),
      perform: ({ simulator: { timeline } }) => ({ played: timeline.played(), left: timeline.left }),
    }),
  },
}
