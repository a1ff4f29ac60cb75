import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator } from '../dist/index.js'
import { mailboxOf, requestTo } from './mailbox.mjs'
import { interleave, microseconds, table, timeOf } from './measure.mjs'

const path = '/api/v1/mail/threads'

/** `GET threads` (50 of 1,000) by fetch against one bare MSW handler that answers the same JSON: bar 0.65. */
export async function inProcess({ quick }) {
  const simulator = await createSimulator({ scenario: mailboxOf(4_000) })
  const page = await withServer(simulator.handlers, async () => (await fetch(requestTo(path))).json())
  const bare = [http.get(`http://mailbox.test${path}`, () => HttpResponse.json(page))]
  const measure = (handlers) => () =>
    withServer(handlers, () => timeOf(async () => (await fetch(requestTo(path))).text(), quick ? 30 : 300))
  const { ours, theirs } = await interleave(
    { ours: measure(simulator.handlers), theirs: measure(bare) },
    { rounds: quick ? 2 : 15 },
  )
  return table(
    ['in-process fetch of 50 threads', 'this simulator', 'bare http.get', 'ratio'],
    [['p50', microseconds(ours), microseconds(theirs), (ours.median / theirs.median).toFixed(2)]],
  )
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
