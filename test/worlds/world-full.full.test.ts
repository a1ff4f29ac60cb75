import { startServer } from 'agent-mailbox-sim/server'
import { expect, it } from 'vitest'
import { ask } from '../server/control-client.js'

const scenario = {
  scenario: 'desk',
  organization: { api_keys: ['desk-key'] },
  identities: [{ handle: 'eva' }],
}

it('refuses what does not fit into 64 MB with 507, and goes on after a reset', async () => {
  const server = await startServer({ scenario, port: 0, clock: 'frozen' })
  const describe = async (description = 'Sells lamps.') => {
    const headers = { authorization: 'Bearer desk-key', 'content-type': 'application/json' }
    const body = JSON.stringify({ description })
    const answer = await fetch(`${server.url}/api/v1/identities/eva`, { method: 'PATCH', headers, body })
    return { status: answer.status, body: await answer.json() }
  }
  const content = 'QUFB'.repeat(4 * 2 ** 20)
  const attachments = [{ filename: 'large.bin', content_type: 'application/octet-stream', content }]
  const receive = () =>
    ask(server, 'POST', '/messages', { body: { to: 'eva', from: 'Ann <ann@example.com>', attachments } })
  for (const _ of [1, 2, 3]) expect((await receive()).status).toBe(201)
  const before = server.simulator.digest()
  expect(await receive()).toMatchObject({ status: 507, body: { error: { code: 'world_full' } } })
  expect(server.simulator.digest()).toBe(before)
  expect((await describe()).status).toBe(200)
  const left = { filename: 'rest.txt', content_type: 'text/plain', content: content.slice(-16_000_000) }
  const last = { to: 'eva', from: 'Ann <ann@example.com>', attachments: [left] }
  expect((await ask(server, 'POST', '/messages', { body: last })).status).toBe(201)
  expect(await describe('x'.repeat(900_000))).toMatchObject({
    status: 507,
    body: { error: { code: 'world_full' } },
  })
  expect(server.simulator.snapshot().version).toBe(3)
  await ask(server, 'POST', '/reset')
  expect((await describe()).status).toBe(200)
  await server.close()
})
