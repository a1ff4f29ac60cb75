import { describe, expect, it } from 'vitest'
import { askHandlers } from '../../test/support/ask-handlers.js'
import { smallBeginning } from '../../test/support/world/small-world.js'
import { defaultReadings } from '../contract/gaps.js'
import { Worlds } from '../world/index.js'
import { createHandlers, parseBaseUrl } from './index.js'

/** Creates a mailbox that takes any key and 60 requests of it in a minute. */
function limitedMailbox() {
  const readings = { ...defaultReadings, 'auth.keys': 'any-key', 'limits.rate': '60-per-minute' } as const
  const worlds = new Worlds(smallBeginning({ readings }), 'frozen')
  const onDefect = (error: unknown) => {
    throw error
  }
  const handlers = createHandlers({ worlds, baseUrl: parseBaseUrl('http://mailbox.test'), onDefect })
  const statusFor = async (apiKey: string) =>
    (await askHandlers({ handlers, apiKey }, 'GET', '/webhooks')).status
  return { world: worlds.first, statusFor }
}

describe('the requests that count against a rate limit', () => {
  it('are forgotten when the world is reset', async () => {
    const { world, statusFor } = limitedMailbox()
    for (let count = 0; count < 60; count++) expect(await statusFor('key')).toBe(200)
    expect(await statusFor('key')).toBe(429)
    world.reset()
    expect(await statusFor('key')).toBe(200)
  })

  it('are forgotten a minute after the last request of their key', async () => {
    const { world, statusFor } = limitedMailbox()
    for (const key of ['a', 'b', 'a', 'c']) {
      await statusFor(key)
      await world.clock.advance(25_000)
    }
    await statusFor('d')
    expect([...world.recentRequests.keys()]).toEqual(['a', 'c', 'd'])
    await world.clock.advance(60_000)
    await statusFor('d')
    expect([...world.recentRequests.keys()]).toEqual(['d'])
  })
})
