import { describe, expect, it } from 'vitest'
import type { Message } from '../../contract/resources.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { createSimulator } from './create-simulator.js'
import type { Simulator } from './simulator.js'

const desk: ScenarioInput = {
  scenario: 'desk',
  seed: 3,
  identities: [
    {
      handle: 'support',
      threads: [
        {
          key: 'refund',
          subject: 'Refund for order 4711',
          messages: [
            { key: 'question', at: '-2d', from: 'Ann Lee <ann@mail.example>', text: 'Where is my money?' },
            { at: '-1d', direction: 'outbound', text: 'On its way.' },
          ],
        },
      ],
    },
    { handle: 'sales', locale: 'de' },
  ],
}

type Entries = NonNullable<ScenarioInput['timeline']>

async function played(timeline: Entries, duration = '1h'): Promise<Simulator> {
  const sim = await createSimulator({ scenario: { ...desk, timeline } })
  await sim.clock.advance(duration as never)
  return sim
}

/** Lists the messages of an agent, oldest first, as the service returns them. */
async function messagesOf(sim: Simulator, agent: string): Promise<Message[]> {
  const url = new URL(`/api/v1/mail/messages?agent=${agent}&limit=100`, sim.baseUrl)
  const request = new Request(url, { headers: { authorization: `Bearer ${sim.apiKey}` } })
  for (const handler of sim.handlers) {
    const result = await handler.run({ request, requestId: '1' })
    if (result?.response)
      return ((await result.response.json()) as { messages: Message[] }).messages.toReversed()
  }
  return []
}

describe('a timeline', () => {
  it('receives mail in a named thread from its last sender', async () => {
    const sim = await played([{ after: '30s', receive: { thread: 'refund', text: 'Any news?' } }])
    const messages = await messagesOf(sim, 'support')
    expect(messages).toHaveLength(3)
    expect(messages[2]).toMatchObject({
      direction: 'inbound',
      from: 'Ann Lee <ann@mail.example>',
      to: ['support@agents.example'],
      subject: 'Re: Refund for order 4711',
      text: 'Any news?',
      thread_id: messages[0]?.thread_id,
      created_at: '2026-01-05T09:00:30.000Z',
    })
  })

  it('creates a thread that later entries refer to', async () => {
    const sim = await played([
      { after: '2m', receive: { to: 'sales', thread: 'quote', text: 'Are you there?' } },
      { after: '1m', receive: { to: 'sales', thread: 'quote', subject: 'A quote', text: 'How much?' } },
      { after: '3m', send: { thread: 'quote', text: 'Ten.' } },
      { after: '4m', read: { thread: 'quote' } },
    ])
    const messages = await messagesOf(sim, 'sales')
    expect(messages.map(({ subject, text }) => [subject, text])).toEqual([
      ['A quote', 'How much?'],
      ['Re: A quote', 'Are you there?'],
      ['Re: A quote', 'Ten.'],
    ])
    expect(messages[1]?.from).toBe(messages[0]?.from)
    expect(messages[0]?.from).toContain(`<${messages[2]?.to[0]}>`)
    expect(new Set(messages.map(({ thread_id }) => thread_id)).size).toBe(1)
    expect(sim.threads.get(messages[0]?.thread_id ?? '')).toMatchObject({
      unread: false,
      message_count: 3,
    })
  })

  it('receives mail for several agents, each with a separate message', async () => {
    const to = ['support', '@sales', 'Eve <eve@elsewhere.example>']
    const subject = 'Order {{string.numeric(6)}}'
    const sim = await played([{ after: '1s', receive: { to, subject, text: 'Hello' } }])
    const [support] = (await messagesOf(sim, 'support')).slice(-1)
    const [sales] = await messagesOf(sim, 'sales')
    expect(support?.to).toEqual(['support@agents.example', 'sales@agents.example', 'eve@elsewhere.example'])
    expect(support?.subject).toMatch(/^Order \d{6}$/)
    expect(sales?.subject).toBe(support?.subject)
    expect(sales?.id).not.toBe(support?.id)
  })

  it('repeats an entry with new values each time', async () => {
    const receive = { to: 'sales', subject: 'Ticket {{string.numeric(8)}}', text: 'Hello' }
    const sim = await played([{ key: 'rush', after: '1m', repeat: { times: 4, every: '10s' }, receive }])
    const messages = await messagesOf(sim, 'sales')
    const times = messages.map(({ created_at }) => created_at.slice(14, 19))
    expect(times).toEqual(['01:00', '01:10', '01:20', '01:30'])
    expect(new Set(messages.map(({ subject }) => subject)).size).toBe(4)
    expect(new Set(messages.map(({ thread_id }) => thread_id)).size).toBe(4)
    expect(sim.timeline.played().map(({ name }) => name)).toEqual(['rush', 'rush/2', 'rush/3', 'rush/4'])
  })

  it('changes identities, assumptions and unread marks', async () => {
    const sim = await played([
      { after: '1s', update: { identity: 'support', display_name: 'Busy' } },
      { at: '2026-01-05T09:00:00Z', assume: { 'threads.total': 'page-size' } },
      { after: '3s', unread: { thread: 'refund', identity: 'support' } },
    ])
    expect(sim.identities.get('support').display_name).toBe('Busy')
    expect(sim.assumptions.current()['threads.total']).toBe('page-size')
    expect(sim.timeline.left).toBe(0)
    expect(sim.timeline.played().every(({ problem }) => problem === null)).toBe(true)
  })

  it('adds a fault and clears all faults', async () => {
    const sim = await played([
      { after: '1s', fault: { operation: 'threads.list', status: 503 } },
      { after: '2s', clear_faults: true },
    ])
    expect(sim.faults.list()).toEqual([])
    sim.reset()
    await sim.clock.advance('1s')
    expect(sim.faults.list()).toHaveLength(1)
  })

  it('keeps the generated values of entries when others are added', async () => {
    const entries: Entries = [
      { after: '1m', receive: { to: 'sales', subject: 'Ticket {{string.numeric(8)}}' } },
      { after: '2m', receive: { to: 'sales', subject: 'Ticket {{string.numeric(8)}}' } },
    ]
    const before = await messagesOf(await played(entries), 'sales')
    const more = await createSimulator({
      scenario: {
        ...desk,
        timeline: [{ after: '30s', receive: { to: 'sales', subject: 'New' } }, ...entries],
      },
    })
    await more.mail.receive({ to: 'sales', from: 'Bob <bob@mail.example>', subject: 'Between' })
    await more.clock.advance('1h')
    const after = await messagesOf(more, 'sales')
    expect(after).toHaveLength(4)
    const kept = after.filter(({ id }) => before.some((message) => message.id === id))
    expect(kept).toEqual(before)
  })
})
