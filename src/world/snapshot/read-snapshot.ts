import { noExtensions } from '../../contract/extensions.js'
import { explainIssue, hiddenKeys, z } from '../../contract/schema.js'
import { type Base, MailboxStore, type ModelName, modelNames, type Rows } from '../../model/index.js'
import { ReadingError } from '../errors.js'
import { type ChosenReadings, chooseReadings } from '../readings.js'
import { type ClockMode, formatInstant, parseInstant } from '../time.js'
import type { TimelineEntry } from '../timeline.js'
import type { InitialState, RecordedWorld } from '../world-state.js'
import {
  checksumOf,
  contradiction,
  headSchema,
  type Place,
  refusal,
  type Snapshot,
  snapshotSchema,
  snapshotVersion,
} from './document.js'

/** Reads the world from a snapshot. @throws SnapshotError */
export function readSnapshot(document: unknown, initialState: InitialState): RecordedWorld {
  const snapshot = parseSnapshot(document, initialState)
  const { base } = initialState
  const chosen = readingsOf(snapshot, initialState)
  const clock = {
    mode: snapshot.clock.mode as ClockMode,
    beganAt: parseInstant(snapshot.clock.began_at) as number,
    now: parseInstant(snapshot.clock.now) as number,
  }
  if (clock.now < clock.beganAt) {
    throw contradiction(['clock', 'now'], `it is before began_at, which is ${snapshot.clock.began_at}`)
  }
  checkTimeline(snapshot, initialState.timeline)
  checkRows(snapshot, base)
  const store = new MailboxStore(base, snapshot)
  checkReferences(snapshot, store)
  checkChecksum(snapshot)
  return {
    clock,
    store,
    ids: snapshot.ids,
    faults: snapshot.faults,
    chosen,
    played: snapshot.timeline.played,
    triggered: snapshot.timeline.triggered,
    deliveries: snapshot.deliveries,
  }
}

/** Parses a document, which must have this format, a supported version and the same initial state. */
function parseSnapshot(document: unknown, initialState: InitialState): Snapshot {
  if (typeof document === 'string') {
    throw refusal('malformed', [], 'it is a string; pass the result of JSON.parse')
  }
  const head = fitting(headSchema(), document)
  if (head.version > snapshotVersion) {
    const problem = `it is ${head.version}, but this simulator reads at most version ${snapshotVersion}; restore it with a newer simulator`
    throw refusal('wrong-version', ['version'], problem)
  }
  checkOrigin(head, initialState)
  if (head['secrets'] === 'masked') {
    const problem = 'its secrets are masked; restore a snapshot that was taken with secrets'
    throw refusal('masked', ['secrets'], problem)
  }
  const present = head.version === 1 ? upgraded(head) : document
  checkLongLists(snapshotSchema(), present, [])
  return fitting(snapshotSchema(), present)
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
    throw refusal('wrong-scenario', ['scenario'], problem)
  }
  if (head.seed !== seed) {
    const problem = `it was taken with the seed ${head.seed}, but this world has the seed ${seed}; restore it in a world with that seed`
    throw refusal('wrong-scenario', ['seed'], problem)
  }
  const start = formatInstant(initialState.start)
  if (head.start !== undefined && head.start !== start) {
    const problem = `its story begins at ${head.start}, but the one of this world at ${start}; restore it with --start, or the option start, set to ${head.start}`
    throw refusal('wrong-scenario', ['start'], problem)
  }
  if (head.fingerprint !== initialState.fingerprint()) {
    const problem = `"${scenario}" has changed since the snapshot was taken; restore it with the scenario as it was then, or take another one`
    throw refusal('wrong-scenario', ['fingerprint'], problem)
  }
}

/** Upgrades a document of version 1, which had no checksum and always included its secrets. */
function upgraded(document: object): object {
  const content = { ...document, version: snapshotVersion, secrets: 'included' }
  return { ...content, checksum: checksumOf(content) }
}

function checkChecksum({ checksum, ...content }: Snapshot): void {
  const expected = checksumOf(content)
  if (checksum === expected) return
  const problem = `expected ${expected} for the contents of the document; found ${checksum}. It was changed or is incomplete; restore it as it was taken`
  throw contradiction(['checksum'], problem)
}

/** The entries of lists longer than this are checked one by one. */
const longList = 1_000

