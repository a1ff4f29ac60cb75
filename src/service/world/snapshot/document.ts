import { isJsonObject, plainCopy } from '../../../base/json.js'
import { once } from '../../../base/once.js'
import { z } from '../../../base/schema.js'
import { addedNames, noExtensions } from '../../../contract/extensions.js'
import type { GapId } from '../../../contract/gaps.js'
import type { ChosenAssumptions } from '../../assumptions/assumptions.js'
import { faultStateSchema } from '../../faults/fault-rules.js'
import { SnapshotError } from '../../model/errors.js'
import type { WrittenRows } from '../../model/overlay.js'
import { type ModelName, modelNames, rowSchemas } from '../../model/rows.js'
import type { WholeParts } from '../../record/log.js'
import type { Masker } from '../../record/masker.js'
import { canonicalJson, hexOf, TextHash } from '../../time/random.js'
import { clockModeSchema, formatInstant, instantSchema as instant } from '../../time/time.js'
import { dispatcherStateSchema } from '../../webhooks/dispatcher-state.js'
import type { InitialState } from '../initial-state.js'
import { keptAnswersSchema } from '../kept-answers.js'
import { playedSchema } from '../story-entry.js'
import { triggerStateSchema } from '../triggers.js'
import type { RecordedWorld } from '../world-state.js'

/** The value of `format` in every snapshot. */
const snapshotFormat = 'agent-mailbox-sim/snapshot'

/** The version of the format. Others are refused. */
export const snapshotVersion = 2

/** The content of a document, with everything that its checksum covers. */
type SnapshotContent = Omit<Snapshot, 'checksum'>

/**
 * Yields the JSON of a document with the keys of every object sorted: each item of a long list, and each other part, as one
 * piece, since the whole may be longer than the longest string. `show` returns how an item is shown.
 */
