import { startServer } from '../../dist/doors/server/entry.js'
import { mailboxOf } from '../shared.mjs'

// Keeps many worlds on one server and prints what each of them costs, in microseconds and bytes, as one line of JSON.
// worlds.mjs runs it with --expose-gc, the number of messages and the number of worlds.
const [messages, count] = process.argv.slice(2).map(Number)
const server = await startServer({ scenario: mailboxOf(messages), port: 0, clock: 'frozen' })
const { simulator } = server
const figures = {}

const bytesUsed = () => {
  for (let time = 0; time < 5; time++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Calls `act` for each item, ten at a time like ten connections, and records the time for each. */
async function each(what, list, act) {
  const before = performance.now()
  for (let at = 0; at < list.length; at += 10) await Promise.all(list.slice(at, at + 10).map(act))
  figures[what] = { each: ((performance.now() - before) / list.length) * 1000, unit: 'µs' }
}

/** Records how much more memory each world takes than before. */
function noteMemory(what, before) {
  figures[what] = { each: (bytesUsed() - before) / count, unit: 'B' }
}

const numbers = Array.from({ length: count }, (_, number) => number)
const control = async (path, method) => (await fetch(server.controlUrl + path, { method })).text()
const listing = `${server.url}/api/v1/mail/threads?limit=5`
const list = async (key) => {
  await (await fetch(listing, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer()
}

for (const _ of numbers.slice(0, 500)) simulator.fork().close()
const empty = bytesUsed()
await each('fork()', numbers, () => void simulator.fork())
noteMemory('memory', empty)
for (const world of simulator.worlds().slice(1)) world.close()

const worlds = []
await each('POST /_sim/worlds', numbers, async () =>
  worlds.push(JSON.parse(await control('/worlds', 'POST'))),
)
await each('its first list of threads', worlds, ({ api_key }) => list(api_key))
await each('its second', worlds, ({ api_key }) => list(api_key))
const asked = bytesUsed()
await each('one mail', worlds, ({ id }) => simulator.world(id).mail.receive({ to: 'agent', text: 'Hello' }))
noteMemory('memory for it', asked)
await each('DELETE /_sim/worlds/{id}', worlds, ({ id }) => control(`/worlds/${id}`, 'DELETE'))
console.log(JSON.stringify(figures))
await server.close()
