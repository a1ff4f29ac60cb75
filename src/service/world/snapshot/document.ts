import { once } from '../../../base/once.js'
import { z } from '../../../base/schema.js'
import { addedNames, noExtensions } from '../../../contract/extensions.js'
import type { GapId } from '../../../contract/gaps.js'
import { faultStateSchema } from '../../faults/fault-rules.js'
import { type ModelName, modelNames, rowSchemas } from '../../model/index.js'
import { dispatcherStateSchema } from '../../webhooks/dispatcher-state.js'
import { SnapshotError } from '../errors.js'
import type { InitialState } from '../initial-state.js'
import { keptAnswersSchema } from '../kept-answers.js'
import type { Masker } from '../masker.js'
import { canonicalJson, hashText, hexOf } from '../random.js'
import type { ChosenReadings } from '../readings.js'
import { clockModeSchema, formatInstant, instantSchema as instant } from '../time.js'
import { playedSchema, triggerStateSchema } from '../timeline.js'
import type { RecordedWorld } from '../world-state.js'

/** The value of `format` in every snapshot. */
const snapshotFormat = 'agent-mailbox-sim/snapshot'

/** The version of the format. Others are refused. */
export const snapshotVersion = 2

/** Returns the checksum of a document in 32 hex digits; the order of its keys does not matter. */
export function checksumOf(content: object): string {
  return hexOf(hashText(canonicalJson(content)))
}

const count = () => z.int().min(0)

const countByModel = () => z.strictObject(byModel(() => count().optional()))

const rows = () => z.strictObject(byModel((model) => z.array(rowSchemas[model]())) as RowLists)

type RowLists = { [M in ModelName]: z.ZodArray<ReturnType<(typeof rowSchemas)[M]>> }

function byModel<T>(make: (model: ModelName) => T): Record<ModelName, T> {
  return Object.fromEntries(modelNames.map((model) => [model, make(model)])) as Record<ModelName, T>
}

const countByKind = () =>
  countByModel().extend({
    event: count().optional(),
    delivery: count().optional(),
    sent: count().optional(),
    instant: z.int().optional(),
  })

/** Creates the schema of chosen readings, by gap. */
export const writtenReadings = () =>
  z.record(z.string(), z.strictObject({ reading: z.string(), from: z.string() }))

const extensions = () =>
  z
    .array(z.string())
    .optional()
    .describe('What extensions add: the names of operations and gaps, and fields such as `Message.label`.')

/** The fields that identify the world of a snapshot; all other fields are ignored. */
export const headSchema = once(() =>
  z.looseObject({
    format: z.literal(snapshotFormat),
    version: z.int().min(1),
    secrets: z.string(),
    checksum: z.string(),
    scenario: z.string(),
    seed: z.int(),
    fingerprint: z.string(),
    start: instant(),
    extensions: extensions(),
  }),
)

/** A world as one JSON document, with everything that is needed to restore it over the same initial state. */
export const snapshotSchema = once(() =>
  z.strictObject({
    format: z.literal(snapshotFormat),
    version: z.literal(snapshotVersion),
    secrets: z
      .enum(['included', 'masked'])
      .describe('Whether tokens, keys and other secrets are included; otherwise it cannot be restored.'),
    checksum: z.string().describe('Checksum of everything else, which detects changes.'),
    scenario: z.string().describe("The scenario's name."),
    seed: z.int(),
    start: instant().describe('The instant at which the story begins, from which mail is dated.'),
    fingerprint: z.string().describe('Identifies the content of the scenario when the world began.'),
    extensions: extensions(),
    clock: z.strictObject({
      mode: clockModeSchema(),
      began_at: instant().describe('The instant at which the story began.'),
      now: instant().describe('The present instant.'),
    }),
    readings: writtenReadings().describe(
      'The readings that were chosen, by gap, and by whom; the others are the default ones.',
    ),
    faults: faultStateSchema(),
    answers: keptAnswersSchema()
      .default([])
      .describe(
        'The responses that are repeated for requests with the same `Idempotency-Key`, the oldest first.',
      ),
    ids: countByKind().describe(
      'The number of ids of each kind that the world has assigned, and of messages that agents have `sent`; `instant` is when the latest message was created.',
    ),
    ordinals: countByModel().describe(
      'The ordinal of the next new row of each model of which the world wrote any.',
    ),
    deliveries: dispatcherStateSchema().describe('The deliveries that have not finished.'),
    timeline: z.strictObject({
      played: z.array(playedSchema()).describe('The entries of the story that have happened, in order.'),
      triggered: triggerStateSchema()
        .optional()
        .describe('Counts of what triggered entries wait for, and the entries that have happened.'),
    }),
    rows: rows().describe('The rows that the world wrote, in the order of their first writes.'),
    deleted: z
      .array(
        z.strictObject({
          model: z.enum(modelNames),
          id: z.string(),
        }),
      )
      .describe('The rows of the scenario that the world deleted.'),
  }),
)