export function* canonicalPieces(content: object, show: ShowItem = (item) => item): Generator<string> {
  let before = '{'
  for (const [name, part] of sortedEntries(content)) {
    if (part === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    if ((name === 'rows' || name === 'deliveries') && isJsonObject(part)) yield* canonicalLists(part, show)
    else if (name === 'answers' && Array.isArray(part)) yield* canonicalList(part, show)
    else yield canonicalJson(part)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

type ShowItem = (item: unknown) => unknown

function* canonicalLists(lists: object, show: ShowItem): Generator<string> {
  let before = '{'
  for (const [name, list] of sortedEntries(lists)) {
    yield `${before}${JSON.stringify(name)}:`
    if (Array.isArray(list)) yield* canonicalList(list, show)
    else yield canonicalJson(show(list))
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function sortedEntries(object: object): [string, unknown][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
}

function* canonicalList(list: readonly unknown[], show: ShowItem): Generator<string> {
  let before = '['
  for (const item of list) {
    yield `${before}${canonicalJson(show(item))}`
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Returns the checksum of a document in 32 hex digits; the order of its keys does not matter. */
export function checksumOf(content: object): string {
  const hash = new TextHash()
  for (const piece of canonicalPieces(content)) hash.add(piece)
  return hexOf(hash.words)
}

const count = () => z.int().min(0)

const countByModel = () => z.strictObject(byModel(() => count().optional()))

const rows = () => {
  const lists = byModel((model) => z.array(rowSchemas[model]())) as RowLists
  // Only in snapshots of worlds whose extensions keep something.
  return z.strictObject({ ...lists, value: lists.value.optional() })
}

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

/** Creates the schema of chosen assumptions, by gap. */
export const writtenAssumptions = () =>
  z.record(z.string(), z.strictObject({ assumption: z.string(), from: z.string() }))

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
    assumptions: writtenAssumptions().describe(
      'The assumptions that were chosen, by gap, and by whom; the others are the default ones.',
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
  return withChecksum(plainCopy(contentOf(initialState, recorded)))
}

/** Returns a snapshot without its secrets, for inspection or comparison; it cannot be restored. */
export function withoutSecrets({ checksum, ...content }: Snapshot, masker: Masker): Snapshot {
  return withChecksum(maskedPart(content, masker))
}

/**
 * Yields the JSON of a snapshot in pieces, since that of a large world is longer than the longest string. It is of the
 * world at the time of the call, whatever happens to the world meanwhile. With a masker, it is without secrets.
 */
export function snapshotPieces(
  initialState: InitialState,
  recorded: RecordedWorld,
  masker?: Masker,
): Iterable<string> {
  const content = contentOf(initialState, recorded)
  if (!masker) return piecesWithChecksum(content)
  const { rows, deliveries, answers, ...others } = content
  const known = masker.asOfNow()
  const lists = { rows, deliveries, answers }
  return piecesWithChecksum({ ...maskedPart(others, known), ...lists }, (item) => known.content(item))
}

function* piecesWithChecksum(content: object, show?: ShowItem): Generator<string> {
  const hash = new TextHash()
  let last = ''
  for (const piece of canonicalPieces(content, show)) {
    yield last
    hash.add(piece)
    last = piece
  }
  yield `,"checksum":"${hexOf(hash.words)}"${last}`
}

/** The most characters of rows in one entry of a log, approximately. */
const pieceLength = 1_048_576

/** The most rows in one of them. */
const pieceRows = 200

/** Splits rows, or other items, into lists that are small enough to be handled without a pause. */
export function* inPieces<Row extends object>(rows: readonly Row[]): Generator<readonly Row[]> {
  let [start, length] = [0, 0]
  for (const [index, row] of rows.entries()) {
    length += lengthOf(row)
    if (length < pieceLength && index - start < pieceRows - 1) continue
    yield rows.slice(start, index + 1)
    start = index + 1
    length = 0
  }
  if (start < rows.length) yield rows.slice(start)
}

function lengthOf(row: object): number {
  let length = 0
  for (const value of Object.values(row)) if (typeof value === 'string') length += value.length
  return length
}

/** Returns the entry of a log with which a world begins. */
export function beginningOf(
  { scenario, seed, fingerprint }: InitialState,
  { clock, chosen }: Pick<RecordedWorld, 'clock' | 'chosen'>,
) {
  const { mode } = clock
  return { type: 'begin', scenario, seed, fingerprint: fingerprint(), mode, assumptions: choicesIn(chosen) }
}

/** Returns the parts of a world's state at the time of the call. */
export function wholeParts(initialState: InitialState, recorded: RecordedWorld): WholeParts {
  const { rows, deliveries, ...others } = contentOf(initialState, recorded)
  const { unfinished, referenced, ...counts } = deliveries
  const none = { ...counts, unfinished: [], referenced: [] }
  return {
    snapshot: { ...others, deliveries: none, rows: noRows() },
    rows: rowPieces(rows),
    deliveries: [...referenced, ...unfinished],
  }
}

function* rowPieces(rows: Partial<WrittenRows['rows']>): WholeParts['rows'] {
  for (const model of modelNames) for (const piece of inPieces(rows[model] ?? [])) yield { [model]: piece }
}

/** Returns the content of a snapshot; the items of its long lists are those of the world, which replaces and never changes them. */
function contentOf(initialState: InitialState, recorded: RecordedWorld) {
  const { store, clock, chosen, faults, answers, deliveries, played, triggered } = recorded
  const { mode, beganAt, now } = clock
  const isTriggered = Object.keys(triggered.counts).length > 0
  const { rows: written, deleted, ordinals } = store.written
  const { value, ...documented } = written
  const rows = value.length > 0 ? written : documented
  const others = {
    format: snapshotFormat,
    version: snapshotVersion,
    secrets: 'included',
    scenario: initialState.scenario,
    seed: initialState.seed,
    start: formatInstant(initialState.start),
    fingerprint: initialState.fingerprint(),
    extensions: addedNames(initialState.extensions ?? noExtensions),
    clock: { mode, began_at: formatInstant(beganAt), now: formatInstant(now) },
    assumptions: choicesIn(chosen),
    faults,
    // Replaced below; the order of the keys stays.
    answers: [],
    ids: { ...recorded.ids, ...(recorded.sent > 0 && { sent: recorded.sent }) },
    ordinals,
    deliveries: {},
    timeline: { played, ...(isTriggered && { triggered }) },
  }
  const copied = plainCopy(others) as unknown as SnapshotContent
  return { ...copied, answers, deliveries, rows, deleted: plainCopy(deleted) }
}

function maskedPart<Content extends object>(content: Content, masker: Masker): Content {
  const { format, version } = content as unknown as Snapshot
  return { ...(masker.content(content) as Content), format, version, secrets: 'masked' }
}

function noRows(): Snapshot['rows'] {
  const { value: _, ...documented } = byModel(() => [])
  return documented as unknown as Snapshot['rows']
}

function withChecksum(content: object): Snapshot {
  const { format, version, secrets, ...others } = content as SnapshotContent
  const head = { format, version, secrets }
  return { ...head, checksum: checksumOf(content), ...others } as Snapshot
}

/**
 * Returns the assumptions that were not left at their defaults, since another simulator may have chosen
 * differently.
 */
export function choicesIn({ assumptions, origins }: ChosenAssumptions): Snapshot['assumptions'] {
  const entries = Object.entries(assumptions).map(([gap, assumption]) => {
    return [gap, { assumption, from: origins[gap as GapId] }] as const
  })
  return Object.fromEntries(entries.filter(([, { from }]) => from !== 'default'))
}
