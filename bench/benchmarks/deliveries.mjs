import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startServer } from '../../dist/doors/server/entry.js'
import { figureOf, inTurns } from '../rounds.mjs'
import { table } from '../table.mjs'

const receivers = 20
const failsEvery = 20
const handles = Array.from({ length: receivers }, (_, place) => `agent-${place + 1}`)

/** Measures deliveries over HTTP to twenty receivers, each of which fails every twentieth request. */
export async function deliveries({ quick, progress }) {
  const events = quick ? 500 : 10_000
  const { runs } = await inTurns({ runs: () => deliverOnce(events) }, { rounds: quick ? 1 : 3, progress })
  const figure = (what, unit) => figureOf(runs.map(what), unit)
  const row = (name, count, milliseconds) => [
    name,
    figure(count, ''),
    figure(milliseconds, 'ms'),
    figure((run) => (count(run) / milliseconds(run)) * 1000, 'a second'),
  ]
  const problems = figure((run) => run.problems, '')
  return {
    tables: [
      table(
        ['deliveries to 20 receivers, 5 % failures', 'count', 'time', 'rate'],
        [
          row(
            'events',
            () => events,
            ({ happening }) => happening,
          ),
          row(
            'first attempts, events included',
            () => events,
            ({ first }) => first,
          ),
          row(
            'retries, in one advance',
            ({ retries }) => retries,
            ({ retrying }) => retrying,
          ),
          ['lost, misrouted or out of order', problems, '', ''],
        ],
      ),
    ],
    figures: { deliveries: problems },
  }
}

/** Delivers events; returns counts, and the milliseconds that each part took. */
async function deliverOnce(events) {
  const remote = await startReceivers()
  const { simulator, close } = await startServer({ scenario: office(remote.ports), port: 0, clock: 'frozen' })
  const began = performance.now()
  for (let place = 0; place < events; place++) {
    const to = handles[(place * 7) % receivers]
    await simulator.mail.receive({ to, from: 'Ann <ann@mail.example>', text: `Mail ${place}` })
  }
  const happened = performance.now()
  await remote.until(({ requests }) => requests === events)
  const attempted = performance.now()
  await simulator.clock.advance('1h')
  await remote.until(({ accepted }) => accepted === events)
  const ended = performance.now()
  const received = await remote.ask('received')
  await close()
  remote.end()
  return {
    problems: problemsIn(simulator, received, events),
    retries: received.flat().length - events,
    happening: happened - began,
    first: attempted - began,
    retrying: ended - attempted,
  }
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
  const program = fileURLToPath(new URL('../programs/receivers.mjs', import.meta.url))
  const child = fork(program, [String(receivers), String(failsEvery)])
  const [ports] = await once(child, 'message')
  const ask = async (what) => {
    child.send(what)
    const [answer] = await once(child, 'message')
    return answer
  }
  const until = async (predicate) => {
    while (!predicate(await ask('counts'))) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { ports, ask, until, end: () => child.kill() }
}

/** Returns how many events were not delivered, reached a wrong receiver, or arrived out of order. */
function problemsIn(simulator, received, events) {
  const lost = events - simulator.deliveries.list({ status: 'succeeded' }).length
  const misrouted = received.flatMap((requests, place) =>
    requests.filter(({ agent }) => agent !== handles[place]),
  )
  const expected = simulator.deliveries.list()
  const disordered = received.filter((requests, place) => {
    const meant = expected.filter(({ agent_handle }) => agent_handle === handles[place])
    const first = [...new Set(requests.map(({ id }) => id))]
    return meant.some(({ event }, index) => event.id !== first[index])
  })
  return lost + misrouted.length + disordered.length
}
