import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleRow } from '../../../test/support/model/sample-rows.js'
import { mixNumber } from '../time/random.js'
import { type Base, BaseBuilder } from './base.js'
import type { Order } from './indexing.js'
import { MailboxStore } from './mailbox-store.js'
import type { IdentityRow, MessageRow, Rows, ThreadRow } from './rows.js'

const shuffle = (ordinal: number): number => mixNumber(ordinal, 7)

/** The models of the rows in a checked store. */
type CheckedModel = 'identity' | 'thread' | 'message'

/** The owners of threads and messages in a checked store. */
const owners = [
  { organization_id: 'org_a', identity_id: 'ident_a' },
  { organization_id: 'org_a', identity_id: 'ident_b' },
  { organization_id: 'org_b', identity_id: 'ident_c' },
] as const

/** Few names, so that rows share them. */
const handles = ['help', 'Help', 'sales'] as const
const mailNames = ['<1@shop.example>', '<2@shop.example>'] as const

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

/** A change of a checked store; each kind uses the numbers in its own way. */
interface Step {
  readonly kind: (typeof stepKinds)[number]
  readonly pick: number
  readonly time: number
}

/** The rows in the base of a checked store. */
interface Seeds {
  readonly threads: readonly { owner: number; created: number; last: number }[]
  readonly messages: readonly { thread: number; created: number }[]
}

/** Few instants, so that many rows share one. */
const time = fc.integer({ min: 0, max: 5 })
const step = fc.record({ kind: fc.constantFrom(...stepKinds), pick: fc.nat(1000), time })

const anySteps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 25 })
const anySeeds: fc.Arbitrary<Seeds> = fc.record({
  threads: fc.array(fc.record({ owner: fc.nat(2), created: time, last: time }), { maxLength: 12 }),
  messages: fc.array(fc.record({ thread: fc.nat(1000), created: time }), { maxLength: 15 }),
})

