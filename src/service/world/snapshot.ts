import { mistakesIn } from '../../base/explain.js'
import { plainCopy } from '../../base/json.js'
import { textOf } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { hiddenKeys, z } from '../../base/schema.js'
import { listOf } from '../../base/text.js'
import { addedNames, noExtensions } from '../../contract/extensions.js'
import type { GapId } from '../../contract/gaps.js'
import { type ChosenAssumptions, chooseAssumptions } from '../assumptions/assumptions.js'
import { faultStateSchema } from '../faults/fault-rules.js'
import { WorldError } from '../model/errors.js'
import { MailboxStore } from '../model/mailbox-store.js'
import type { WrittenRows } from '../model/overlay.js'
import { type ModelName, modelNames, type Rows, rowSchemas } from '../model/rows.js'
import type { Masker } from '../record/masker.js'
import { type ClockMode, clockModeSchema, formatInstant, instantSchema, parseInstant } from '../time/time.js'
import { continued, deliveryCountsSchema, deliverySchema } from '../webhooks/delivery.js'
import { keepAnswer, keptAnswerSchema } from './kept-answers.js'
import { type InitialState, idCountsSchema, type WorldState } from './state.js'
import { playedSchema, triggerStateSchema } from './story-entry.js'

/** The value of `format` in every snapshot. */
const snapshotFormat = 'agent-mailbox-sim/snapshot'

/** The version of the format. Others are refused. */
const snapshotVersion = 3

const count = () => z.int().min(0)

function byModel<T>(make: (model: ModelName) => T): Record<ModelName, T> {
  return Object.fromEntries(modelNames.map((model) => [model, make(model)])) as Record<ModelName, T>
}

const rows = () => {
  const lists = byModel((model) => z.array(rowSchemas[model]())) as RowLists
  // Only in snapshots of worlds whose extensions keep something.
  return z.strictObject({ ...lists, value: lists.value.optional() })
}

type RowLists = { [M in ModelName]: z.ZodArray<ReturnType<(typeof rowSchemas)[M]>> }

const extensions = () =>
  z
    .array(z.string())
    .optional()
    .describe('What extensions add: the names of operations and gaps, and fields such as `Message.label`.')

