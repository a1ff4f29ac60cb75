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

const texts = async (sim: Simulator, query = '') => {
  const { messages, total } = await get(sim, `/mail/messages?agent=support${query}`)
  expect(messages).toHaveLength(total)
  return messages.map(({ text }: { text: string }) => text).join()
}

const subjects = async (sim: Simulator) => {
  const { threads, total } = await get(sim, '/mail/threads?agent=support')
  expect(threads).toHaveLength(total)
  return threads.map(({ subject }: { subject: string }) => subject).join()
}

describe('under events.listed=after-the-event', () => {
  it('a message, and the thread that it begins, is listed two seconds after its event', async () => {
    const sim = await open()
    const bodies: string[] = []
    sim.webhooks.on('http://agent.test/hook', async (request) => {
      bodies.push(await request.text())
      return new Response()
    })
    const lamp = sim.threads.list().find(({ subject }) => subject === 'Lamp')?.id as string
    const ann = { to: 'support', from: 'Ann <ann@example.com>' }
    const { message } = await sim.mail.receive({ ...ann, thread: lamp, text: '2' })
    await sim.mail.receive({ to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '3' })
    await sim.clock.advance('1s')
    expect(bodies).toHaveLength(2)
    const restored = await open()
    restored.restore(sim.snapshot())
    for (const one of [sim, restored]) {
      expect([await texts(one), await texts(one, `&thread_id=${lamp}`)]).toEqual(['1,1', '1'])
      expect(await subjects(one)).toBe('Lamp,Chair')
    }
    expect((await get(sim, '/mail/messages?agent=support&limit=1')).messages).toHaveLength(1)
    const mail = { agent: 'support', to: 'ann@example.com', text: 'R' }
    await askHandlers(sim, 'POST', '/mail/messages', { ...mail, in_reply_to: message.id })
    expect(await texts(sim)).toBe('R,1,1')
    for (const one of [sim, restored]) await one.clock.advance('1.1s')
    expect([await texts(sim), await subjects(sim)]).toEqual(['R,3,2,1,1', 'Lamp,Desk,Chair'])
    expect([await texts(restored), await subjects(restored)]).toEqual(['3,2,1,1', 'Desk,Lamp,Chair'])
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

  it('a thread that is not listed yet is unknown', async () => {
    const sim = await open()
    sim.assumptions.set({ 'messages.unknown-thread': 'not-found' })
    const mail = { to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '1' }
    const { message } = await sim.mail.receive(mail)
    const status = async () =>
      (await askHandlers(sim, 'GET', `/mail/messages?thread_id=${message.thread_id}`)).status
    expect(await status()).toBe(404)
    await sim.clock.advance('2s')
    expect(await status()).toBe(200)
  })

  it('a message of which no subscription is told is listed at once', async () => {
    const identities = [...(scenario.identities ?? []), { handle: 'sales' }]
    const ofSales = scenario.webhooks?.map((webhook) => ({ ...webhook, agent_handle: 'sales' }))
    for (const webhooks of [[], ofSales]) {
      const sim = await open({ identities, webhooks })
      await sim.mail.receive({ to: 'support', from: 'Cy <cy@example.com>', subject: 'Desk', text: '3' })
      expect(await texts(sim)).toBe('3,1,1')
      expect(sim.reliances().map(({ gap }) => gap)).not.toContain('events.listed')
    }
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
