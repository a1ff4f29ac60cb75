import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startServer } from '../dist/server/index.js'
import { table } from './measure.mjs'

const receivers = 20
const failsEvery = 20
const handles = Array.from({ length: receivers }, (_, place) => `agent-${place + 1}`)

/** Events on their way over HTTP to twenty receivers, of which each fails at every twentieth request. */
export async function deliveries({ quick }) {
  const events = quick ? 500 : 10_000
  const far = await startReceivers()
  const { simulator, close } = await startServer({ scenario: office(far.ports), port: 0, clock: 'frozen' })
  const began = performance.now()
  for (let place = 0; place < events; place++) {
    const to = handles[(place * 7) % receivers]
    await simulator.mail.receive({ to, from: 'Ann <ann@mail.example>', text: `Mail ${place}` })
  }
  const happened = performance.now()
  await far.until(({ requests }) => requests === events)
  const first = performance.now()
  await simulator.clock.advance('1h')
  await far.until(({ taken }) => taken === events)
  const ended = performance.now()
  const told = await far.ask('told')
  await close()
  const problems = problemsIn(simulator, told, events)
  far.end()
  const requests = told.flat().length
  const rate = (count, milliseconds) => `${((count / milliseconds) * 1000).toFixed(0)} a second`
  return table(
    ['deliveries to 20 receivers, 5 % failures', 'count', 'time', 'rate'],
    [
      ['events', events, `${(happened - began).toFixed(0)} ms`, rate(events, happened - began)],
      [
        'first attempts, events included',
        events,
        `${(first - began).toFixed(0)} ms`,
        rate(events, first - began),
      ],
      [
        'retries, in one advance',
        requests - events,
        `${(ended - first).toFixed(0)} ms`,
        rate(requests - events, ended - first),
      ],
      ['lost, astray or out of order', problems, '', ''],
    ],
  )
}

function office(ports) {
  return {
    scenario: 'office',
    seed: 3,
    start: '2026-01-05T09:00:00Z',
    identities: handles.map((handle) => ({ handle })),
    webhooks: handles.map((agent_handle, place) => ({
      url: `http://127.0.0.1:${ports[place]}/hook`,
      events: ['message.received'],
      agent_handle,
    })),
  }
}

async function startReceivers() {
  const program = fileURLToPath(new URL('receivers.mjs', import.meta.url))
  const child = fork(program, [String(receivers), String(failsEvery)])
  const [ports] = await once(child, 'message')
  const ask = async (what) => {
    child.send(what)
    const [answer] = await once(child, 'message')
    return answer
  }
  const until = async (isSo) => {
    while (!isSo(await ask('counts'))) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { ports, ask, until, end: () => child.kill() }
}

/** How many events did not come to an end, reached a receiver they were not meant for, or came too early. */
function problemsIn(simulator, told, events) {
  const unended = events - simulator.deliveries.list({ status: 'succeeded' }).length
  const astray = told.flatMap((requests, place) => requests.filter(({ agent }) => agent !== handles[place]))
  const expected = simulator.deliveries.list()
  const disordered = told.filter((requests, place) => {
    const meant = expected.filter(({ agent_handle }) => agent_handle === handles[place])
    const first = [...new Set(requests.map(({ id }) => id))]
    return meant.some(({ event }, index) => event.id !== first[index])
  })
  return unended + astray.length + disordered.length
}
