import { describe, expect, it } from 'vitest'
import { ask, refusal } from './control-client.js'
import { authorized, isUntouched, serveDesk } from './desk.js'

const threads = async (url: string): Promise<string> =>
  (await fetch(`${url}/api/v1/mail/threads`, { headers: authorized })).text()

describe('GET and PUT /_sim/snapshot', () => {
  it('return a world and restore it with an empty journal', async () => {
    const server = await serveDesk()
    const { simulator, url } = server
    await simulator.mail.receive({ to: 'support', from: 'Ann <ann@mail.example>', text: 'Any news?' })
    // The attempt of its delivery has ended.
    await simulator.clock.advance(0)
    const { status, body: snapshot } = await ask(server, 'GET', '/snapshot')
    expect([status, snapshot]).toEqual([200, JSON.parse(JSON.stringify(simulator.snapshot()))])
    const masked = JSON.parse(JSON.stringify(simulator.snapshot({ secrets: 'masked' })))
    expect((await ask(server, 'GET', '/snapshot?secrets=masked')).body).toEqual(masked)
    const [shown, digest] = [await threads(url), simulator.digest()]
    await ask(server, 'POST', '/reset')
    expect(await threads(url)).not.toBe(shown)
    const restored = await ask(server, 'PUT', '/snapshot', { body: snapshot })
    expect(restored).toMatchObject({ status: 200, body: { id: 'world_1', counts: { messages: 3 } } })
    expect(simulator.journal.exchanges()).toEqual([])
    expect(simulator.digest()).toBe(digest)
    expect(await threads(url)).toBe(shown)
  })

  it('refuses a changed document and changes nothing', async () => {
    const server = await serveDesk()
    const { body: snapshot } = await ask(server, 'GET', '/snapshot')
    expect(await refusal(server, 'PUT', '/snapshot', { body: { ...snapshot, scenario: 'other' } })).toMatch(
      /^400 wrong_scenario: .*it was taken with "other"/,
    )
    expect(await isUntouched(server)).toBe(true)
    expect((await ask(server, 'GET', '/snapshot')).body).toEqual(snapshot)
  })
})