/** Throws at the first invalid entry of a long list: the issues of millions would exhaust the memory. */
function checkLongLists(schema: z.core.$ZodType, value: unknown, place: Place): void {
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      checkLongLists(schema.element, entry, [...place, index])
      if (value.length > longList) fitting(schema.element, entry, [...place, index])
    }
  } else if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(schema.shape)) {
      checkLongLists(part, (value as Record<string, unknown>)[key], [...place, key])
    }
  }
}

function fitting<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  place: Place = [],
): z.output<Schema> {
  const parsed = z.safeParse(schema, value)
  // Rows are left out: there may be many, and none of their fields is a map with arbitrary keys.
  const [hidden] = hiddenKeys({ ...Object(value), rows: null })
  if (hidden) throw refusal('malformed', [...place, ...hidden], 'unknown key')
  if (parsed.success) return parsed.data
  const [issue, ...others] = parsed.error.issues
  const further = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw refusal(
    'malformed',
    [...place, ...(issue?.path ?? [])],
    `${issue && explainIssue(issue, schema)}${further}`,
  )
}

/** Returns the readings of a snapshot; all others have their defaults. */
export function readingsOf(
  { readings }: Pick<Snapshot, 'readings'>,
  { extensions = noExtensions }: Pick<InitialState, 'extensions'>,
): ChosenReadings {
  let chosen = chooseReadings([], undefined, extensions.gaps)
  for (const [gap, { reading, from }] of Object.entries(readings)) {
    try {
      chosen = chooseReadings([{ from, input: { [gap]: reading } }], chosen, extensions.gaps)
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error
      throw refusal('malformed', ['readings', gap], error.message)
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
}

/** Checks that each row occurs once, is not deleted as well, and has a valid ordinal and body. @throws SnapshotError */
function checkRows({ rows, deleted, ordinals }: Snapshot, { database }: Base): void {
  const taken = new Set<string>()
  const take = (id: string, place: Place): void => {
    if (taken.has(id)) throw contradiction(place, `"${id}" already exists`)
    taken.add(id)
  }
  for (const [index, { model, id }] of deleted.entries()) {
    take(id, ['deleted', index])
    if (model === 'organization') throw contradiction(['deleted', index], 'no organization is ever deleted')
    if (!database.get(model, id)) {
      throw contradiction(['deleted', index], `the scenario has no ${model} "${id}" that could be deleted`)
    }
  }
  for (const model of modelNames) {
    const first = database.count(model)
    const { [model]: next = first } = ordinals
    for (const [index, { id, ordinal }] of rows[model].entries()) {
      const place = ['rows', model, index]
      take(id, [...place, 'id'])
      const before = database.get(model, id)
      if (before ? before.ordinal !== ordinal : ordinal < first || ordinal >= next) {
        const right = before
          ? `${before.ordinal}, as the scenario has it`
          : `one from ${first} to below ${next}`
        throw contradiction([...place, 'ordinal'], `expected ${right}; found ${ordinal}`)
      }
    }
  }
  for (const [index, { id, body_key: found }] of rows.message.entries()) {
    const expected = database.get('message', id)?.body_key ?? null
    if (found === expected) continue
    const problem = `expected ${JSON.stringify(expected)}, as the scenario has it; found ${JSON.stringify(found)}`
    throw contradiction(['rows', 'message', index, 'body_key'], problem)
  }
}

/** Checks that the rows to which rows of a snapshot refer exist. @throws SnapshotError */
function checkReferences({ rows }: Snapshot, store: MailboxStore): void {
  for (const model of modelNames) {
    for (const [index, row] of rows[model].entries()) {
      for (const [field, target] of Object.entries(references[model]) as [keyof typeof row, ModelName][]) {
        for (const id of [row[field] as string | string[] | null].flat()) {
          if (id !== null && !store.get(target, id)) {
            const problem = `there is no ${target} "${id}", neither here nor in the scenario`
            throw contradiction(['rows', model, index, field], problem)
          }
        }
      }
    }
  }
}

/** Checks that the played entries are the first ones of the timeline. @throws SnapshotError */
function checkTimeline({ timeline: { played } }: Snapshot, entries: readonly TimelineEntry[]): void {
  for (const [index, { name }] of played.entries()) {
    if (name === entries[index]?.name) continue
    const expected = entries[index] ? `"${entries[index].name}", as the scenario has it` : 'nothing more'
    throw contradiction(['timeline', 'played', index, 'name'], `expected ${expected}; found "${name}"`)
  }
}
