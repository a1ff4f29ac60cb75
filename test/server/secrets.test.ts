import { expect, it } from 'vitest'
import { ask, refusal } from './control-client.js'
import { authorized, serveDesk } from './desk.js'

const secrets = ['hunter2-password', 'url-token-4711', 'query-key-4712', 'other-hook-token', 'desk-key']

it('no answer of the control API and no event shows a key, a token or the credentials of a URL', async () => {
  const server = await serveDesk({ receiver: () => new Response('other-hook-token') })
  const events = ['message.received']
  const url = 'http://ann:hunter2-password@127.0.0.1:9/hook?token=url-token-4711&api_key=query-key-4712'
  const plain = 'http://127.0.0.1:9/other'
  const made = [
    await ask(server, 'POST', '/webhooks', { body: { url, events } }),
    await ask(server, 'POST', '/webhooks', { body: { url: plain, events, auth_token: 'other-hook-token' } }),
    await ask(server, 'POST', '/faults', {
      body: { operation: 'threads.list', status: 503, body: { echo: 'Bearer desk-key' }, times: 1 },
    }),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  const text = `Use ${secrets.join(' or ')}, and post it to ${url}.`
  await ask(server, 'POST', '/messages', { body: { to: 'support', subject: 'Keys', text } })
  await fetch(`${server.url}/api/v1/webhooks`, { headers: authorized })
  await fetch(`${server.url}/api/v1/mail/threads`, { headers: authorized })
  await ask(server, 'PATCH', '/readings', { body: { 'events.data': 'nested' } })
  await ask(server, 'POST', '/messages', { body: { to: 'support', subject: 'Keys', text } })
  await ask(server, 'POST', '/clock', { body: { advance: '1m' } })
  const paths = [
    '/webhooks',
    '/faults',
    '/deliveries',
    '/journal',
    '/journal/commands',
    '/reliances',
    '/timeline',
  ]
  const shown = Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path, JSON.stringify((await ask(server, 'GET', path)).body)]),
    ),
  )
  shown['/journal.har'] = await (await fetch(`${server.controlUrl}/journal.har`)).text()
  shown['/events'] = JSON.stringify(server.simulator.events.feed.after(0))
  shown['POST'] = JSON.stringify(made)
  const leaks = Object.entries<string>(shown).flatMap(([path, body]) => {
    return secrets.filter((secret) => body.includes(secret)).map((secret) => `${path}: ${secret}`)
  })
  expect(leaks).toEqual([])
})

it('a snapshot cannot bring in a token that the other routes refuse', async () => {
  const server = await serveDesk()
  const hook = { url: 'http://127.0.0.1:9/mine', events: ['message.received'], auth_token: 'good-token' }
  await ask(server, 'POST', '/webhooks', { body: hook })
  const text = JSON.stringify((await ask(server, 'GET', '/snapshot')).body)
  expect(text).toContain('good-token')
  for (const wrong of ['bad\r\nx-evil: 1', 'bad\u0000token', 'bad token', '', 'bäd']) {
    const body = text.replaceAll('"good-token"', JSON.stringify(wrong))
    expect(await refusal(server, 'PUT', '/snapshot', { body })).toMatch(/^400 .*auth_token/s)
    expect(await refusal(server, 'POST', '/webhooks', { body: { ...hook, auth_token: wrong } })).toMatch(
      /^400/,
    )
  }
})
