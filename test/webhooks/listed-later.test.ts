import { createSimulator, type ScenarioInput, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { askHandlers } from '../support/ask-handlers.js'

const scenario: ScenarioInput = {
  scenario: 'listed-later',
  identities: [
    {
      handle: 'support',
      threads: [
        {
          key: 'lamp',
          subject: 'Lamp',
          unread: false,
          messages: [{ from: 'Ann <ann@example.com>', at: '-1h', text: '1' }],
        },
        {
          key: 'chair',
          subject: 'Chair',
          messages: [{ from: 'Bo <bo@example.com>', at: '-30m', text: '1' }],
        },
      ],
    },
  ],
  webhooks: [{ url: 'http://agent.test/hook', events: ['message.received'] }],
}

const open = (more: Partial<ScenarioInput> = {}) =>
  createSimulator({
    scenario: { ...scenario, ...more },
    extend: ['common'],
    assume: { 'events.listed': 'after-the-event' },
    onUndocumented: () => undefined,
  })

const get = async (sim: Simulator, path: string) => (await askHandlers(sim, 'GET', path)).body

/** What an agent sees of its mailbox: each thread, the newest first, with the texts of its messages. */
async function seen(sim: Simulator): Promise<string[]> {
  const { threads, total } = await get(sim, '/mail/threads?agent=support')
  expect(threads).toHaveLength(total)
  const lines: string[] = []
  for (const { id, subject, unread, message_count, snippet, last_message_at } of threads) {
    const { messages, total: count } = await get(sim, `/mail/messages?thread_id=${id}`)
    expect([messages.length, messages[0].created_at]).toEqual([count, last_message_at])
    expect(message_count).toBe(count)
    const texts = messages.map(({ text }: { text: string }) => text).join('')
    lines.push(`${subject}${unread ? '*' : ''} ${texts} (${snippet})`)
  }
  return lines
}

describe('under events.listed=after-the-event', () => {
  it('a message is listed two seconds after its event, and its thread is as before until then', async () => {
    const sim = await open()
    const bodies: string[] = []
    sim.webhooks.on('http://agent.test/hook', async (request) => {
      bodies.push(await request.text())
      return new Response()
    })
    const before = await seen(sim)
    expect(before).toEqual(['Chair* 1 (1)', 'Lamp 1 (1)'])
    const lamp = sim.threads.list().find(({ subject }) => subject === 'Lamp')?.id as string
    const { message } = await sim.mail.receive({
      to: 'support',
      thread: lamp,
      from: 'Ann <ann@example.com>',
      text: '2',
    })
    await sim.mail.receive({ to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '1' })
    await sim.clock.advance('1s')
    expect(bodies).toHaveLength(2)
    expect(await seen(sim)).toEqual(before)
    expect((await askHandlers(sim, 'GET', `/mail/messages/${message.id}`)).status).toBe(404)
    const threads = (await get(sim, '/mail/threads?limit=1&offset=1')).threads
    expect(threads).toMatchObject([{ subject: 'Lamp', message_count: 1 }])

    const restored = await open()
    restored.restore(sim.snapshot())
    expect(await seen(restored)).toEqual(before)

    await askHandlers(sim, 'POST', '/mail/messages', {
      agent: 'support',
      thread_id: lamp,
      to: 'ann@example.com',
      text: 'R',
    })
    expect(await seen(sim)).toEqual(['Lamp R1 (R)', 'Chair* 1 (1)'])
    for (const one of [sim, restored]) await one.clock.advance('1s')
    expect(await seen(sim)).toEqual(['Lamp* R21 (R)', 'Desk* 1 (1)', 'Chair* 1 (1)'])
    expect(await seen(restored)).toEqual(['Desk* 1 (1)', 'Lamp* 21 (2)', 'Chair* 1 (1)'])
  })

  it('a message that an event told of can be answered before it is listed', async () => {
    const sim = await open()
    const mail = { to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '1' }
    const { message } = await sim.mail.receive(mail)
    expect((await askHandlers(sim, 'GET', `/mail/messages/${message.id}`)).status).toBe(404)
    const { status } = await askHandlers(sim, 'POST', `/mail/messages/${message.id}/reply`, { text: 'R' })
    expect([status, (await seen(sim))[0]]).toEqual([201, 'Desk R (R)'])
  })

  it('a request for its thread right after the event is told to look again', async () => {
    const sim = await open()
    const mail = { to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '1' }
    const { message } = await sim.mail.receive(mail)
    for (const id of [message.thread_id, 'thrd_unknown']) await get(sim, `/mail/messages?thread_id=${id}`)
    expect(sim.journal.exchanges().map(({ hints }) => hints)).toEqual([
      [expect.stringContaining(`"${message.thread_id}" was asked for before its message was listed`)],
      [expect.stringContaining('matches no thread')],
    ])
  })

  it('a message without an event is listed at once', async () => {
    const sim = await open({ webhooks: [] })
    await sim.mail.receive({ to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '1' })
    expect((await seen(sim))[0]).toBe('Desk* 1 (1)')
    expect(sim.reliances().map(({ gap }) => gap)).not.toContain('events.listed')
  })

  it('only a response that shows mail depends on it, not a change of the identity right after the event', async () => {
    const sim = await open()
    sim.webhooks.on('http://agent.test/hook', () => new Response())
    sim.assumptions.set({ 'identities.patch-empty-body': 'touched', 'events.listed': 'before-the-event' })
    await sim.mail.receive({ to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '1' })
    await askHandlers(sim, 'PATCH', '/identities/support')
    await get(sim, '/mail/threads?agent=support')
    const listed = sim.journal
      .exchanges()
      .map(({ reliances }) => reliances.some(({ gap }) => gap === 'events.listed'))
    expect(listed).toEqual([false, true])
  })
})
