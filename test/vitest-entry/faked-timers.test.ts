import { mailboxTest } from 'agent-mailbox-sim/vitest'
import { afterEach, expect, vi } from 'vitest'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }
const test = mailboxTest({ scenario, extend: [] })

afterEach(() => void vi.useRealTimers())

const list = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) => {
  const headers = { authorization: `Bearer ${apiKey}` }
  return fetch(`${baseUrl}/api/v1/mail/threads?agent=support`, { headers })
}

test('waits end in the time of the platform, not in that of the test', async ({ mailbox }) => {
  vi.useFakeTimers()
  await expect(mailbox.waitFor({ operation: 'threads.list' }, { timeout: '20ms' })).rejects.toThrow('20ms')
  const waiting = mailbox.waitFor({ operation: 'threads.list' }, { timeout: '1m' })
  // A minute of the test, in which its agent asks for the first time.
  const polling = setTimeout(() => void list(mailbox), 3_600_000)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await waiting).toMatchObject({ status: 200 })
  clearTimeout(polling)
})

test('a delay ends in either', async ({ mailbox }) => {
  mailbox.faults.add({ operation: 'threads.list', delay: '20ms', times: 1 })
  mailbox.faults.add({ operation: 'threads.list', delay: '1h', times: 1 })
  vi.useFakeTimers()
  expect((await list(mailbox)).status).toBe(200)
  const answer = list(mailbox)
  await vi.waitFor(() => expect(mailbox.faults.list().at(-1)?.hit).toBe(1))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect((await answer).status).toBe(200)
})

test('deliveries are retried as the story advances', async ({ mailbox }) => {
  const url = 'http://agent.test/hook'
  const statuses = [503, 200]
  mailbox.webhooks.create({ url, events: ['message.received'] })
  mailbox.webhooks.on(url, () => new Response(null, { status: statuses.shift() ?? 200 }))
  vi.useFakeTimers()
  await mailbox.mail.receive({ to: 'support', text: 'News' })
  await mailbox.clock.advance('2m')
  expect(mailbox).toHaveDelivered('message.received', { url, attempts: 2, times: 1 })
})
