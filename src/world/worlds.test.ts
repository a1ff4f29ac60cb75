import { describe, expect, it, vi } from 'vitest'
import { annsMail, everyRow, smallBeginning, start } from '../../test/support/world/small-world.js'
import { Worlds } from './worlds.js'

const file = { filename: 'a.txt', content: 'aGVsbG8=' }
const mail = annsMail({ subject: 'Hello', attachments: [file] })

function worldsWith(more = {}, clock: 'frozen' | '10x' = 'frozen') {
  return new Worlds(smallBeginning(more), clock)
}

describe('a forked world', () => {
  it('begins as the scenario does, whatever the first world has become', async () => {
    const worlds = worldsWith()
    const before = everyRow(worlds.first)
    worlds.first.apply(mail)
    worlds.first.setReadings({ 'threads.total': 'page-size' })
    await worlds.first.clock.advance(1000)
    const { world } = worlds.fork()
    expect(everyRow(world)).toBe(before)
    expect(world.readings['threads.total']).toBe('all-matches')
    expect(world.clock.now()).toBe(start)
    expect(world.journal.commands()).toEqual([])
  })

  it('shares nothing that changes with any other', async () => {
    const worlds = worldsWith()
    const [one, other] = [worlds.fork().world, worlds.fork().world]
    const before = everyRow(worlds.first)
    one.apply(mail)
    one.apply({ type: 'delete-identity', identity_id: 'ident_sales' })
    one.setReadings({ 'threads.total': 'page-size' })
    one.rate.count('key', one.clock.now())
    await one.clock.advance(60_000)
    for (const world of [worlds.first, other]) {
      expect(everyRow(world)).toBe(before)
      expect(world.readings['threads.total']).toBe('all-matches')
      expect(world.clock.now()).toBe(start)
      expect(world.journal.commands()).toEqual([])
      expect(world.rate.count('key', start).count).toBe(1)
    }
  })

  it('gives the same answers to the same commands', () => {
    const worlds = worldsWith()
    const [one, other] = [worlds.fork().world, worlds.fork().world]
    expect(JSON.stringify(one.apply(mail))).toBe(JSON.stringify(other.apply(mail)))
    expect(everyRow(one)).toBe(everyRow(other))
  })

  it('has the clock of the first, or the one it is told to', () => {
    const worlds = worldsWith({}, '10x')
    expect(worlds.fork().world.clock.mode).toBe('10x')
    expect(worlds.fork('frozen').world.clock.mode).toBe('frozen')
    worlds.stop()
  })
})

describe('the keys of worlds', () => {
  it('are given out in the same order for the same seed, each once', () => {
    const keysOf = (seed: number) => {
      const worlds = worldsWith({ seed })
      return Array.from({ length: 20 }, () => worlds.fork().apiKey)
    }
    const keys = keysOf(7)
    expect(keysOf(7)).toEqual(keys)
    expect(new Set([...keys, ...keysOf(8)]).size).toBe(40)
    for (const key of keys) expect(key).toMatch(/^sim_[0-9a-z]{16}$/)
  })

  it('lead to their world and its first organization', () => {
    const worlds = worldsWith()
    const [one, other] = [worlds.fork(), worlds.fork()]
    expect(worlds.find(one.apiKey).world).toBe(one.world)
    expect(worlds.find(other.apiKey).world).toBe(other.world)
    expect(worlds.find(other.apiKey).organization?.id).toBe('org_a')
  })

  it('lead to the first world when the scenario lists them, or nobody does', () => {
    const worlds = worldsWith()
    worlds.fork()
    expect(worlds.find('key-b')).toMatchObject({ world: worlds.first, organization: { id: 'org_b' } })
    const nobodys = { world: worlds.first, organization: undefined, gone: false }
    for (const key of ['anything', undefined, '', 'sim_short', 'xsim_0123456789abcdefx']) {
      expect(worlds.find(key)).toEqual(nobodys)
    }
  })
})

describe('a world that is dropped', () => {
  it('is gone, its key and its clock with it', async () => {
    vi.useFakeTimers()
    try {
      const worlds = worldsWith({}, '10x')
      const { world, apiKey } = worlds.fork()
      let done = 0
      world.clock.schedule(world.clock.now() + 10, () => void done++)
      expect(worlds.drop(world.id)).toBe(true)
      expect([...worlds.all()]).toEqual([worlds.first])
      expect(worlds.find(apiKey)).toEqual({ world: worlds.first, organization: undefined, gone: true })
      await vi.advanceTimersByTimeAsync(1000)
      expect(done).toBe(0)
      expect(worlds.drop(world.id)).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves its id and key to no other', () => {
    const worlds = worldsWith()
    const dropped = worlds.fork()
    worlds.drop(dropped.world.id)
    const next = worlds.fork()
    expect(next.world.id).not.toBe(dropped.world.id)
    expect(next.apiKey).not.toBe(dropped.apiKey)
  })

  it('is never the first', () => {
    const worlds = worldsWith()
    expect(worlds.drop(worlds.first.id)).toBe(false)
    expect(worlds.drop('world_99')).toBe(false)
    expect([...worlds.all()]).toEqual([worlds.first])
  })
})

describe('findAttachment', () => {
  it('finds a file of the base, of the first world and of a fork', () => {
    const worlds = worldsWith()
    const { world } = worlds.fork()
    const [here] = worlds.first.apply(mail).message.attachment_ids
    const other = { ...file, content: 'Ynll' }
    const [there] = world.apply({ ...mail, attachments: [other] }).message.attachment_ids
    expect(worlds.findAttachment('att_receipt')?.filename).toBe('receipt.txt')
    expect(worlds.findAttachment(here as string)?.content).toBe('aGVsbG8=')
    expect(worlds.findAttachment(there as string)?.content).toBe('Ynll')
    expect(worlds.findAttachment('att_nobody')).toBeUndefined()
  })

  it('gives two worlds that got different files different ids, and the same file the same', () => {
    const worlds = worldsWith()
    const idIn = (attachments: (typeof file)[]) => {
      const { world } = worlds.fork()
      return world.apply({ ...mail, attachments }).message.attachment_ids[0]
    }
    const same = idIn([file])
    expect(idIn([file])).toBe(same)
    expect(idIn([{ ...file, content: 'Ynll' }])).not.toBe(same)
    expect(idIn([{ ...file, filename: 'b.txt' }])).not.toBe(same)
  })
})

describe('worlds that are stopped', () => {
  it('are closed, every one, and there are no more of them', () => {
    const worlds = worldsWith()
    const { world, apiKey } = worlds.fork()
    worlds.stop()
    worlds.stop()
    expect([worlds.first.closed, world.closed]).toEqual([true, true])
    expect([...worlds.all()]).toEqual([worlds.first])
    for (const key of [apiKey, 'key-a', 'anything', undefined]) expect(worlds.find(key).gone).toBe(true)
    expect(() => worlds.fork()).toThrow(
      'The simulator was closed and makes no more worlds; create another simulator.',
    )
  })

  it('have no clock that goes on', async () => {
    vi.useFakeTimers()
    try {
      const worlds = worldsWith({}, '10x')
      let done = 0
      for (const world of [worlds.first, worlds.fork().world]) {
        world.clock.schedule(world.clock.now() + 10, () => void done++)
      }
      worlds.stop()
      await vi.advanceTimersByTimeAsync(1000)
      expect(done).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
