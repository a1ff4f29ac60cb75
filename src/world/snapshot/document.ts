import { once } from '../../contract/once.js'
import { z } from '../../contract/schema.js'
import { parseClockMode } from '../clock-mode.js'
import { faultSchema } from '../faults/fault.js'
import { instantSchema as instant } from '../instant-schema.js'
import { unfinishedSchema } from '../webhooks/unfinished.js'
import { rowsSchema } from './rows.js'

/** What a snapshot says that it is. */
export const snapshotFormat = 'agent-mailbox-sim/snapshot'

/** The version of the format that is written; no newer one is read. */
export const snapshotVersion = 1

const count = () => z.int().min(0)

const countByModel = () =>
  z.strictObject({
    organization: count().optional(),
    identity: count().optional(),
    thread: count().optional(),
    message: count().optional(),
    attachment: count().optional(),
    webhook: count().optional(),
  })

const countByKind = () => countByModel().extend({ event: count().optional(), delivery: count().optional() })

const clock = () =>
  z.strictObject({
    mode: z
      .string()
      .refine(isClockMode, { error: 'expected real, frozen or a speed such as 10x' })
      .describe('How time passes: `real`, `frozen`, or a speed such as `10x`.'),
    began_at: instant().describe('The instant the story began.'),
    now: instant().describe('The present instant.'),
  })

function isClockMode(text: string): boolean {
  try {
    parseClockMode(text)
    return true
  } catch {
    return false
  }
}

const faults = () =>
  z.strictObject({
    added: count().describe('How many were ever added; the next gets the id after that many.'),
    rules: z
      .array(
        z.strictObject({
          id: z.string().regex(/^fault_[1-9]\d{0,14}$/, 'expected an id such as fault_1'),
          fault: faultSchema(),
          matched: count().describe('Requests that fitted it.'),
          hit: count().describe('Requests it disturbed.'),
        }),
      )
      .describe('The rules in force, the oldest first.'),
  })

const played = () => z.strictObject({ name: z.string(), at: instant(), problem: z.string().nullable() })

/** What names the world a snapshot is of; nothing is said of the rest. */
export const headSchema = once(() =>
  z.looseObject({
    format: z.literal(snapshotFormat),
    version: z.int().min(1),
    scenario: z.string(),
    seed: z.int(),
    fingerprint: z.string(),
  }),
)

/** A world as one JSON document: all it takes to have it again over the same beginning. */
export const snapshotSchema = once(() =>
  z.strictObject({
    format: z.literal(snapshotFormat),
    version: z.literal(snapshotVersion),
    scenario: z.string().describe("The scenario's name."),
    seed: z.int(),
    fingerprint: z.string().describe('What the scenario held when its world began.'),
    clock: clock(),
    readings: z
      .record(z.string(), z.strictObject({ reading: z.string(), from: z.string() }))
      .describe('The readings somebody chose, by gap, and who that was; the others are the default ones.'),
    faults: faults(),
    ids: countByKind().describe('How many ids of each kind the world has handed out.'),
    ordinals: countByModel().describe(
      'The ordinal the next new row of a model gets, where the world wrote any.',
    ),
    deliveries: z
      .strictObject({
        subscriptions: z
          .record(z.string(), count())
          .describe('How many deliveries each subscription has had, by its id.'),
        unfinished: z
          .array(unfinishedSchema())
          .describe('Those that are not over, in the order of their events.'),
      })
      .describe('What is still to be delivered.'),
    timeline: z.strictObject({
      played: z.array(played()).describe('What has happened of the story, in order.'),
    }),
    rows: rowsSchema().describe('What the world wrote, in the order in which it first did.'),
    deleted: z
      .array(
        z.strictObject({
          model: z.enum(['organization', 'identity', 'thread', 'message', 'attachment', 'webhook']),
          id: z.string(),
        }),
      )
      .describe('What the scenario holds and the world deleted.'),
  }),
)

/** A world as one JSON document. */
export type Snapshot = z.output<ReturnType<typeof snapshotSchema>>
