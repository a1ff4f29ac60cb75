import { describe, expect, it } from 'vitest'
import { annsMail, smallBeginning, smallWorld } from '../../../test/support/world/small-world.js'
import type { Command } from './commands/commands.js'
import { digestOf } from './digest.js'
import type { World } from './world.js'

describe('the digest of a world', () => {
  it('is equal for worlds with the same start and the same changes', () => {
    const [one, other] = [smallWorld(), smallWorld()]
    expect(digestOf(one)).toMatch(/^[0-9a-f]{32}$/)
    expect(digestOf(other)).toBe(digestOf(one))
    for (const world of [one, other]) world.apply(annsMail({ text: 'Hello' }))
    expect(digestOf(other)).toBe(digestOf(one))
    expect(digestOf(one)).not.toBe(digestOf(smallWorld()))
  })

  const changes: ((world: World) => unknown)[] = [
    (world) => world.apply(annsMail()),
    (world) => world.apply(annsMail({ text: 'x' })),
    (world) => world.apply(markRead),
    (world) => world.apply(rename),
    (world) => world.apply({ type: 'delete-webhook', webhook_id: 'whk_all' }),
    (world) => world.setAssumptions({ 'threads.total': 'page-size' }),
    (world) => world.clock.advance(1),
    (world) => world.restart(smallBeginning({ seed: 8 })),
    (world) => world.restart(smallBeginning({ timeline: [later] })),
  ]
  const markRead: Command = { type: 'set-thread-unread', thread_id: 'thrd_refund', unread: false }
  const rename: Command = { type: 'update-identity', identity_id: 'ident_sales', display_name: 'Sales' }
  const later = { name: 'later', after: 1, commands: [] }

  it('differs after every kind of change', async () => {
    const digests = [digestOf(smallWorld())]
    for (const change of changes) {
      const world = smallWorld()
      await change(world)
      digests.push(digestOf(world))
    }
    expect(new Set(digests).size).toBe(changes.length + 1)
  })

  it('does not depend on whether a row was written again', () => {
    const world = smallWorld()
    for (const message of [...world.store.all('message')]) world.store.put('message', { ...message })
    expect(digestOf(world)).toBe(digestOf(smallWorld()))
  })
})
