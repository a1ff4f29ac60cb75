import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anySeeds,
  anySteps,
  baseOf,
  CheckedStore,
  handles,
  mailNames,
  owners,
  shuffle,
} from '../../test/support/model/checked-store.js'
import { type IdentityRow, MailboxStore, type Order, type RowList, type ThreadRow } from './index.js'

type Keys<Row> = Partial<Record<Order, (row: Row) => number>>

const created = (row: { created_at: number }) => row.created_at
const shuffled = (row: { ordinal: number }) => shuffle(row.ordinal)
const keys = { created, shuffle: shuffled }
const threadKeys = { ...keys, 'last-message': (row: ThreadRow) => row.last_message_at }

/** Returns every page of a list and what a scan of the rows gives. */
function pagesOf<Row extends { id: string; ordinal: number }>(
  list: RowList | RowList<Order>,
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
          found.push((list as RowList<Order>).page({ order, descending, offset, limit }))
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
  it('reads the base like a scan', () => {
    fc.assert(
      fc.property(anySeeds, (seeds) => {
        const checked = new CheckedStore(baseOf(seeds))
        expectLikeScan(checked)
        expectNamesLikeScan(checked)
      }),
    )
  })

  it('reads like a scan after any changes', () => {
    fc.assert(
      fc.property(anySeeds, anySteps, (seeds, steps) => {
        const checked = new CheckedStore(baseOf(seeds))
        for (const step of steps) checked.take(step)
        expectLikeScan(checked)
      }),
      { numRuns: 100 },
    )
  })

  it('finds rows by name like a scan after any changes', () => {
    fc.assert(
      fc.property(anySeeds, anySteps, (seeds, steps) => {
        const checked = new CheckedStore(baseOf(seeds))
        for (const step of steps) {
          checked.take(step)
          expectNamesLikeScan(checked)
        }
      }),
      { numRuns: 100 },
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
    )
  })
})
