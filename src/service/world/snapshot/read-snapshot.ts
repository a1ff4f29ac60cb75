import { mistakesIn } from '../../../base/explain.js'
import { isJsonObject } from '../../../base/json.js'
import { z } from '../../../base/schema.js'
import { listOf } from '../../../base/text.js'
import { addedNames, noExtensions } from '../../../contract/extensions.js'
import { type ChosenAssumptions, chooseAssumptions } from '../../assumptions/assumptions.js'
import { AssumptionError } from '../../model/errors.js'
import { MailboxStore } from '../../model/mailbox-store.js'
import { type ModelName, modelNames, type Rows, rowSchemas } from '../../model/rows.js'
import { hexOf, TextHash } from '../../time/random.js'
import { type ClockMode, formatInstant, parseInstant } from '../../time/time.js'
import { lastOf } from '../../time/wall-time.js'
import { type WrittenDelivery, writtenDeliverySchema } from '../../webhooks/delivery.js'
import type { InitialState } from '../initial-state.js'
import { type KeptAnswer, keptAnswersSchema } from '../kept-answers.js'
import type { RecordedWorld } from '../world-state.js'
import {
  canonicalPieces,
  headSchema,
  inPieces,
  refusedSnapshot,
  type Snapshot,
  snapshotSchema,
  snapshotVersion,
} from './document.js'

/** Reads the world from a snapshot. @throws SnapshotError */
export function readSnapshot(document: unknown, initialState: InitialState): RecordedWorld {
  return lastOf(readingSnapshot(document, initialState))
}

/** Reads the world from a snapshot in steps, between which a server can answer others. @throws SnapshotError */
export function* readingSnapshot(
  document: unknown,
  initialState: InitialState,
): Generator<undefined, RecordedWorld> {
  if (typeof document === 'string') {
    throw refusedSnapshot('malformed', [], 'it is a string; pass the result of JSON.parse')
  }
  const head = fitting(headSchema(), document)
  yield* checkingSum(document as Snapshot)
  if (head.version !== snapshotVersion) {
    const problem = `it is ${head.version}, but this simulator reads version ${snapshotVersion}; restore it with the simulator that took it`
    throw refusedSnapshot('wrong-version', ['version'], problem)
  }
  if (head.secrets === 'masked') {
    const problem = 'its secrets are masked; restore a snapshot that was taken with secrets'
    throw refusedSnapshot('masked', ['secrets'], problem)
  }
  checkOrigin(head, initialState)
  checkExtensions(head, initialState)
  const reader = new SnapshotReader(initialState)
  reader.begin(withoutLists(document as Snapshot))
  const { rows, deliveries, answers = [] } = document as Snapshot
  for (const model of modelNames) {
    for (const piece of inPieces((rows[model] ?? []) as readonly object[])) {
      reader.add(model, piece)
      yield
    }
  }
  for (const kind of deliveryKinds) {
    for (const piece of inPieces(deliveries[kind] ?? [])) {
      reader.addDeliveries(kind, piece)
      yield
    }
  }
  for (const piece of inPieces(answers)) {
    reader.addAnswers(piece)
    yield
  }
  return yield* reader.completing()
}

/** Checks that a document was not changed since it was taken. @throws SnapshotError */
function* checkingSum({ checksum, ...content }: Snapshot): Generator<undefined, void> {
  const hash = new TextHash()
  for (const piece of canonicalPieces(content)) {
    hash.add(piece)
    yield
  }
  const expected = hexOf(hash.words)
  if (checksum === expected) return
  const problem = `expected ${expected} for the contents of the document; found ${checksum}. It was changed or is incomplete; restore it as it was taken`
  throw refusedSnapshot('inconsistent', ['checksum'], problem)
}

/** Returns a document with empty lists where they may be long; whatever is not a list stays, and is refused. */
function withoutLists(document: Snapshot): unknown {
  const empty = (value: unknown): unknown => (Array.isArray(value) ? [] : value)
  const emptied = Object.entries(document).map(([name, part]) => {
    if (name === 'answers') return [name, empty(part)]
    if ((name !== 'rows' && name !== 'deliveries') || !isJsonObject(part)) return [name, part]
    return [name, Object.fromEntries(Object.entries(part).map(([kind, list]) => [kind, empty(list)]))]
  })
  return Object.fromEntries(emptied)
}

/** The lists of deliveries in a snapshot. */
const deliveryKinds = ['unfinished', 'referenced'] as const

