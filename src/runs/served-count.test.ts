import { expect, it } from 'vitest'
import { ask } from '../../test/support/simulator/asked-desk.js'
import { createSimulator } from '../doors/simulator/create-simulator.js'
import { ServedCount } from './served-count.js'

it('counts what the bodies in the journal add up to, and messages that came more than once', async () => {
  const sim = await createSimulator({ scenario: 'refund-request' })
  const served = new ServedCount()
  sim.faults.add({ operation: 'identities.get', reset: true, times: 1 })
  sim.faults.add({ operation: 'threads.list', truncate: 5, times: 1 })
  const [thread] = sim.threads.list()
  const paths = ['/identities/support', '/mail/threads', '/mail/threads', '/nothing']
  for (const path of [...paths, ...Array(2).fill(`/mail/messages?thread_id=${thread?.id}`)]) {
    await ask(sim, `/api/v1${path}`).catch(() => undefined)
  }
  await ask(sim, '/api/v1/mail/threads', { method: 'HEAD' })
  for (const { recorded } of sim.journal.entries()) served.note(recorded)
  const arrived = sim.journal.exchanges().filter(({ fault, method }) => !fault?.reset && method !== 'HEAD')
  const bytes = arrived.reduce((sum, { response }) => sum + Buffer.byteLength(response.body ?? ''), 0)
  expect(served.facts).toMatchObject({ responses: 7, bytes, messages: thread?.message_count })
  expect(served.facts.repeated).toBe(thread?.message_count)
  expect(served.facts.tokens).toBeGreaterThan(bytes / 5)
})
