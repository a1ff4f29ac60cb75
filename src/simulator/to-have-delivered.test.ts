import { describe, expect, it } from 'vitest'
import { createDesk, failure } from '../../test/support/simulator/asked-desk.js'
import { mailboxMatchers } from './matchers.js'
import type { Simulator } from './simulator.js'

expect.extend(mailboxMatchers)

const url = 'http://agent.test/hook'

/** A desk with a receiver that answers 500 for mail to sales and 200 otherwise. */
async function subscribedDesk(): Promise<Simulator> {
  const desk = await createDesk()
  desk.webhooks.create({ url, events: ['message.received', 'message.bounced'] })
  desk.webhooks.on(url, async (request) => {
    const { data } = (await request.json()) as { data: { agent_handle: string } }
    return new Response(null, { status: data.agent_handle === 'sales' ? 500 : 200 })
  })
  return desk
}

async function mailTo(desk: Simulator, ...agents: string[]): Promise<void> {
  for (const to of agents) await desk.mail.receive({ to, subject: `For ${to}`, text: 'Any news?' })
  await desk.clock.advance(0)
}

describe('toHaveDelivered', () => {
  it('finds deliveries by their event and other fields', async () => {
    const desk = await subscribedDesk()
    await mailTo(desk, 'support', 'support', 'sales')
    expect(desk).toHaveDelivered('message.received')
    expect(desk).toHaveDelivered('message.received', { times: 2, url, agent: 'support', attempts: 1 })
    expect(desk).toHaveDelivered('message.received', {
      url: /agent\.test/,
      body: { data: { subject: /support/ } },
    })
    expect(desk).toHaveDelivered('message.received', { status: 'pending', agent: 'sales', times: 1 })
    expect(desk).toHaveDelivered('message.received', { status: 'any', times: 3 })
  })

  it('does not count deliveries without a successful receiver', async () => {
    const desk = await subscribedDesk()
    await mailTo(desk, 'sales')
    expect(desk).not.toHaveDelivered('message.received')
    expect(desk).not.toHaveDelivered('message.bounced', { status: 'any' })
    expect(desk).not.toHaveDelivered('message.received', {
      status: 'any',
      url: expect.stringContaining('other'),
    })
    expect(desk).not.toHaveDelivered('message.received', { status: 'any', times: 2 })
  })

  it('shows the deliveries, nearest first, and how to get the next attempt', async () => {
    const desk = await subscribedDesk()
    const { message } = await desk.mail.send({ from: 'support', to: 'ann@mail.example', text: 'On its way.' })
    await desk.mail.bounced(message.id)
    await mailTo(desk, 'support', 'sales')
    const [, , { next_attempt_at: due } = { next_attempt_at: null }] = desk.deliveries.list()
    expect(failure(() => expect(desk).toHaveDelivered('message.received', { agent: 'sales' }))).toBe(
      [
        'Expected a delivery of message.received with status "succeeded" and agent "sales".',
        '3 deliveries were made, of which none fits; the nearest first:',
        `  ✗ message.received to ${url} pending after 1 attempt, answered 500`,
        '      status: expected "succeeded", found "pending"',
        `      Its next attempt is due at ${due}, and the clock is frozen: advance it by 11s.`,
        `  ✗ message.received to ${url} succeeded after 1 attempt, answered 200`,
        '      agent: expected "sales", found "support"',
        `  ✗ message.bounced to ${url} succeeded after 1 attempt, answered 200`,
        '      event: expected "message.received", found "message.bounced"',
        '      agent: expected "sales", found "support"',
      ].join('\n'),
    )
  })

  it('shows how many match if another number was expected', async () => {
    const desk = await subscribedDesk()
    await mailTo(desk, 'support', 'sales')
    expect(failure(() => expect(desk).toHaveDelivered('message.received', { times: 2 }))).toMatch(
      /^Expected exactly 2 deliveries of message\.received with status "succeeded"\.\n2 deliveries were made, of which 1 fits; the nearest first:\n {2}✓ /,
    )
    expect(failure(() => expect(desk).not.toHaveDelivered('message.received', { status: 'any' }))).toMatch(
      /^Expected no delivery of message\.received\.\n2 deliveries were made, of which 2 fit:\n {2}✓ /,
    )
    expect(failure(() => expect(desk).not.toHaveDelivered('message.received', { times: 1 }))).toMatch(
      /^Expected not exactly 1 delivery of message\.received with status "succeeded"\.\n2 deliveries were made, of which 1 fits:\n/,
    )
  })

  it('shows the error of an incomplete answer instead of its status', async () => {
    const desk = await createDesk()
    desk.webhooks.create({ url, events: ['message.received'] })
    const broken = {
      pull: (controller: ReadableStreamDefaultController) => controller.error(new Error('gone')),
    }
    desk.webhooks.on(url, () => new Response(new ReadableStream(broken)))
    await mailTo(desk, 'support')
    expect(failure(() => expect(desk).toHaveDelivered('message.received'))).toContain(
      `  ✗ message.received to ${url} pending after 1 attempt, incomplete\n`,
    )
  })

  it('explains that the first attempt has not begun', async () => {
    const desk = await subscribedDesk()
    await desk.mail.receive({ to: 'support', text: 'Any news?' })
    expect(failure(() => expect(desk).toHaveDelivered('message.received'))).toContain(
      "Its first attempt is about to begin. Wait for it: await mailbox.waitFor({ delivery: 'message.received' }).",
    )
  })

  it('refuses unknown events, statuses and fields, and other objects than simulators', async () => {
    const desk = await createDesk()
    const refused = (event: string, description?: object) => {
      return failure(() => expect(desk).toHaveDelivered(event as never, description as never))
    }
    expect(failure(() => expect('desk').toHaveDelivered('message.received'))).toBe(
      'expect(mailbox).toHaveDelivered() looks at a simulator, not string; give it the mailbox of the test, or what createSimulator or listen returns.',
    )
    expect(refused('message.bounce')).toBe(
      'There is no "message.bounce" as an event; did you mean "message.bounced"?',
    )
    expect(refused('message.bounced', { status: 'sent' })).toContain(
      'expected one of any, pending, succeeded',
    )
    expect(refused('message.bounced', { urls: url })).toContain('did you mean "url"?')
  })
})
