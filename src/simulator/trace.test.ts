import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSimulator } from './create-simulator.js'
import { ask } from './matchers/asked-desk.fixture.js'
import type { Simulator } from './simulator.js'

const url = 'http://agent.test/hook?token=hook-token-7'
const soon = { timeout: '20s' }

async function traced(): Promise<{ sim: Simulator; lines: () => Promise<Record<string, unknown>[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'mailbox-trace-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const trace = join(folder, 'trace.jsonl')
  const sim = await createSimulator({
    scenario: { scenario: 'desk', identities: [{ handle: 'support' }, { handle: 'sales' }] },
    trace,
  })
  const lines = async () => {
    const text = await readFile(trace, 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
  return { sim, lines }
}

/** Has a mail come in, and waits for what it brings about. */
async function receive(sim: Simulator): Promise<void> {
  const { message } = await sim.mail.receive({ to: 'support', text: 'Any news?' })
  await sim.waitFor({ delivery: 'message.received', message: message.id }, soon)
}

it('has a line for each kind of reliance of an exchange, and of a delivery', async () => {
  const { sim, lines } = await traced()
  for (const _ of ['once', 'twice']) await ask(sim, '/api/v1/identities/support')
  const first = await lines()
  expect(first).toEqual([
    {
      gap: 'format.timestamps',
      reading: 'milliseconds',
      from: 'default',
      instead: ['seconds'],
      operation: 'identities.get',
      event: null,
      method: 'GET',
      path: '/api/v1/identities/support',
    },
  ])
  sim.webhooks.create({ url, events: ['message.received'] })
  sim.webhooks.on(url, () => undefined)
  await receive(sim)
  const [, ...second] = await lines()
  expect(second.length).toBeGreaterThan(3)
  expect(second).toContainEqual({
    gap: 'events.envelope',
    reading: 'id-event-data',
    from: 'default',
    instead: ['type-timestamp-data', 'flat'],
    operation: null,
    event: 'message.received',
    url: 'http://agent.test/hook?token=***',
  })
  expect(second.map(({ operation, event }) => ({ operation, event }))).toEqual(
    second.map(() => ({ operation: null, event: 'message.received' })),
  )
  await receive(sim)
  const again = await lines()
  const kinds = again.map(({ gap, reading, instead, operation, event }) =>
    JSON.stringify([gap, reading, instead, operation, event]),
  )
  expect(kinds).toEqual([...new Set(kinds)])
  const summary = new Set(sim.reliances().map(({ gap }) => gap))
  expect(new Set(again.map(({ gap }) => gap))).toEqual(summary)
})

it('has nothing of a delivery that came to nobody', async () => {
  const { sim, lines } = await traced()
  sim.webhooks.create({ url, events: ['message.received'] })
  await receive(sim)
  expect(sim.deliveries.list()).toMatchObject([{ status: 'captured' }])
  expect(sim.deliveries.list()[0]?.reliances).not.toEqual([])
  expect(await lines()).toEqual([])
  expect(sim.reliances()).toEqual([])
})

it('has what it relied on that a subscription was not told of an event', async () => {
  const { sim, lines } = await traced()
  sim.webhooks.create({ url, events: ['message.bounced'], agentHandle: 'sales' })
  const { message } = await sim.mail.send({ from: 'support', to: 'ann@mail.example', text: 'On its way.' })
  await sim.mail.bounced(message.id)
  await sim.mail.bounced(message.id)
  expect(await lines()).toEqual([
    {
      gap: 'events.bounced-sender',
      reading: 'sending-agent',
      from: 'default',
      instead: ['organization'],
      operation: null,
      event: 'message.bounced',
    },
  ])
})
