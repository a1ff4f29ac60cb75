const http = require('node:http')
const { createSimulator, defineScenario, ScenarioError } = require('agent-mailbox-sim')
const { useMailbox } = require('agent-mailbox-sim/jest')
const { startServer } = require('agent-mailbox-sim/server')

const scenario = defineScenario({ scenario: 'desk', identities: [{ handle: 'support' }] })
const mailbox = useMailbox({ scenario })
const isBrowserLike = typeof window === 'object'

const urlOf = (path) => `${mailbox().baseUrl}/api/v1/${path}`
const headers = () => ({ authorization: `Bearer ${mailbox().apiKey}` })

/** Requests with a client that is built on `node:http`. */
function getByHttp(url) {
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { headers: headers() }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve(JSON.parse(text)))
    })
    sent.on('error', reject).end()
  })
}

/** Finds the values whose arrays and objects have another class than those of this test. */
function foreign(value, path = '') {
  if (typeof value !== 'object' || value === null) return []
  const within = Object.entries(value).flatMap(([key, one]) => foreign(one, `${path}.${key}`))
  return value instanceof Object ? within : [path, ...within]
}

test('fetch and node:http are answered', async () => {
  const response = await fetch(urlOf('mail/threads?agent=support'), { headers: headers() })
  expect(await response.json()).toMatchObject({ threads: [], total: 0 })
  expect(await getByHttp(urlOf('identities/support'))).toMatchObject({ agent_handle: 'support' })
  expect(mailbox()).toHaveRequested('threads.list', { query: { agent: 'support' }, times: 1 })
  expect(mailbox()).toHaveRequested('identities.get')
})

if (isBrowserLike) {
  test('XMLHttpRequest is answered', async () => {
    const answered = new Promise((resolve) => {
      const sent = new XMLHttpRequest()
      sent.open('GET', urlOf('identities/support'))
      sent.setRequestHeader('authorization', headers().authorization)
      sent.onloadend = () => resolve(JSON.parse(sent.responseText))
      sent.send()
    })
    expect(await answered).toMatchObject({ agent_handle: 'support' })
  })
}

test('values are of the classes of the test', async () => {
  const sim = mailbox()
  sim.webhooks.on('http://agent.test/hook', () => new Response('taken', { headers: { 'x-by': 'agent' } }))
  sim.webhooks.create({ url: 'http://agent.test/hook', events: ['message.received'] })
  sim.faults.add({ operation: 'messages.list', status: 503, times: 1 })
  const stored = await sim.mail.receive({ to: 'support', subject: 'Hello', text: 'Any news?' })
  await sim.waitFor({ delivery: 'message.received' })
  await fetch(urlOf(`mail/messages?thread_id=${stored.thread.id}&agent=support`), { headers: headers() })
  await fetch(urlOf('identities/support'), {
    method: 'PATCH',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ display_name: 'Support', metadata: { tags: ['a'] } }),
  })
  const exchanges = sim.journal.exchanges()
  expect(exchanges).toEqual(expect.any(Array))
  expect(exchanges[0].query).toStrictEqual({ thread_id: stored.thread.id, agent: 'support' })
  const returned = {
    exchanges,
    deliveries: sim.deliveries.list(),
    threads: sim.threads.list(),
    identities: sim.identities.list(),
    webhooks: sim.webhooks.list(),
    faults: sim.faults.list(),
    stored,
    snapshot: sim.snapshot(),
  }
  expect(foreign(returned)).toStrictEqual([])
  expect(Object.keys(returned).filter((name) => Object.keys(returned[name]).length === 0)).toStrictEqual([])
})

test('an answer that drips arrives, and a body can be cancelled', async () => {
  mailbox().faults.add({ operation: 'identities.get', drip: '100ms', times: 1 })
  const slow = await fetch(urlOf('identities/support'), { headers: headers() })
  expect(await slow.json()).toMatchObject({ agent_handle: 'support' })
  mailbox().faults.add({ operation: 'identities.get', status: 503, times: 1 })
  const refused = await fetch(urlOf('identities/support'), { headers: headers() })
  await refused.body.cancel()
  expect(refused.status).toBe(503)
})

test('a scenario of TypeScript is read, and shares the classes of the package', async () => {
  const sim = await createSimulator({ scenario: './desk.ts' })
  expect(sim.identities.list()).toMatchObject([{ agent_handle: 'typed' }])
  sim.close()
  await expect(createSimulator({ scenario: './refused.ts' })).rejects.toThrow(ScenarioError)
})

test('an error tells what is wrong with a file', async () => {
  const missing = createSimulator({ scenario: './none.yaml' })
  await expect(missing).rejects.toThrow(ScenarioError)
  await expect(missing).rejects.toThrow(/none\.yaml/)
})

test('a server answers, and delivers to the network', async () => {
  let delivered
  const arrived = new Promise((resolve) => {
    delivered = resolve
  })
  const receiver = http.createServer((received, response) => {
    received.resume()
    response.end('taken')
    delivered(received.method)
  })
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const server = await startServer({ scenario, port: 0 })
  const hook = `http://127.0.0.1:${receiver.address().port}/hook`
  server.simulator.webhooks.create({ url: hook, events: ['message.received'] })
  const response = await fetch(`${server.controlUrl}/messages?to=support`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: 'From: ann@example.com\r\nTo: desk@example.com\r\nSubject: Hello\r\n\r\nAny news?\r\n',
  })
  expect(await response.json()).toMatchObject({ message: { subject: 'Hello' } })
  expect(await arrived).toBe('POST')
  await server.close()
  receiver.close()
})
