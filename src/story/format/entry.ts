import { z } from '../../base/schema.js'
import { operationName } from '../../contract/operations.js'
import { eventTypes } from '../../contract/resources.js'
import { parseDuration } from '../../service/time/time.js'
import { sentCondition } from './sent.js'
import { delay, duration, having, isoInstant, key, maxSpan, rule } from './values.js'

/** The keys that say when an entry happens. */
export const times = ['after', 'at', 'when']

const causes = ['request', 'delivery', 'sent']

/** Returns a rule that an object has exactly one of some keys. */
export function exactlyOne(what: string, keys: readonly string[]) {
  return (value: Readonly<Record<string, unknown>>): string | undefined => {
    const present = keys.filter((key) => value[key] !== undefined)
    if (present.length === 1) return undefined
    const found = present.length === 0 ? 'found none of them' : `found ${present.join(' and ')}`
    return `${what}: expected one of ${keys.join(', ')}; ${found}`
  }
}

const repeat = z
  .strictObject({
    times: z.int().min(2).max(10_000).describe('The number of times it happens in total.'),
    every: duration
      .default('0s')
      .describe('The time between two repetitions; without it, all happen simultaneously.'),
  })
  .refine(({ times, every }) => times * (parseDuration(every) ?? 0) <= maxSpan, {
    error: 'it would go on for more than 100 years; write fewer times or a shorter time between them',
  })

const when = z
  .strictObject({
    request: operationName()
      .optional()
      .describe('Right before a request of this operation gets its response.'),
    delivery: z.enum(eventTypes).optional().describe('Right after a delivery of this event type succeeded.'),
    sent: sentCondition
      .optional()
      .describe(
        'Right after an agent sent such a message, by any operation, unless an entry above takes it.',
      ),
    nth: z.int().min(1).default(1).describe('Which of them, from 1 for the first.'),
    after: delay
      .optional()
      .describe('With `sent`: how long after that it happens, for people do not answer at once.'),
    every: z
      .literal(true)
      .optional()
      .describe('With `sent`: it happens each time, from the nth such message on.'),
  })
  .check(rule(exactlyOne('what it waits for', causes)))
  .check(rule(problemWithReaction))
  .meta({
    id: 'when',
    title: 'when',
    description:
      'The action of a client that triggers an entry of the timeline: one of `request`, `delivery` and `sent`.',
    oneOf: causes.map(having),
    dependentRequired: { after: ['sent'], every: ['sent'] },
  })

/** Refuses what only an entry that reacts to sent mail can have. */
function problemWithReaction({ sent, ...when }: Readonly<Record<string, unknown>>): string | undefined {
  const stray = ['after', 'every'].find((name) => when[name] !== undefined)
  if (sent !== undefined || stray === undefined) return undefined
  const hint = stray === 'after' ? '; a time from which on it waits stands beside "when"' : ''
  return `"${stray}" goes with "sent"${hint}`
}

/** The keys of every entry of a timeline, whatever happens. */
export const entryFields = {
  key: key.optional().describe('Names the entry, and the message that it brings, for the expectations.'),
  describe: z.string().optional().describe('A sentence about what happens.'),
  after: delay.optional().describe("How long after the story's start."),
  at: isoInstant.optional().describe('The instant, instead of `after`.'),
  when: when
    .optional()
    .describe('The action of a client at which it happens, instead of a time or from that time on.'),
  repeat: repeat.optional().describe('Repeats the entry.'),
  event_delay: delay
    .optional()
    .describe('By how much the deliveries of its event are delayed; later events may overtake it.'),
}

/** Allows an entry that waits for a request an earliest time as well. */
export function problemWithTime({ when, after, at }: Readonly<Record<string, unknown>>): string | undefined {
  if (when !== undefined && (after === undefined || at === undefined)) return undefined
  return exactlyOne('when it happens', times)({ after, at })
}

const entry = z.strictObject(entryFields)

/** An entry of a timeline, apart from what happens. */
export type EntryFrame = z.output<typeof entry>
