import { describe, expect, it } from 'vitest'
import { askHandlers } from '../../../test/support/ask-handlers.js'
import { smallBeginning } from '../../../test/support/world/small-world.js'
import { combineExtensions } from '../../contract/extensions.js'
import { defaultAssumptions } from '../../contract/gaps.js'
import { defineExtension } from '../extensions/define-extension.js'
import { createHandlers } from '../requests/request-handler.js'
import { Service } from '../requests/service.js'
import { type Persistence, Worlds } from '../world/worlds.js'
import { parseBaseUrl } from './request.js'

function fail(error: unknown): never {
  throw error
}

/** Creates a mailbox that takes any key and 60 requests of it in a minute. */
function limitedMailbox() {
  const assumptions = {
    ...defaultAssumptions,
    'auth.keys': 'any-key',
    'limits.rate': '60-per-minute',
  } as const
  const worlds = new Worlds(smallBeginning({ assumptions }), 'frozen')
  const handlers = createHandlers(
    new Service({ worlds, baseUrl: parseBaseUrl('http://mailbox.test'), onDefect: fail }),
  )
  const statusFor = async (apiKey: string) =>
    (await askHandlers({ handlers, apiKey }, 'GET', '/webhooks')).status
  return { world: worlds.first, statusFor }
}

it('the first request to a stored world finds the operations of its own extensions', async () => {
  const stored = smallBeginning({
    extensions: combineExtensions([
      defineExtension(({ operation }) => [
        operation({ id: 'hello.get', method: 'GET', path: '/api/v1/hello', perform: () => 'hi' }),
      ]),
    ]),
  })
  const persistence = {
    // Opens the world, which had not been read yet.
    admit: async () => worlds.add(stored, 'frozen') !== undefined,
    hold: () => () => undefined,
  } as unknown as Persistence
  const worlds = new Worlds(smallBeginning(), 'frozen', {}, persistence)
  const service = new Service({ worlds, baseUrl: parseBaseUrl('http://mailbox.test'), onDefect: fail })
  const handlers = createHandlers(service)
  const answer = await askHandlers({ handlers, apiKey: worlds.keyOf('world_2') }, 'GET', '/hello')
  expect(answer).toEqual({ status: 200, body: 'hi' })
})

describe('the requests that count against a rate limit', () => {
  it('are forgotten when the world is reset', async () => {
    const { world, statusFor } = limitedMailbox()
    for (let count = 0; count < 60; count++) expect(await statusFor('key')).toBe(200)
    expect(await statusFor('key')).toBe(429)
    world.reset()
    expect(await statusFor('key')).toBe(200)
  })
})