/** The fields that identify the world of a snapshot; all other fields are ignored. */
const headSchema = once(() =>
  z.looseObject({
    format: z.literal(snapshotFormat),
    version: z.int().min(1),
    secrets: z.string(),
    scenario: z.string(),
    seed: z.int(),
    fingerprint: z.string(),
    start: instantSchema(),
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
    scenario: z.string().describe("The scenario's name."),
    seed: z.int(),
    start: instantSchema().describe('The instant at which the story begins, from which mail is dated.'),
    fingerprint: z.string().describe('Identifies the content of the scenario when the world began.'),
    extensions: extensions(),
    clock: z.strictObject({
      mode: clockModeSchema(),
      began_at: instantSchema().describe('The instant at which the story began.'),
      now: instantSchema().describe('The present instant.'),
    }),
    assumptions: z
      .record(z.string(), z.strictObject({ assumption: z.string(), from: z.string() }))
      .describe('The assumptions that were chosen, by gap, and by whom; the others are the default ones.'),
    faults: faultStateSchema(),
    answers: z
      .array(keptAnswerSchema())
      .describe(
        'The responses that are repeated for requests with the same `Idempotency-Key`, the oldest first.',
      ),
    ids: idCountsSchema().describe(
      'The number of ids of each kind that the world has assigned; `instant` is when the latest message was created.',
    ),
    sent: count().describe('The number of messages that agents have sent.'),
    ordinals: z
      .strictObject(byModel(() => count().optional()))
      .describe('The ordinal of the next new row of each model of which the world wrote any.'),
    counts: deliveryCountsSchema().describe('How many deliveries there were.'),
    deliveries: z
      .array(deliverySchema())
      .describe('The deliveries that have not finished, and those that the story may send again.'),
    timeline: z.strictObject({
      played: z.array(playedSchema()).describe('The entries of the story that have happened, in order.'),
      triggered: triggerStateSchema().describe(
        'Counts of what triggered entries wait for, and the entries that have happened.',
      ),
    }),
    rows: rows().describe('The rows that the world wrote, in the order of their first writes.'),
    deleted: z
      .array(z.strictObject({ model: z.enum(modelNames), id: z.string() }))
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
function refusedSnapshot(
  code: WorldError['code'],
  place: readonly PropertyKey[],
  problem: string,
): WorldError {
  const where = place.length === 0 ? 'the document' : z.core.toDotPath(place)
  const sentence = /[.?]$/.test(problem) ? problem : `${problem}.`
  return new WorldError(code, `This snapshot cannot be restored: ${where}: ${sentence} Nothing has changed.`)
}

/**
 * Takes a snapshot of a state, which shares no objects with it and is without the address of this server, `base`. Its cost depends
 * only on what the world has changed.
 * With a masker, it is without secrets and cannot be restored.
 */
export function takeSnapshot(
  initialState: InitialState,
  state: WorldState,
  base: string,
  masker?: Masker,
): Snapshot {
  const { clock, chosen, faults, answers, ids, sent, counts, deliveries, played, triggered } = state
  const { rows: written, deleted, ordinals } = state.store.written
  const { value, ...documented } = written
  const content = plainCopy({
    format: snapshotFormat,
    version: snapshotVersion,
    secrets: 'included',
    scenario: initialState.scenario,
    seed: initialState.seed,
    start: formatInstant(initialState.start),
    fingerprint: initialState.fingerprint(),
    extensions: addedNames(initialState.extensions ?? noExtensions),
    clock: { mode: clock.mode, began_at: formatInstant(clock.beganAt), now: formatInstant(clock.now) },
    assumptions: choicesIn(chosen),
    faults,
    answers: [...answers.values()],
    ids,
    sent,
    ordinals,
    counts,
    deliveries: Array.from(deliveries.values(), (delivery) => continued(delivery, base)),
    timeline: { played, triggered },
    rows: value.length > 0 ? written : documented,
    deleted,
  }) as unknown as Snapshot
  if (!masker) return content
  const { format, version } = content
  return { ...(masker.content(content) as Snapshot), format, version, secrets: 'masked' }
}

/** Returns the assumptions that were not left at their defaults, since another simulator may have chosen differently. */
function choicesIn({ assumptions, origins }: ChosenAssumptions): Snapshot['assumptions'] {
  const entries = Object.entries(assumptions).map(([gap, assumption]) => {
    return [gap, { assumption, from: origins[gap as GapId] }] as const
  })
  return Object.fromEntries(entries.filter(([, { from }]) => from !== 'default'))
}

/** Returns the state of a snapshot, over the initial state of the world that it was taken of. @throws WorldError */
export function readSnapshot(document: unknown, initialState: InitialState): WorldState {
  if (typeof document === 'string') {
    throw refusedSnapshot('malformed', [], 'it is a string; pass the result of JSON.parse')
  }
  // Most of it, rows and deliveries, has no key that a user chose but names of header fields.
  const { rows: _rows, deliveries: _deliveries, ...beside } = Object(document) as Record<string, unknown>
  const [hidden] = hiddenKeys(beside)
  if (hidden) throw refusedSnapshot('malformed', hidden, 'unknown key')
  const head = fitting(headSchema(), document)
  if (head.version !== snapshotVersion) {
    const problem = `it is ${head.version}, but this simulator reads version ${snapshotVersion}; restore it with the simulator that took it`
    throw refusedSnapshot('wrong-version', ['version'], problem)
  }
  if (head.secrets === 'masked') {
    const problem = 'its secrets are masked; restore a snapshot that was taken with secrets'
    throw refusedSnapshot('masked', ['secrets'], problem)
  }
  checkOrigin(head, initialState)
  const snapshot = fitting(snapshotSchema(), document)
  const { rows, deleted, ordinals, clock, timeline, answers, deliveries, ...others } = snapshot
  const written = { rows: { value: [], ...rows }, deleted, ordinals } as WrittenRows
  const store = MailboxStore.of(initialState.base, written)
  checkReferences(written, store)
  const kept: WorldState['answers'] = new Map()
  for (const answer of answers) keepAnswer(kept, answer)
  const { faults, ids, sent, counts } = others
  return {
    clock: {
      mode: clock.mode as ClockMode,
      beganAt: parseInstant(clock.began_at) as number,
      now: parseInstant(clock.now) as number,
    },
    store,
    ...{ ids, sent, faults, answers: kept, counts },
    chosen: readChoices(snapshot, initialState),
    played: timeline.played,
    triggered: timeline.triggered,
    deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
  }
}

/** Checks that a document belongs to an initial state. @throws WorldError `wrong-scenario` */
function checkOrigin(head: z.output<ReturnType<typeof headSchema>>, initialState: InitialState): void {
  const { scenario, seed, extensions: present = noExtensions } = initialState
  const start = formatInstant(initialState.start)
  const own = { scenario, seed, start, fingerprint: initialState.fingerprint() }
  for (const field of ['scenario', 'seed', 'start', 'fingerprint'] as const) {
    if (head[field] === own[field]) continue
    const differs = `it was taken with ${JSON.stringify(head[field])}, but this world has ${JSON.stringify(own[field])}`
    const remedy =
      field === 'fingerprint' ? 'with the scenario as it was then' : `in a world with that ${field}`
    throw refusedSnapshot('wrong-scenario', [field], `${differs}; restore it ${remedy}, or take another one`)
  }
  const missing = (head.extensions ?? []).filter((name) => !addedNames(present).includes(name))
  if (missing.length > 0) {
    const problem = `it was taken with extensions that define ${listOf(missing)}, which this world lacks`
    const remedy = 'restore it in a world with them (--extend, or the option extend)'
    throw refusedSnapshot('wrong-scenario', ['extensions'], `${problem}; ${remedy}`)
  }
}

/** Returns a value that fits a schema. @throws WorldError `malformed` */
function fitting<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const [first, ...others] = mistakesIn(schema, value)
  const further = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw refusedSnapshot('malformed', first?.path ?? [], `${textOf(first?.message ?? '')}${further}`)
}

/** Returns the assumptions of a snapshot; all others have their defaults. */
function readChoices(
  { assumptions }: Pick<Snapshot, 'assumptions'>,
  { extensions = noExtensions }: Pick<InitialState, 'extensions'>,
): ChosenAssumptions {
  let chosen = chooseAssumptions([], undefined, extensions.gaps)
  for (const [gap, { assumption, from }] of Object.entries(assumptions)) {
    try {
      chosen = chooseAssumptions([{ from, input: { [gap]: assumption } }], chosen, extensions.gaps)
    } catch (error) {
      if (!(error instanceof WorldError)) throw error
      throw refusedSnapshot('malformed', ['assumptions', gap], error.message)
    }
  }
  return chosen
}

/** The fields that refer to rows of other models. */
const references: { readonly [M in ModelName]: Partial<Record<keyof Rows[M], ModelName>> } = {
  organization: {},
  identity: { organization_id: 'organization' },
  thread: {
    organization_id: 'organization',
    identity_id: 'identity',
    first_message_id: 'message',
    last_message_id: 'message',
  },
  message: {
    organization_id: 'organization',
    identity_id: 'identity',
    thread_id: 'thread',
    attachment_ids: 'attachment',
  },
  attachment: { message_id: 'message' },
  webhook: { organization_id: 'organization' },
  value: { organization_id: 'organization' },
}

/** Checks that the rows to which rows of a snapshot refer exist. @throws WorldError `inconsistent` */
function checkReferences({ rows }: WrittenRows, store: MailboxStore): void {
  for (const model of modelNames) {
    for (const [field, target] of Object.entries(references[model]) as [
      keyof Rows[typeof model],
      ModelName,
    ][]) {
      // Thousands of messages are those of a few agents.
      const known = new Set<string>()
      for (const [index, row] of rows[model].entries()) {
        const named = row[field] as string | readonly string[] | null
        for (const id of typeof named === 'string' ? [named] : (named ?? [])) {
          if (known.has(id)) continue
          known.add(id)
          if (store.get(target, id)) continue
          const problem = `there is no ${target} "${id}", neither here nor in the scenario`
          throw refusedSnapshot('inconsistent', ['rows', model, index, field], problem)
        }
      }
    }
  }
}
