import { expect, it } from 'vitest'
import { ask } from './control-client.js'
import { authorized, serveDesk } from './desk.js'

const events = ['message.received']

it('shows no key, token, secret or credential in any answer, event or log', async () => {
  const secrets = ['hunter2-password', 'url-token-4711', 'query-key-4712', 'other-hook-token', 'desk-key']
  const signatures: (string | null)[] = []
  const log: string[] = []
  const server = await serveDesk({
    assume: { 'events.signature': 'standard-webhooks' },
    receiver: ({ headers }) => {
      signatures.push(headers.get('webhook-signature'))
      const text = `My secrets are ${secrets.join(' and ')}.`
      return new Response(text, { status: 500, headers: { 'content-type': 'text/plain', 'x-seen': text } })
    },
    onAnswer: (answered) => log.push(JSON.stringify(answered)),
    onDeliveryTry: (tried) => log.push(JSON.stringify(tried)),
  })
  const url = 'http://ann:hunter2-password@127.0.0.1:9/hook?token=url-token-4711&api_key=query-key-4712'
  const plain = { url: 'http://127.0.0.1:9/other', events, auth_token: 'other-hook-token' }
  const made = [
    await ask(server, 'POST', '/webhooks', { body: { url, events } }),
    await ask(server, 'POST', '/webhooks', { body: plain }),
    await ask(server, 'POST', '/faults', {
      body: { operation: 'threads.list', status: 503, body: { echo: 'Bearer desk-key' }, times: 1 },
    }),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  const webhooks = await ask(server, 'GET', '/webhooks')
  const shown: Record<string, string> = { POST: JSON.stringify([made, webhooks.body]) }
  const leaks = () =>
    Object.entries(shown).flatMap(([path, text]) =>
      secrets
        .filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
        .map((secret) => `${path}: ${secret}`),
    )
  expect(leaks()).toEqual([])
  shown['POST'] = ''
  // The control API shows the secret with its subscription, and nowhere else.
  const { secret } = made[1]?.body ?? {}
  secrets.push(secret)
  const body = { to: 'support', subject: 'Keys', text: `Use ${secrets.join(' or ')}, and post it to ${url}.` }
  await ask(server, 'POST', '/messages', { body })
  const paths = [`webhooks?agent=${secret}`, `identities/${encodeURIComponent(secret)}`, 'mail/threads']
  for (const path of paths) await fetch(`${server.url}/api/v1/${path}`, { headers: authorized })
  const listed = await fetch(`${server.url}/api/v1/webhooks`, { headers: authorized })
  expect(await listed.text()).not.toContain(secret)
  await ask(server, 'PATCH', '/assumptions', { body: { 'events.data': 'nested' } })
  await ask(server, 'POST', '/messages', { body })
  await ask(server, 'POST', '/clock', { body: { advance: '1m' } })
  expect(signatures[0]).toMatch(/^v1,/)
  for (const path of [
    'faults',
    'deliveries',
    'journal',
    'journal/commands',
    'reliances',
    'timeline',
    'world',
  ]) {
    shown[path] = JSON.stringify((await ask(server, 'GET', `/${path}`)).body)
  }
  shown['events'] = JSON.stringify(server.simulator.events.after(0))
  shown['log'] = log.join('\n')
  expect(log.length).toBeGreaterThan(2)
  expect(shown['deliveries']).toContain('My secrets are ***')
  expect(leaks()).toEqual([])
})