/** Creates a base of these rows. */
function baseOf({ threads, messages }: Seeds): Base {
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
class CheckedStore {
  store: MailboxStore
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

  /** Continues with a store of the same rows. */
  goOn(): void {
    this.store = MailboxStore.of(this.#base, this.store.written)
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

type Keys<Row> = Partial<Record<Order, (row: Row) => number>>

const created = (row: { created_at: number }) => row.created_at
const shuffled = (row: { ordinal: number }) => shuffle(row.ordinal)
const keys = { created, shuffle: shuffled }
const threadKeys = { ...keys, 'last-message': (row: ThreadRow) => row.last_message_at }

/** Returns every page of a list and what a scan of the rows gives. */
function pagesOf<Row extends { id: string; ordinal: number }>(
  list: { readonly count: number; page(request: never): string[] },
  rows: Row[],
  keys: Keys<Row>,
) {
  const found: unknown[] = [list.count]
  const wanted: unknown[] = [rows.length]
  for (const [order, key] of Object.entries(keys) as [Order, (row: Row) => number][]) {
    const ascending = rows.toSorted((a, b) => key(a) - key(b) || a.ordinal - b.ordinal).map(({ id }) => id)
    for (const descending of [false, true]) {
      const ids = descending ? ascending.toReversed() : ascending
      for (let offset = 0; offset <= rows.length + 1; offset++) {
        for (const limit of [1, 4, Number.MAX_SAFE_INTEGER]) {
          found.push(list.page({ order, descending, offset, limit } as never))
          wanted.push(ids.slice(offset, offset + limit))
        }
      }
    }
  }
  return { found: JSON.stringify(found), wanted: JSON.stringify(wanted) }
}

const scopes: string[][] = [
  ...['org_a', 'org_b', 'ident_a', 'ident_b', 'ident_c', 'org_nobody'].map((scope) => [scope]),
  ['ident_a', 'ident_b'],
  ['ident_c', 'ident_a'],
  [],
]

function everyPage({ store, truth }: CheckedStore) {
  const threads = [...truth.thread.values()]
  const messages = [...truth.message.values()]
  const identities = [...truth.identity.values()]
  return [
    ...scopes.map((scope) => {
      const rows = threads.filter(
        (row) => scope.includes(row.organization_id) || scope.includes(row.identity_id),
      )
      return pagesOf(store.threads(...scope), rows, threadKeys)
    }),
    ...[...scopes, ...threads.map(({ id }) => [id])].map((scope) => {
      const rows = messages.filter((row) =>
        [row.organization_id, row.identity_id, row.thread_id].some((id) => scope.includes(id)),
      )
      return pagesOf(store.messages(...scope), rows, keys)
    }),
    ...['org_a', 'org_b'].map((scope) => {
      const rows = identities.filter((row) => row.organization_id === scope)
      return pagesOf(store.identities(scope), rows, keys)
    }),
  ]
}

function sortedById(rows: Iterable<{ id: string }>): string {
  return JSON.stringify([...rows].sort((a, b) => (a.id < b.id ? -1 : 1)))
}

function expectLikeScan(checked: CheckedStore): void {
  const { store, truth } = checked
  for (const model of ['identity', 'thread', 'message'] as const) {
    const rows = [...truth[model].values()]
    expect(sortedById(store.all(model))).toBe(sortedById(rows))
    expect(JSON.stringify(store.rows(model, [...truth[model].keys()]))).toBe(JSON.stringify(rows))
  }
  for (const [model, id] of checked.removed) {
    if (!truth[model].has(id)) expect(store.get(model, id)).toBeUndefined()
  }
  for (const { found, wanted } of everyPage(checked)) expect(found).toBe(wanted)
}

/** Checks that the oldest row with a name is found by it. */
function expectNamesLikeScan({ store, truth }: CheckedStore): void {
  const identities = [...truth.identity.values()].sort((a, b) => a.ordinal - b.ordinal)
  const first = (passes: (row: IdentityRow) => boolean) => identities.find(passes)?.id
  for (const handle of [...handles, 'nobody']) {
    const same = (row: IdentityRow) => row.agent_handle === handle
    const alike = (row: IdentityRow) => row.agent_handle.toLowerCase() === handle.toLowerCase()
    const [loud, address] = [handle.toUpperCase(), `${handle}@agents.example`]
    expect(store.identityBy('handleAnywhere', handle)?.id).toBe(first(same))
    for (const organization of ['org_a', 'org_b']) {
      const here = (row: IdentityRow) => row.organization_id === organization
      const exact = first((row) => here(row) && same(row))
      const folded = first((row) => here(row) && alike(row))
      expect(store.identityBy('handle', organization, handle)?.id).toBe(exact)
      expect(store.identityBy('foldedHandle', organization, loud)?.id).toBe(folded)
      expect(store.identityBy('mailbox', organization, address)?.id).toBe(exact)
      expect(store.identityBy('foldedMailbox', organization, `${loud}@Agents.Example`)?.id).toBe(folded)
    }
  }
  const messages = [...truth.message.values()].sort((a, b) => a.ordinal - b.ordinal)
  for (const { identity_id } of owners) {
    for (const name of mailNames) {
      const wanted = messages.find((row) => row.identity_id === identity_id && row.message_id === name)
      expect(store.messageByMessageId(identity_id, name)?.id).toBe(wanted?.id)
    }
  }
}

describe('MailboxStore', () => {
  it('reads like a scan after any changes, also where it goes on from the rows of another store', () => {
    fc.assert(
      fc.property(anySeeds, anySteps, anySteps, fc.nat(2), (seeds, steps, further, way) => {
        const checked = new CheckedStore(baseOf(seeds))
        for (const step of steps) checked.take(step)
        if (way > 0) checked.goOn()
        if (way > 1) expectLikeScan(checked)
        for (const step of further) checked.take(step)
        expectLikeScan(checked)
        expectNamesLikeScan(checked)
      }),
      { numRuns: 80 },
    )
  })

  it('finds rows by name like a scan after each change', () => {
    fc.assert(
      fc.property(anySeeds, anySteps, (seeds, steps) => {
        const checked = new CheckedStore(baseOf(seeds))
        for (const step of steps) {
          checked.take(step)
          expectNamesLikeScan(checked)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('lists rows without some of them', () => {
    fc.assert(
      fc.property(anySeeds, anySteps, fc.nat(), (seeds, steps, from) => {
        const checked = new CheckedStore(baseOf(seeds))
        for (const step of steps) checked.take(step)
        const list = checked.store.threads('ident_a')
        const all = checked.store.rows('thread', list.page({ order: 'created' }))
        const first = all[from % Math.max(1, all.length)]?.created_at ?? 0
        const young = list.createdIn(first, Number.MAX_SAFE_INTEGER)
        expect(young).toEqual(all.filter(({ created_at }) => created_at > first))
        const left = all.filter((row) => !young.includes(row))
        const { found, wanted } = pagesOf(list.without(young), left, threadKeys)
        expect(found).toBe(wanted)
      }),
      { numRuns: 20 },
    )
  })

  it('does not affect another store over the same base', () => {
    fc.assert(
      fc.property(anySeeds, anySteps, anySteps, (seeds, steps, others) => {
        const base = baseOf(seeds)
        const [one, other] = [new CheckedStore(base), new CheckedStore(base)]
        for (const step of steps) one.take(step)
        for (const step of others) other.take(step)
        expectLikeScan(one)
        expectLikeScan(other)
        expect(new MailboxStore(base).written).toMatchObject({ deleted: [], ordinals: {} })
        expectLikeScan(new CheckedStore(base))
      }),
      { numRuns: 20 },
    )
  })
})
