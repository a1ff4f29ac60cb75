import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator } from '../../dist/index.js'
import { figureOf, inTurns, ratioOf, timeOf } from '../rounds.mjs'
import { mailboxOf, requestTo, threadsPath } from '../shared.mjs'
import { table } from '../table.mjs'

/** Compares `GET threads` (50 of 1,000) through fetch with one bare MSW handler that answers with the same JSON. */
export async function inProcess({ quick, progress }) {
  const simulator = await createSimulator({ scenario: mailboxOf(4_000) })
  const page = await withServer(simulator.handlers, async () => (await fetch(requestTo(threadsPath))).json())
  const bare = [http.get(`http://mailbox.test${threadsPath}`, () => HttpResponse.json(page))]
  const calls = quick ? 30 : 100
  const measure = (handlers) => () => withServer(handlers, () => timeOf(list, { calls }))
  const measured = await inTurns(
    { 'this simulator': measure(simulator.handlers), 'bare http.get': measure(bare) },
    { rounds: quick ? 2 : 41, warmUp: 2, progress },
  )
  const ours = measured['this simulator']
  const theirs = measured['bare http.get']
  const ratio = ratioOf(ours, theirs)
  return {
    tables: [
      table(
        ['in-process fetch of 50 threads', 'this simulator', 'bare http.get', 'ratio'],
        [['p50', figureOf(ours, 'µs'), figureOf(theirs, 'µs'), ratio]],
      ),
    ],
    figures: { 'in-process': ratio },
  }
}

async function list() {
  return (await fetch(requestTo(threadsPath))).text()
}

async function withServer(handlers, work) {
  const server = setupServer(...handlers)
  server.listen()
  try {
    return await work()
  } finally {
    server.close()
  }
}
