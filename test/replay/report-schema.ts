import { z } from '../../src/base/schema.js'
import { expectationKindNames } from '../../src/story/expectations/kinds.js'

const instant = z.iso.datetime({ precision: 3 })
const count = z.int().min(0)

const verdict = z.strictObject({
  index: count,
  key: z.string().nullable(),
  kind: z.enum(expectationKindNames),
  describe: z.string().min(1),
  passed: z.boolean(),
  at: instant,
  expected: z.string().min(1),
  found: z.string().min(1),
  nearest: z
    .strictObject({
      line: z.string().min(1),
      exchange: z.int().min(1).nullable(),
      at: instant,
      differences: z.array(z.string()),
      surplus: z.literal(true).optional(),
    })
    .nullable(),
  unjudged: z.string().min(1).optional(),
})

const command = z.strictObject({
  command: z.array(z.string()).min(1),
  status: z.int().nullable(),
  signal: z.string().startsWith('SIG').nullable(),
  ended: z.enum(['by-itself', 'story-over', 'interrupted', 'not-ready', 'not-started']),
  passed: z.boolean(),
  problem: z.string().nullable(),
  notes: z.array(z.string()),
  output: z.string(),
})

/** A report as JSON, version 1, and nothing else. */
export const reportSchema = z.strictObject({
  format: z.literal('agent-mailbox-sim/replay-report'),
  version: z.literal(1),
  scenario: z.string(),
  describe: z.string(),
  seed: count,
  assumptions: z.record(z.string(), z.string()),
  clock: z.string().regex(/^(auto|real|frozen|[\d.]+x)$/),
  started_at: instant,
  ended_at: instant,
  passed: z.boolean(),
  not_judged: z.enum(['interrupted', 'not-started', 'not-ready', 'port-taken', 'nothing-checked']).nullable(),
  score: z.number().min(0).max(1).nullable(),
  digest: z.string().regex(/^[\da-f]{32}$/),
  interrupted: z.boolean(),
  cause: z.string().min(1).nullable(),
  hints: z.array(z.string().min(1)),
  verdicts: z.array(verdict),
  command: command.nullable(),
  timeline: z.strictObject({
    played: z.array(z.looseObject({ name: z.string(), at: instant, problem: z.string().nullable() })),
    left: count,
    never: z.array(z.strictObject({ name: z.string(), why: z.string() })),
  }),
  runaway: z.string().nullable(),
  broken_rules: z.array(
    z.strictObject({ invariant: z.string(), found: z.string(), exchange: z.int().nullable() }),
  ),
  requests: count,
  served: z.strictObject({ responses: count, bytes: count, tokens: count, messages: count, repeated: count }),
  deliveries: count,
  reliances: z.array(z.looseObject({ gap: z.string(), assumption: z.string(), count: z.int().min(1) })),
  starts: z.array(z.looseObject({ start: z.int().min(1), requests: count })).optional(),
  pace: z.looseObject({ mode: z.string(), worked_ms: count, skipped_ms: count, elsewhere: count }).optional(),
  wall_ms: count,
})

const share = z.number().min(0).max(1)
const interval = z.tuple([share, share])

/** A report of several trials as JSON, and nothing else. */
export const trialsSchema = z.strictObject({
  ...reportSchema.pick({
    ...{ format: true, version: true, scenario: true, describe: true, seed: true, assumptions: true },
    ...{ clock: true, started_at: true, interrupted: true, passed: true },
  }).shape,
  trials: z.strictObject({
    count: z.int().min(2),
    judged: count,
    passed: count,
    require: z.union([z.literal('all'), share]),
    interval,
    pass_k: z.array(share),
    first_failed: count.nullable(),
    first_passed: count.nullable(),
  }),
  expectations: z.array(
    z.strictObject({
      ...verdict.pick({ index: true, key: true, kind: true, describe: true }).shape,
      held: count,
      of: count,
      interval,
    }),
  ),
  runs: z.array(reportSchema.extend({ trial: z.int().min(1) })).min(1),
  wall_ms: count,
})
