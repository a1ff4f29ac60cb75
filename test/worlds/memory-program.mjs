// Run with --expose-gc and the folder of a build; writes what it measured as one JSON object.
import { once } from 'node:events'
import http from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href)
const { createSimulator } = await load('index.js')
const { startServer } = await load('doors/server/entry.js')

const mailbox = (threads) => ({
  scenario: 'mailbox',
  identities: [{ handle: 'agent', generate: { threads, messages: [1, 8] } }],
})

const paths = [
  '/api/v1/mail/threads?limit=3',
  '/api/v1/mail/messages?limit=3',
  '/api/v1/identities/agent',
  '/api/v1/webhooks',
  '/api/v1/nowhere',
]

/** Bytes in use, once nothing is left to be collected. */
async function bytesUsed() {
  // Sockets and timers that have just ended are let go of a little later.
  await new Promise((resolve) => setTimeout(resolve, 50))
  for (let time = 0; time < 5; time++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const server = await startServer({ scenario: mailbox(100), port: 0, clock: 'frozen' })
const simulator = await createSimulator({ scenario: mailbox(100) })

async function askHandlers(path, key = simulator.apiKey) {
  const request = new Request(`${simulator.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })
  for (const handler of simulator.handlers) {
    const result = await handler.run({ request, requestId: 'one' })
    if (result) return (await result.response.arrayBuffer()).byteLength
  }
}

async function askServer(path, method, body) {
  const headers = { authorization: `Bearer ${server.simulator.apiKey}`, 'content-type': 'application/json' }
  // A connection that is kept alive may end on one side while the other asks for more.
  const sent = http.request(server.url + path, { method, headers, agent: false })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  answer.resume()
  await once(answer, 'end')
}

async function requests(count) {
  for (let at = 0; at < count; at++) await askHandlers(paths[at % paths.length])
}

async function requestsOverHttp(count) {
  for (let at = 0; at < count; at += 2 * paths.length) {
    const renames = paths.map(() => askServer('/api/v1/identities/agent', 'PATCH', '{"display_name":"A"}'))
    await Promise.all([...paths.map((path) => askServer(path, 'GET')), ...renames])
  }
  // Its journal is not full before the measurement, as that of the other one is.
  server.simulator.reset()
}

/** What tests do to a world, and what must not outlive it. */
async function use(world) {
  await world.mail.receive({ to: 'agent', text: 'Hello' })
  world.faults.add({ operation: 'threads.list', delay: '1h', times: 1 })
  const answering = askHandlers(paths[0], world.apiKey)
  const waiting = world.waitFor({ operation: 'threads.list' }, { timeout: '1h' })
  await world.clock.advance('1h')
  await Promise.all([answering, waiting])
}

async function forks(count) {
  for (let at = 0; at < count; at++) {
    const world = simulator.fork({ clock: at % 2 === 0 ? 'frozen' : '10x' })
    await use(world)
    world.close()
  }
}

async function resets(count) {
  for (let at = 0; at < count; at++) {
    await use(simulator)
    simulator.reset()
  }
}

async function control(method, path, body, world) {
  const headers = { 'content-type': 'application/json', ...(world && { 'x-sim-world': world }) }
  const answer = await fetch(`${server.url}/_sim${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** Returns how many bases of deleted worlds, each with a scenario of its own, are kept. */
async function keptBases(count) {
  const bases = []
  for (let at = 0; at < count; at++) {
    const scenario = { ...mailbox(5), expect: [{ request: 'threads.list' }] }
    const { id, api_key: key } = await control('POST', '/worlds', { scenario })
    bases.push(new WeakRef(server.simulator.world(id).view.world.initialState.base))
    await control('POST', '/messages', { to: 'agent', text: 'Hello' }, id)
    await control('GET', '/expectations', undefined, id)
    const headers = { authorization: `Bearer ${key}` }
    await (await fetch(server.url + paths[0], { headers })).arrayBuffer()
    await control('DELETE', `/worlds/${id}`, {})
  }
  await bytesUsed()
  return bases.filter((base) => base.deref()).length
}

async function round(times) {
  await requests(96 * times)
  await requestsOverHttp(2 * times)
  await forks(times)
  await resets(times)
}

// The first requests compile what the later ones run, and fill the journal once.
await requests(11_000)
await round(20)
await round(20)
const before = await bytesUsed()
await round(120)
const after = await bytesUsed()
const kept = await keptBases(20)
await server.close()

const large = await createSimulator({ scenario: mailbox(25_000) })
for (let at = 0; at < 500; at++) large.fork().close()
const without = await bytesUsed()
for (let at = 0; at < 1000; at++) large.fork()
const withForks = await bytesUsed()
const { messages } = large.summary()
process.stdout.write(JSON.stringify({ before, after, kept, messages, fork: (withForks - without) / 1000 }))
