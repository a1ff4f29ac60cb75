import { describe, expect, it } from 'vitest'
import { smallBeginning } from '../../../test/support/world/small-world.js'
import { Worlds } from './worlds.js'

function worldsWith(more = {}) {
  const worlds = new Worlds(smallBeginning(more), 'frozen')
  return Object.assign(worlds, { fork: () => worlds.add(worlds.first.initialState, 'frozen') })
}

describe('the keys of worlds', () => {
  it('are unique and reproducible for a seed', () => {
    const keysOf = (seed: number) => {
      const worlds = worldsWith({ seed })
      return Array.from({ length: 20 }, () => worlds.fork().apiKey)
    }
    const keys = keysOf(7)
    expect(keysOf(7)).toEqual(keys)
    expect(new Set([...keys, ...keysOf(8)]).size).toBe(40)
    for (const key of keys) expect(key).toMatch(/^sim_[0-9a-z]{16}$/)
  })

  it('select their world and its first organization', () => {
    const worlds = worldsWith()
    const [one, other] = [worlds.fork(), worlds.fork()]
    expect(worlds.find(one.apiKey).world).toBe(one.world)
    expect(worlds.find(other.apiKey).world).toBe(other.world)
    expect(worlds.find(other.apiKey).organization?.id).toBe('org_a')
  })

  it('select the first world if the scenario lists them or they are unknown', () => {
    const worlds = worldsWith()
    worlds.fork()
    expect(worlds.find('key-b')).toMatchObject({ world: worlds.first, organization: { id: 'org_b' } })
    const unknown = { world: worlds.first, organization: undefined, gone: false }
    for (const key of ['anything', undefined, '', 'sim_short', 'xsim_0123456789abcdefx']) {
      expect(worlds.find(key)).toEqual(unknown)
    }
    expect(worlds.find('sim_0123456789abcdef')).toEqual({ ...unknown, gone: true })
  })
})

describe('a dropped world', () => {
  it('never leaves its id and key to another world', () => {
    const worlds = worldsWith()
    const dropped = worlds.fork()
    worlds.drop(dropped.world.id)
    const next = worlds.fork()
    expect(next.world.id).not.toBe(dropped.world.id)
    expect(next.apiKey).not.toBe(dropped.apiKey)
  })
})
