import { createSimulator, defineScenario, type Simulator } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { openServer } from '../src/doors/server/start-server.js'
import { openSimulator } from '../src/doors/simulator/create-simulator.js'
import { openState } from '../src/doors/state/logged-worlds.js'
import { askHandlers } from './support/ask-handlers.js'
import { folderOf } from './support/temporary-folder.js'

const week = 7 * 86_400_000

/** The threads of an agent as the service lists them. */
async function threadsOf(url: string): Promise<{ readonly id: string; readonly last_message_at: string }[]> {
  const headers = { authorization: 'Bearer test-key' }
  const answer = await fetch(`${url}/api/v1/mail/threads?agent=support&limit=100`, { headers })
  return ((await answer.json()) as { threads: [] }).threads
}

const later = (instant: string): string => new Date(Date.parse(instant) + week).toISOString()
const laterMail = (date = ''): string =>
  new Date(Date.parse(date) + week).toUTCString().replace('GMT', '+0000')

/** All messages of `world` as the service lists them, with their header fields. */
async function messagesOf(sim: Simulator): Promise<Record<string, unknown>[]> {
  return (await askHandlers(sim, 'GET', '/mail/messages?agent=world&limit=100')).body.messages
}

it('moves every date and nothing else', async () => {
  const common = { scenario: 'world-mail', assume: { 'messages.headers': 'object' } } as const
  const own = await createSimulator(common)
  const moved = await createSimulator({ ...common, start: '2026-01-12T09:00:00Z' })
  expect(moved.clock.now()).toBe(later(own.clock.now()))
  const written = await messagesOf(own)
  expect(written.length).toBeGreaterThan(20)
  const expected = written.map(({ headers, created_at, ...rest }) => {
    const { date, received = '', ...others } = headers as Record<string, string>
    const [way, came] = received.split('; ')
    const moved = { ...others, received: `${way}; ${laterMail(came)}`, date: laterMail(date) }
    return { ...rest, created_at: later(created_at as string), headers: moved }
  })
  expect(await messagesOf(moved)).toEqual(expected)
  expect(moved.threads.list().map(({ last_message_at }) => last_message_at)).toEqual(
    own.threads.list().map(({ last_message_at }) => later(last_message_at)),
  )
})

const growing = defineScenario({
  scenario: 'growing',
  identities: [{ handle: 'support', generate: { threads: 3 } }],
  timeline: [{ after: '1h', receive: { to: 'support', from: 'Ann <ann@example.com>', text: 'Hello' } }],
})

it('is reproducible for equal starts', async () => {
  const begun = (start?: string) => createSimulator({ scenario: growing, start })
  const [first, second, other, own] = await Promise.all([
    begun('2030-05-01T00:00:00Z'),
    begun('2030-05-01T00:00:00Z'),
    begun('2030-05-02T00:00:00Z'),
    begun(),
  ])
  expect(second?.digest()).toBe(first?.digest())
  expect(new Set([first, other, own].map((sim) => sim?.digest())).size).toBe(3)
  expect(first?.fork().digest()).toBe(first?.digest())
  expect(() => other?.restore(first?.snapshot())).toThrow(
    /: start: .*2030-05-01T00:00:00.000Z.*2030-05-02T00/,
  )
  second?.restore(first?.snapshot())
  await first?.clock.advance('1d')
  first?.reset()
  expect(first?.digest()).toBe(second?.digest())
})

it('names the option that is no instant', async () => {
  await expect(createSimulator({ start: 'yesterday' })).rejects.toThrow(
    /start: "yesterday" is not an ISO 8601/,
  )
})

it('is a default for scenarios without a start', async () => {
  const defaultStart = '2031-01-01T00:00:00.000Z'
  const fixed = defineScenario({ scenario: 'fixed', start: '2026-02-01T00:00:00Z' })
  const open = defineScenario({ scenario: 'open' })
  const starts = [fixed, open, 'empty'].map(async (scenario) => {
    return (await openSimulator({ scenario, defaultStart })).start
  })
  expect(await Promise.all(starts)).toEqual(['2026-02-01T00:00:00.000Z', defaultStart, defaultStart])
})

it('is kept with the state, regardless of later defaults', async () => {
  const directory = await folderOf()
  const thread = { messages: [{ from: 'Ann <ann@example.com>', at: '-1h', text: 'Anybody there?' }] }
  const kept = defineScenario({
    scenario: 'kept',
    identities: [{ handle: 'support', threads: [thread, thread] }],
  })
  const serve = async (options: { start?: string; defaultStart?: string }) => {
    const state = openState({ place: directory, warn: () => undefined })
    return openServer({ scenario: kept, port: 0, clock: 'real', state, ...options })
  }
  const first = await serve({ defaultStart: '2026-03-02T10:00:00.000Z' })
  first.simulator.mail.receive({ to: 'support', from: 'Ann <ann@example.com>', text: 'Hello' })
  const before = await threadsOf(first.url)
  await first.close()
  const second = await serve({ defaultStart: '2026-03-09T10:00:00.000Z' })
  expect(second.simulator.start).toBe('2026-03-02T10:00:00.000Z')
  expect(await threadsOf(second.url)).toEqual(before)
  await second.close()
  await expect(serve({ start: '2026-03-09T10:00:00.000Z' })).rejects.toThrow(
    /--start 2026-03-02T10:00:00.000Z, but this start has 2026-03-09T10:00:00.000Z/,
  )
})