/** A world as one JSON document. */
export type Snapshot = z.output<ReturnType<typeof snapshotSchema>>

/** How a snapshot is taken. */
export interface SnapshotOptions {
  /** `masked` omits tokens, keys and other secrets; such a snapshot cannot be restored. */
  readonly secrets?: Snapshot['secrets'] | undefined
}

/** Creates the error for a refused snapshot: the place, e.g. `['rows', 'message', 3, 'thread_id']`, and what is wrong. */
export function refusedSnapshot(
  code: SnapshotError['code'],
  place: readonly PropertyKey[],
  problem: string,
): SnapshotError {
  const where = place.length === 0 ? 'the document' : z.core.toDotPath(place)
  const sentence = /[.?]$/.test(problem) ? problem : `${problem}.`
  return new SnapshotError(
    code,
    `This snapshot cannot be restored: ${where}: ${sentence} Nothing has changed.`,
  )
}

/** Takes a snapshot that shares no objects with the world. Its cost depends only on what the world has changed. */
export function takeSnapshot(initialState: InitialState, recorded: RecordedWorld): Snapshot {
  const { store, clock, chosen, faults, answers, ids, deliveries, played, triggered } = recorded
  const { mode, beganAt, now } = clock
  const isTriggered = Object.keys(triggered.counts).length > 0
  const { rows, deleted, ordinals } = store.written
  const content = {
    scenario: initialState.scenario,
    seed: initialState.seed,
    start: formatInstant(initialState.start),
    fingerprint: initialState.fingerprint(),
    extensions: addedNames(initialState.extensions ?? noExtensions),
    clock: { mode, began_at: formatInstant(beganAt), now: formatInstant(now) },
    readings: choicesIn(chosen),
    faults,
    answers,
    ids,
    ordinals,
    deliveries,
    timeline: { played, ...(isTriggered && { triggered }) },
    rows,
    deleted,
  }
  return documentOf(JSON.parse(JSON.stringify(content)), 'included')
}

/** Returns a snapshot without its secrets, for inspection or comparison; it cannot be restored. */
export function withoutSecrets(snapshot: Snapshot, masker: Masker): Snapshot {
  const { format, version, secrets, checksum, ...content } = snapshot
  return documentOf(masker.content(content) as typeof content, 'masked')
}

function documentOf(
  content: Omit<Snapshot, 'format' | 'version' | 'secrets' | 'checksum'>,
  secrets: Snapshot['secrets'],
): Snapshot {
  const head = { format: snapshotFormat, version: snapshotVersion, secrets } as const
  return { ...head, checksum: checksumOf({ ...head, ...content }), ...content }
}

/**
 * Returns the readings that were not left at their defaults, since another simulator may have chosen
 * differently.
 */
export function choicesIn({ readings, origins }: ChosenReadings): Snapshot['readings'] {
  const entries = Object.entries(readings).map(([gap, reading]) => {
    return [gap, { reading, from: origins[gap as GapId] }] as const
  })
  return Object.fromEntries(entries.filter(([, { from }]) => from !== 'default'))
}
