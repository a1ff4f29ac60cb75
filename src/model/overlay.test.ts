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
} from '../../test/support/model/checked-store.js'
import { MailboxStore, type ModelName, modelNames, type Order, type WrittenRows } from './index.js'

/** Everything a store shows, in its order. */
function shown(store: MailboxStore): unknown {
  const scopes = [
    ...new Set(owners.flatMap(({ organization_id, identity_id }) => [organization_id, identity_id])),
  ]
  const lists = scopes.flatMap((scope) => {
    const page = <O extends Order>(order: O) => ({ order, offset: 0, limit: 1000 })
    const threads = (['created', 'last-message', 'shuffle'] as const).map((order) =>
      store.rows('thread', store.threads(scope).page(page(order))),
    )
    return [...threads, store.rows('message', store.messages(scope).page(page('created')))]
  })
  const agents = handles.map((handle) => [
    store.identityAnywhere(handle),
    store.identityByFoldedHandle('org_a', handle),
  ])
  const named = mailNames.map((name) =>
    owners.map(({ identity_id }) => store.messageByMessageId(identity_id, name)),
  )
  return [lists, agents, named, modelNames.map((model: ModelName) => store.nextOrdinal(model))]
}

describe('a store made from what another wrote', () => {
  it('shows the same, as a copy in JSON', () => {
    fc.assert(
      fc.property(anySeeds, anySteps, (seeds, steps) => {
        const base = baseOf(seeds)
        const checked = new CheckedStore(base)
        // No command writes a row again that was deleted.
        for (const step of steps) if (step.kind !== 'restore-thread') checked.take(step)
        const { written } = checked.store
        const copied = new MailboxStore(base, JSON.parse(JSON.stringify(written)) as WrittenRows)
        expect(shown(copied)).toEqual(shown(checked.store))
        expect(copied.written).toEqual(written)
      }),
      { numRuns: 200 },
    )
  })

  it('is as its base where nothing was written', () => {
    const store = new MailboxStore(baseOf({ threads: [], messages: [] }))
    expect(store.written.deleted).toEqual([])
    expect(store.written.ordinals).toEqual({})
    expect(Object.values(store.written.rows).flat()).toEqual([])
  })
})
