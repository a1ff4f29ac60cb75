import type { GapId } from '../../contract/gaps.js'
import { once } from '../../contract/once.js'
import { z } from '../../contract/schema.js'
import { type ModelName, modelNames, rowSchemas } from '../../model/index.js'
import { SnapshotError } from '../errors.js'
import { faultSchema } from '../faults/fault.js'
import { mostFaultRules } from '../faults/fault-rules.js'
import type { Masker } from '../masking/masker.js'
import { canonicalJson, hashText, hexOf } from '../random.js'
import type { ChosenReadings } from '../readings.js'
import { formatInstant, instantSchema as instant, parseClockMode } from '../time.js'
import { unfinishedSchema } from '../webhooks/delivery-record.js'
import type { WorldState } from '../world-state.js'

/** What a snapshot says that it is. */
const snapshotFormat = 'agent-mailbox-sim/snapshot'

/** The version of the format that is written; no newer one is read. */
export const snapshotVersion = 2

/** Returns 32 hex digits over what a document says, whatever the order of its keys. */
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

const countByKind = () => countByModel().extend({ event: count().optional(), delivery: count().optional() })

/** How time passes, as documents say it. */
export const writtenClockMode = () =>
  z
    .string()
    .refine(isClockMode, { error: 'expected real, frozen or a speed such as 10x' })
    .describe('How time passes: `real`, `frozen`, or a speed such as `10x`.')

const clock = () =>
  z.strictObject({
    mode: writtenClockMode(),
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

/** The fault rules of a world, as documents say them. */
export const writtenFaults = () =>
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
      .max(mostFaultRules)
      .describe('The rules in force, the oldest first.'),
  })

/** How far the triggers of a world are, as documents say it. */
export const writtenTriggers = () =>
  z.strictObject({
    counts: z.record(z.string(), count()).describe('Requests by operation, and deliveries by event.'),
    played: z.array(writtenPlayed()),
  })

/** The readings that somebody chose, by gap, as documents say them. */
export const writtenReadings = () =>
  z.record(z.string(), z.strictObject({ reading: z.string(), from: z.string() }))

/** An entry of a timeline that has happened, as documents say it. */
export const writtenPlayed = () =>
  z.strictObject({
    name: z.string(),
    at: instant(),
    problem: z.string().nullable(),
    triggered: z.literal(true).optional(),
  })

/** What names the world a snapshot is of; nothing is said of the rest. */
export const headSchema = once(() =>
  z.looseObject({
    format: z.literal(snapshotFormat),
    version: z.int().min(1),
    scenario: z.string(),
    seed: z.int(),
    fingerprint: z.string(),
    start: instant().optional(),
  }),
)

/** A world as one JSON document: all it takes to have it again over the same beginning. */
export const snapshotSchema = once(() =>
  z.strictObject({
    format: z.literal(snapshotFormat),
    version: z.literal(snapshotVersion),
    secrets: z
      .enum(['included', 'masked'])
      .describe('Whether its tokens, keys and other secrets are in it; only then it can be restored.'),
    checksum: z.string().describe('Of all the rest: tells whether it is as it was taken.'),
    scenario: z.string().describe("The scenario's name."),
    seed: z.int(),
    start: instant().optional().describe('The instant at which the story begins that its mail is dated by.'),
    fingerprint: z.string().describe('What the scenario held when its world began.'),
    clock: clock(),
    readings: writtenReadings().describe(
      'The readings somebody chose, by gap, and who that was; the others are the default ones.',
    ),
    faults: writtenFaults(),
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
      played: z.array(writtenPlayed()).describe('What has happened of the story, in order.'),
      triggered: writtenTriggers()
        .optional()
        .describe('How often what entries wait for has happened, and which of them did.'),
    }),
    rows: rows().describe('What the world wrote, in the order in which it first did.'),
    deleted: z
      .array(
        z.strictObject({
          model: z.enum(modelNames),
          id: z.string(),
        }),
      )
      .describe('What the scenario holds and the world deleted.'),
  }),
)

/** A world as one JSON document. */
export type Snapshot = z.output<ReturnType<typeof snapshotSchema>>

/** How a snapshot is taken. */
export interface SnapshotOptions {
  /** `masked` leaves tokens, keys and other secrets out; such a snapshot can be looked at, not restored. */
  readonly secrets?: Snapshot['secrets'] | undefined
}

/** A place in a snapshot, e.g. `['rows', 'message', 3, 'thread_id']`. */
export type Place = readonly PropertyKey[]

/** That a snapshot is refused: at which place, and what would be right there. */
export function refusal(code: SnapshotError['code'], place: Place, problem: string): SnapshotError {
  const where = place.length === 0 ? 'the document' : formatPlace(place)
  const sentence = /[.?]$/.test(problem) ? problem : `${problem}.`
  return new SnapshotError(
    code,
    `This snapshot cannot be restored: ${where}: ${sentence} Nothing has changed.`,
  )
}

/** That a snapshot contradicts itself, or the scenario it is of. */
export function contradiction(place: Place, problem: string): SnapshotError {
  return refusal('inconsistent', place, problem)
}

/** `rows.message[3].thread_id`, `readings["threads.total"]`. */
function formatPlace(place: Place): string {
  return place.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = String(key)
    if (!/^\w+$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, '')
}

/** Writes down a world; costs what it changed, whatever its scenario holds. The document shares nothing with it. */
export function takeSnapshot(state: WorldState, chosen: ChosenReadings): Snapshot {
  const { initialState, store, clock, faults, ids, timeline, triggers, dispatcher } = state
  const { mode, beganAt, now } = clock.state
  const { rows, deleted, ordinals } = store.written
  const content = {
    scenario: initialState.scenario,
    seed: initialState.seed,
    start: formatInstant(initialState.start),
    fingerprint: initialState.fingerprint(),
    clock: { mode, began_at: formatInstant(beganAt), now: formatInstant(now) },
    readings: choicesIn(chosen),
    faults: faults.state,
    ids: Object.fromEntries(ids.counts),
    ordinals,
    deliveries: dispatcher.state,
    timeline: { played: timeline.played, ...(!triggers.none && { triggered: triggers.state }) },
    rows,
    deleted,
  }
  return documentOf(JSON.parse(JSON.stringify(content)), 'included')
}

/** Returns a snapshot without its secrets, to be looked at or compared; it cannot be restored. */
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

/** The readings somebody chose, the scenario included: a world may be restored where others chose. */
export function choicesIn({ readings, origins }: ChosenReadings): Snapshot['readings'] {
  const entries = Object.entries(readings).map(([gap, reading]) => {
    return [gap, { reading, from: origins[gap as GapId] }] as const
  })
  return Object.fromEntries(entries.filter(([, { from }]) => from !== 'default'))
}
