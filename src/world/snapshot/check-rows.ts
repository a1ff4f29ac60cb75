import type { Base, ModelName, Rows } from '../../model/index.js'
import { modelNames } from '../../model/index.js'
import { handedOut } from '../ids.js'
import type { Snapshot } from './document.js'
import { contradiction, type Place } from './refusal.js'

/** What of a row of the scenario no command changes. */
const fixedFields: { readonly [M in ModelName]: readonly (keyof Rows[M])[] } = {
  organization: ['api_keys', 'ordinal'],
  identity: ['organization_id', 'agent_handle', 'mailbox_address', 'created_at', 'ordinal'],
  thread: ['organization_id', 'identity_id', 'created_at', 'ordinal'],
  message: ['organization_id', 'identity_id', 'thread_id', 'message_id', 'body_key', 'created_at', 'ordinal'],
  attachment: ['message_id', 'filename', 'content_type', 'size_bytes', 'content_id', 'content', 'ordinal'],
  webhook: ['organization_id', 'agent_handle', 'created_at', 'ordinal'],
}

/** Checks that the rows of a snapshot can be laid over its base. @throws SnapshotError */
export function checkRows(snapshot: Snapshot, base: Base): void {
  const deleted = checkDeleted(snapshot, base)
  for (const model of modelNames) {
    checkOrdinals(snapshot, base, model)
    checkIds(snapshot, base, model)
    for (const [index, row] of snapshot.rows[model].entries()) {
      const place = ['rows', model, index]
      if (deleted.has(row.id))
        throw contradiction([...place, 'id'], `"${row.id}" is among the deleted ones too`)
      checkOverBase(base, model, row, place)
    }
  }
}

/** The ids that are deleted: of rows the base has. */
function checkDeleted({ deleted }: Snapshot, { database }: Base): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [index, { model, id }] of deleted.entries()) {
    const place = ['deleted', index]
    if (!database.get(model, id)) {
      throw contradiction(place, `the scenario has no ${model} "${id}" that could be deleted`)
    }
    if (ids.has(id)) throw contradiction(place, `"${id}" has been deleted already`)
    if (model === 'organization') throw contradiction(place, 'no organization is ever deleted')
    ids.add(id)
  }
  return ids
}

/** Each row has an id, and an ordinal, of its own; the next ordinal is higher than any. */
function checkOrdinals({ rows, ordinals }: Snapshot, { database }: Base, model: ModelName): void {
  refuseTwice(rows[model], 'id', model)
  const first = database.count(model)
  const { [model]: next = first } = ordinals
  const least = first + rows[model].length
  if (next < least) {
    const problem = `expected ${least} or more: the scenario has ${first}, and ${rows[model].length} are here; found ${next}`
    throw contradiction(['ordinals', model], problem)
  }
  for (const [index, { id, ordinal }] of rows[model].entries()) {
    const problem = database.get(model, id) ? undefined : whyNotBetween(ordinal, first, next)
    if (problem) throw contradiction(['rows', model, index, 'ordinal'], `${ordinal} ${problem}`)
  }
  refuseTwice(rows[model], 'ordinal', model)
}

function refuseTwice<Field extends 'id' | 'ordinal'>(
  rows: readonly Readonly<Record<Field, string | number>>[],
  field: Field,
  model: ModelName,
): void {
  const taken = new Set<string | number>()
  for (const [index, { [field]: value }] of rows.entries()) {
    if (!taken.has(value)) taken.add(value)
    else
      throw contradiction(['rows', model, index, field], `${JSON.stringify(value)} is taken by another row`)
  }
}

/** What is wrong with the ordinal of a new row. */
function whyNotBetween(ordinal: number, first: number, next: number): string | undefined {
  if (ordinal < first) return `is taken by a row of the scenario; the first free one is ${first}`
  return ordinal < next ? undefined : `is not below the next one, which is ${next} by ordinals`
}

/** The ids the world hands out next are not taken. */
function checkIds({ rows, ordinals, ids, seed }: Snapshot, { database }: Base, model: ModelName): void {
  const { [model]: handed = 0 } = ids
  const first = database.count(model)
  const written = (ordinals[model] ?? first) - first
  if (handed > written) {
    const problem = `found ${handed}, but by ordinals no more than ${written} rows were ever written`
    throw contradiction(['ids', model], problem)
  }
  // An id may have more behind it, as those of attachments have.
  const length = handedOut(model, seed, 1).length
  const taken = new Map(rows[model].map(({ id }, index) => [id.slice(0, length), index]))
  // As many as may have been handed out for these rows and some that are gone.
  const last = Math.min(written, handed + rows[model].length + 1000)
  for (let n = handed + 1; n <= last; n++) {
    const index = taken.get(handedOut(model, seed, n))
    if (index === undefined) continue
    const problem = `found ${handed}, but rows.${model}[${index}] has number ${n} of the ids that are handed out`
    throw contradiction(['ids', model], problem)
  }
}

/** A row that stands for one of the scenario keeps what nobody changes; a new one has words of its own. */
function checkOverBase<M extends ModelName>(base: Base, model: M, row: Rows[M], place: Place): void {
  const before = base.database.get(model, row.id)
  if (!before) {
    if ('body_key' in row && row.body_key !== null) {
      throw contradiction([...place, 'body_key'], 'expected null: only a message of the scenario has one')
    }
    return
  }
  for (const field of fixedFields[model]) {
    const [found, expected] = [JSON.stringify(row[field]), JSON.stringify(before[field])]
    if (found === expected) continue
    const problem = `expected ${shortened(expected)}, as the scenario has it for good; found ${shortened(found)}`
    throw contradiction([...place, field], problem)
  }
}

function shortened(json: string): string {
  return json.length > 80 ? `${json.slice(0, 80)}…` : json
}
