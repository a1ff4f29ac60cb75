import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { defaultReadings } from '../../src/contract/gaps.js'
import { createOpenApi } from '../../src/contract/openapi.js'
import { authorized, serveDesk } from './desk.js'

describe('GET /_sim/reliances', () => {
  it('tells which gaps requests relied on, by which reading, where and how often', async () => {
    const server = await serveDesk()
    const reliances = async () => (await fetch(`${server.controlUrl}/reliances`)).json()
    expect(await reliances()).toEqual({ reliances: [] })
    for (const _ of [1, 2]) await fetch(`${server.url}/api/v1/mail/threads`, { headers: authorized })
    const { reliances: noted } = await reliances()
    expect(noted).toContainEqual({
      gap: 'threads.unscoped',
      reading: 'all',
      operations: ['threads.list'],
      count: 2,
    })
    expect(noted).toEqual(server.simulator.reliances())
    // Asking is no request of the service, and relies on nothing.
    expect(await reliances()).toEqual({ reliances: noted })
  })
})

describe('GET /_sim/openapi.json', () => {
  it('is the documented interface, with the readings in force', async () => {
    const server = await serveDesk()
    server.simulator.readings.set({ 'threads.total': 'page-size' })
    const { version } = packageJson
    const readings = { ...defaultReadings, 'threads.total': 'page-size' } as const
    const expected = createOpenApi({ version, readings, server: server.url })
    const answer = await fetch(`${server.controlUrl}/openapi.json`)
    expect([answer.status, await answer.json()]).toEqual([200, JSON.parse(JSON.stringify(expected))])
  })
})

describe('the routes of the control API', () => {
  it('are suggested to whoever asks for another one', async () => {
    const { controlUrl } = await serveDesk()
    const message = async (path: string) => (await (await fetch(controlUrl + path)).json()).error.message
    expect(await message('/reading?x=1')).toBe(
      'The control API has no /_sim/reading; did you mean "/_sim/readings"? GET /_sim/control.json describes all routes.',
    )
    expect(await message('/nothing-of-the-kind')).toBe(
      'The control API has no /_sim/nothing-of-the-kind. GET /_sim/control.json describes all routes.',
    )
  })
})