/** Rebuilds a world from the parts of a snapshot: everything but its long lists, and their items, a few at a time. */
export class SnapshotReader {
  readonly #initialState: InitialState
  #snapshot: Snapshot | undefined
  readonly #store: MailboxStore
  readonly #added = new Map<ModelName, number>()
  readonly #deliveries: Record<(typeof deliveryKinds)[number], WrittenDelivery[]> = {
    unfinished: [],
    referenced: [],
  }
  readonly #answers: KeptAnswer[] = []

  constructor(initialState: InitialState) {
    this.#initialState = initialState
    this.#store = new MailboxStore(initialState.base)
  }

  /** Reads the document, at least the parts that are not added one by one. @throws SnapshotError */
  begin(document: unknown): void {
    this.#snapshot = fitting(snapshotSchema(), document)
    const { deliveries, answers } = this.#snapshot
    for (const kind of deliveryKinds) for (const one of deliveries[kind]) this.#deliveries[kind].push(one)
    for (const one of answers) this.#answers.push(one)
  }

  /** Adds the next rows of a model, before or after `begin`. @throws SnapshotError */
  add(model: ModelName, rows: readonly unknown[]): void {
    const before = this.#added.get(model) ?? 0
    this.#added.set(model, before + rows.length)
    const place = (index: number) => ['rows', model, before + index]
    for (const row of fitting(z.array<z.ZodType>(rowSchemas[model]()), rows, place)) {
      this.#store.put(model, row as Rows[ModelName])
    }
  }

  /** Adds the next deliveries. @throws SnapshotError */
  addDeliveries(kind: (typeof deliveryKinds)[number], deliveries: readonly unknown[]): void {
    const list = this.#deliveries[kind]
    const place = (index: number) => ['deliveries', kind, list.length + index]
    for (const one of fitting(z.array(writtenDeliverySchema()), deliveries, place)) list.push(one)
  }

  /** Adds the next kept responses. @throws SnapshotError */
  addAnswers(answers: readonly unknown[]): void {
    const place = (index: number) => ['answers', this.#answers.length + index]
    for (const one of fitting(keptAnswersSchema(), answers, place)) this.#answers.push(one)
  }

  /** Returns the world once all parts were added. @throws SnapshotError */
  *completing(): Generator<undefined, RecordedWorld> {
    const snapshot = this.#snapshot as Snapshot
    this.#store.complete(snapshot)
    yield* checkingReferences(this.#store)
    const { mode, began_at, now } = snapshot.clock
    const { sent = 0, ...ids } = snapshot.ids
    return {
      clock: {
        mode: mode as ClockMode,
        beganAt: parseInstant(began_at) as number,
        now: parseInstant(now) as number,
      },
      store: this.#store,
      ids,
      sent,
      faults: snapshot.faults,
      answers: this.#answers,
      chosen: readChoices(snapshot, this.#initialState),
      played: snapshot.timeline.played,
      triggered: snapshot.timeline.triggered ?? { counts: {}, played: [] },
      deliveries: { ...snapshot.deliveries, ...this.#deliveries },
    }
  }
}

/** Checks that a document belongs to an initial state. @throws SnapshotError */
export function checkOrigin(
  head: {
    readonly scenario: string
    readonly seed: number
    readonly fingerprint: string
    readonly start?: string | undefined
  },
  initialState: InitialState,
): void {
  const { scenario, seed } = initialState
  if (head.scenario !== scenario) {
    const problem = `it was taken with the scenario "${head.scenario}", but this world has "${scenario}"; restore it in a world with that scenario`
    throw refusedSnapshot('wrong-scenario', ['scenario'], problem)
  }
  if (head.seed !== seed) {
    const problem = `it was taken with the seed ${head.seed}, but this world has the seed ${seed}; restore it in a world with that seed`
    throw refusedSnapshot('wrong-scenario', ['seed'], problem)
  }
  const start = formatInstant(initialState.start)
  if (head.start !== undefined && head.start !== start) {
    const problem = `its story begins at ${head.start}, but the one of this world at ${start}; restore it with --start, or the option start, set to ${head.start}`
    throw refusedSnapshot('wrong-scenario', ['start'], problem)
  }
  if (head.fingerprint !== initialState.fingerprint()) {
    const problem = `"${scenario}" has changed since the snapshot was taken; restore it with the scenario as it was then, or take another one`
    throw refusedSnapshot('wrong-scenario', ['fingerprint'], problem)
  }
}

/** Checks that a world has what extensions added to the world of its snapshot. @throws SnapshotError */
function checkExtensions(
  { extensions: named = [] }: Pick<Snapshot, 'extensions'>,
  { extensions = noExtensions }: Pick<InitialState, 'extensions'>,
): void {
  const present = addedNames(extensions)
  const missing = named.filter((name) => !present.includes(name))
  if (missing.length === 0) return
  const problem = `it was taken with extensions that define ${listOf(missing)}, which this world lacks; restore it in a world with them (--extend, or the option extend)`
  throw refusedSnapshot('wrong-scenario', ['extensions'], problem)
}

/** Returns a value that fits a schema; `place` returns where its items are in the document. @throws SnapshotError */
function fitting<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  place?: (index: number) => readonly PropertyKey[],
): z.output<Schema> {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const [first, ...others] = mistakesIn(schema, value)
  const further = others.length === 0 ? '' : ` (and ${others.length} more)`
  const [index, ...path] = first?.path ?? []
  const where = place ? [...place(Number(index)), ...path] : (first?.path ?? [])
  throw refusedSnapshot('malformed', where, `${first?.message}${further}`)
}

/** Returns the assumptions of a snapshot; all others have their defaults. */
export function readChoices(
  { assumptions }: Pick<Snapshot, 'assumptions'>,
  { extensions = noExtensions }: Pick<InitialState, 'extensions'>,
): ChosenAssumptions {
  let chosen = chooseAssumptions([], undefined, extensions.gaps)
  for (const [gap, { assumption, from }] of Object.entries(assumptions)) {
    try {
      chosen = chooseAssumptions([{ from, input: { [gap]: assumption } }], chosen, extensions.gaps)
    } catch (error) {
      if (!(error instanceof AssumptionError)) throw error
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

/** Checks that the rows to which rows of a snapshot refer exist. @throws SnapshotError */
function* checkingReferences(store: MailboxStore): Generator<undefined, void> {
  const { rows } = store.written
  for (const model of modelNames) {
    for (const [index, row] of rows[model].entries()) {
      for (const [field, target] of Object.entries(references[model]) as [keyof typeof row, ModelName][]) {
        for (const id of [row[field] as string | string[] | null].flat()) {
          if (id !== null && !store.get(target, id)) {
            const problem = `there is no ${target} "${id}", neither here nor in the scenario`
            throw refusedSnapshot('inconsistent', ['rows', model, index, field], problem)
          }
        }
      }
      yield
    }
  }
}
