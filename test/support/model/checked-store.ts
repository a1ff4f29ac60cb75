import fc from 'fast-check'
import {
  type Base,
  BaseBuilder,
  MailboxStore,
  type MessageRow,
  type Rows,
  type ThreadRow,
} from '../../../src/model/index.js'
import { mixNumber } from '../../../src/world/random.js'
import { sampleRow } from './sample-rows.js'

export const shuffle = (ordinal: number): number => mixNumber(ordinal, 7)

/** The models of the rows in a checked store. */
export type CheckedModel = 'identity' | 'thread' | 'message'

/** The owners of threads and messages in a checked store. */
export const owners = [
  { organization_id: 'org_a', identity_id: 'ident_a' },
  { organization_id: 'org_a', identity_id: 'ident_b' },
  { organization_id: 'org_b', identity_id: 'ident_c' },
] as const

/** Few names, so that rows share them. */
export const handles = ['help', 'Help', 'sales'] as const
export const mailNames = ['<1@shop.example>', '<2@shop.example>'] as const

const stepKinds = [
  'add-thread',
  'move-thread',
  'move-thread-back',
  'mark-thread',
  'delete-thread',
  'restore-thread',
  'add-message',
  'delete-message',
  'add-identity',
  'delete-identity',
] as const

/** A change of a checked store; each kind uses the numbers in its way. */
export interface Step {
  readonly kind: (typeof stepKinds)[number]
  readonly pick: number
  readonly time: number
}

/** The rows in the base of a checked store. */
export interface Seeds {
  readonly threads: readonly { owner: number; created: number; last: number }[]
  readonly messages: readonly { thread: number; created: number }[]
}

/** Few instants, so that many rows share one. */
const time = fc.integer({ min: 0, max: 5 })
const step = fc.record({ kind: fc.constantFrom(...stepKinds), pick: fc.nat(1000), time })

export const anySteps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 25 })
export const anySeeds: fc.Arbitrary<Seeds> = fc.record({
  threads: fc.array(fc.record({ owner: fc.nat(2), created: time, last: time }), { maxLength: 12 }),
  messages: fc.array(fc.record({ thread: fc.nat(1000), created: time }), { maxLength: 15 }),
})

/** Creates a base of these rows. */
export function baseOf({ threads, messages }: Seeds): Base {
  const builder = new BaseBuilder(shuffle)
  builder.add('organization', sampleRow.organization('org_a', { api_keys: ['key-a', 'key-shared'] }))
  builder.add('organization', sampleRow.organization('org_b', { api_keys: ['key-shared', 'key-b'] }))
  for (const [index, { organization_id, identity_id }] of owners.entries()) {
    const agent_handle = handles[index] as string
    builder.add('identity', sampleRow.identity(identity_id, { organization_id, agent_handle }))
  }
  const added = threads.map(({ owner, created, last }, index) => {
    const times = { created_at: created, last_message_at: last }
    return builder.add('thread', sampleRow.thread(`thrd_${index}`, { ...owners[owner], ...times }))
  })
  for (const [index, { thread, created }] of messages.entries()) {
    const parent = added[thread % Math.max(1, added.length)]
    if (parent) builder.add('message', messageIn(parent, `msg_${index}`, thread, created))
  }
  return builder.build(() => ({ text: null, html: null }))
}

/** A store with the plain maps that it must equal. */
export class CheckedStore {
  readonly store: MailboxStore
  readonly truth: { readonly [M in CheckedModel]: Map<string, Rows[M]> }
  /** The rows ever removed, including restored ones. */
  readonly removed: [CheckedModel, string][] = []
  readonly #base: Base
  readonly #deleted: ThreadRow[] = []
  #made = 0

  constructor(base: Base, store = new MailboxStore(base)) {
    this.#base = base
    this.store = store
    const rowsOf = <M extends CheckedModel>(model: M) =>
      new Map([...base.database.all(model)].map((row) => [row.id, row]))
    this.truth = { identity: rowsOf('identity'), thread: rowsOf('thread'), message: rowsOf('message') }
  }

  /** Applies a step to both. */
  take(step: Step): void {
    const owner = owners[step.pick % owners.length] as (typeof owners)[number]
    const thread = pickFrom(this.truth.thread, step.pick)
    const times = { created_at: step.time, last_message_at: step.time }
    switch (step.kind) {
      case 'add-identity': {
        const agent_handle = handles[(step.pick + step.time) % handles.length] as string
        const { organization_id } = owner
        this.#add('identity', sampleRow.identity(this.#id('ident'), { organization_id, agent_handle }))
        break
      }
      case 'add-thread':
        this.#add('thread', sampleRow.thread(this.#id('thrd'), { ...owner, ...times }))
        break
      case 'delete-identity':
        this.#remove('identity', pickFrom(this.truth.identity, step.pick))
        break
      case 'delete-message':
        this.#remove('message', pickFrom(this.truth.message, step.pick))
        break
      case 'restore-thread': {
        const deleted = this.#deleted.pop()
        if (deleted) this.#put('thread', { ...deleted, last_message_at: step.time })
        break
      }
      default:
        if (thread) this.#change(thread, step)
    }
  }

  #change(thread: ThreadRow, { kind, pick, time }: Step): void {
    switch (kind) {
      case 'add-message':
        this.#add('message', messageIn(thread, this.#id('msg'), pick, time))
        break
      case 'delete-thread':
        this.#deleted.push(thread)
        this.#remove('thread', thread)
        break
      case 'mark-thread':
        this.#put('thread', { ...thread, unread: !thread.unread })
        break
      case 'move-thread':
        this.#put('thread', { ...thread, last_message_at: time })
        break
      default: {
        const before = this.#base.database.get('thread', thread.id) ?? thread
        this.#put('thread', { ...thread, last_message_at: before.last_message_at })
      }
    }
  }

  #id(prefix: string): string {
    return `${prefix}_own${++this.#made}`
  }

  #add<M extends CheckedModel>(model: M, row: Omit<Rows[M], 'ordinal'>): void {
    this.#put(model, { ...row, ordinal: this.store.nextOrdinal(model) } as unknown as Rows[M])
  }

  #put<M extends CheckedModel>(model: M, row: Rows[M]): void {
    this.store.put(model, row)
    this.truth[model].set(row.id, row)
  }

  #remove(model: CheckedModel, row: { id: string } | undefined): void {
    if (!row) return
    this.store.remove(model, row.id)
    this.truth[model].delete(row.id)
    this.removed.push([model, row.id])
  }
}

function messageIn(
  thread: ThreadRow,
  id: string,
  name: number,
  created: number,
): Omit<MessageRow, 'ordinal'> {
  return sampleRow.message(id, {
    organization_id: thread.organization_id,
    identity_id: thread.identity_id,
    thread_id: thread.id,
    message_id: mailNames[name % 3] ?? null,
    created_at: created,
  })
}

function pickFrom<Row>(rows: ReadonlyMap<string, Row>, pick: number): Row | undefined {
  return [...rows.values()][pick % Math.max(1, rows.size)]
}
