import { describe, expect, it } from 'vitest'
import { MailboxStore } from '../../model/index.js'
import { type Expectation, World } from '../../world/index.js'
import type { ScenarioInput } from '../format/index.js'
import { loadScenario } from '../load.js'

const office: ScenarioInput = {
  scenario: 'office',
  identities: [
    {
      handle: 'support',
      locale: 'fr',
      display_name: '{{company.name}}',
      threads: [
        {
          key: 'refund',
          subject: 'Refund for order {{string.numeric(6)}}',
          messages: [
            {
              key: 'question',
              at: '-1d',
              from: '{{person.fullName}} <{{internet.email}}>',
              text: '{{lorem.sentence}} {{lorem.sentence}}',
            },
            { key: 'answer', direction: 'outbound', to: '{{internet.email}}', text: 'Soon.' },
          ],
        },
        { messages: [{ key: 'loose', subject: 'Loose {{lorem.word}}', text: 'x' }] },
      ],
    },
    { handle: 'sales', threads: [{ key: 'refund', messages: [{ text: 'x' }] }] },
  ],
  timeline: [
    {
      key: 'late',
      after: '2m',
      receive: {
        to: ['support', 'sales'],
        thread: 'offer',
        subject: '{{lorem.word}}',
        text: '{{lorem.word}}',
      },
    },
    {
      key: 'early',
      after: '1m',
      repeat: { times: 3, every: '30s' },
      receive: { to: 'support', subject: 'x' },
    },
    { after: '3m', send: { key: 'reply', from: 'support', thread: 'refund', text: '{{lorem.words}}' } },
  ],
}

async function compiled(
  ...expectations: NonNullable<ScenarioInput['expect']>
): Promise<readonly Expectation[]> {
  return (await loadScenario({ ...office, expect: expectations })).expectations
}

const whole = { after: null, before: null, within: null }
const unsaid = { key: null, describe: null }

describe('an expectation of a scenario', () => {
  it('has ids for threads and messages and positions for timeline entries', async () => {
    const { base, timeline } = await loadScenario(office)
    const world = new World('world_1', { ...(await loadScenario(office)), base }, 'frozen')
    await world.clock.advance(600_000)
    const store = new MailboxStore(base)
    const [support, sales] = store.all('identity')
    const threads = [...world.store.all('thread')]
    const offers = threads.filter(({ message_count, created_at }) => {
      return message_count === 1 && created_at === Date.parse('2026-01-05T09:02:00Z')
    })
    const offerOf = (id: string | undefined) => offers.find(({ identity_id }) => identity_id === id)?.id
    const [identity, thread, message, request] = await compiled(
      { identity: 'sales', has: { display_name: 'Sales' } },
      { thread: 'offer', identity: 'sales', has: { unread: true } },
      { message: 'late', identity: 'support', has: { direction: 'inbound' } },
      {
        request: 'messages.list',
        where: { query: { thread_id: { thread: 'offer', identity: 'support' } } },
        after: 'early',
        before: 'late',
        within: '1m30s',
      },
    )
    expect(identity).toEqual({
      ...unsaid,
      kind: 'identity',
      id: sales?.id,
      name: 'identity sales',
      has: { display_name: 'Sales' },
      window: whole,
    })
    expect(thread).toMatchObject({ kind: 'thread', id: offerOf(sales?.id), name: 'thread "offer" of sales' })
    const [copy] = [...world.store.all('message')].filter(
      ({ thread_id }) => thread_id === offerOf(support?.id),
    )
    expect(message).toMatchObject({ kind: 'message', id: copy?.id, name: 'message "late" of support' })
    expect(request).toEqual({
      ...unsaid,
      kind: 'request',
      operation: 'messages.list',
      where: { query: { thread_id: { threadId: offerOf(support?.id), key: 'offer' } } },
      amount: { least: 1, most: null },
      window: {
        after: { name: 'early', kind: 'entry', entry: 0 },
        before: { name: 'late', kind: 'entry', entry: timeline.findIndex(({ name }) => name === 'late') },
        within: { text: '1m30s', milliseconds: 90_000 },
      },
    })
    // Entries at the same instant keep the order of the file.
    expect(timeline.map(({ name }) => name)).toEqual(['early', 'early/2', 'late', 'early/3', '3m send'])
  })

  it('has its templates filled in with the values of the story', async () => {
    const expectations = await compiled(
      { identity: 'support', has: { display_name: '{{company.name}}' } },
      { thread: 'refund', identity: 'support', has: { subject: 'Refund for order {{string.numeric(6)}}' } },
      {
        message: 'question',
        has: {
          subject: { contains: 'order {{string.numeric(6)}}' },
          from: '{{person.fullName}} <{{internet.email}}>',
          text: '{{lorem.sentence}} {{lorem.sentence}}',
        },
      },
      {
        message: 'answer',
        has: { subject: 'Re: Refund for order {{string.numeric(6)}}', to: '{{internet.email}}' },
      },
      { message: 'loose', has: { subject: 'Loose {{lorem.word}}' } },
      { thread: 'offer', identity: 'sales', has: { subject: '{{lorem.word}}' } },
      { message: 'late', identity: 'sales', has: { subject: '{{lorem.word}}', text: '{{lorem.word}}' } },
      { message: 'reply', has: { text: '{{lorem.words}}' } },
    )
    const world = new World('world_1', await loadScenario(office), 'frozen')
    await world.clock.advance(600_000)
    for (const expectation of expectations) {
      if (!('has' in expectation)) throw new Error('The expectation has no fields.')
      const { kind, id, has } = expectation
      const row = world.store.get(kind, id) as unknown as Record<string, string>
      for (const [field, value] of Object.entries(has)) {
        const wanted = typeof value === 'object' && value && 'contains' in value ? value.contains : value
        expect(wanted).not.toContain('{{')
        expect([row[field]].flat().join()).toContain(wanted)
      }
    }
  })

  it('has amounts, windows and the fields of each kind', async () => {
    const delivery = { delivery: 'message.received' } as const
    expect(
      await compiled(
        {
          request: 'threads.list',
          at_most: 3,
          where: { path: { matches: 'x$' }, body: { a: 'b' }, status: 200 },
        },
        {
          key: 'asked',
          describe: 'It asked.',
          request: 'threads.list',
          at_least: 2,
          at_most: 3,
          after: 'messages.list',
        },
        { ...delivery, times: 0 },
        { ...delivery, status: 'captured', url: 'http://agent.test/hook', before: 'asked' },
        { reliances: ['threads.total'] },
        { errors: 'none', except: [404] },
        { errors: 'none' },
      ),
    ).toEqual([
      {
        ...unsaid,
        kind: 'request',
        operation: 'threads.list',
        where: { path: { matches: 'x$' }, body: { a: 'b' }, status: 200 },
        amount: { least: 0, most: 3 },
        window: whole,
      },
      {
        key: 'asked',
        describe: 'It asked.',
        kind: 'request',
        operation: 'threads.list',
        where: {},
        amount: { least: 2, most: 3 },
        window: { ...whole, after: { name: 'messages.list', kind: 'operation', operation: 'messages.list' } },
      },
      {
        ...unsaid,
        kind: 'delivery',
        event: 'message.received',
        status: null,
        url: null,
        amount: { least: 0, most: 0 },
        window: whole,
      },
      {
        ...unsaid,
        kind: 'delivery',
        event: 'message.received',
        status: 'captured',
        url: 'http://agent.test/hook',
        amount: { least: 1, most: null },
        window: { ...whole, before: { name: 'asked', kind: 'expectation', expectation: 1 } },
      },
      { ...unsaid, kind: 'reliances', gaps: ['threads.total'] },
      { ...unsaid, kind: 'errors', except: [404] },
      { ...unsaid, kind: 'errors', except: [] },
    ])
  })

  it('is plain data', async () => {
    const expectations = await compiled(
      { thread: 'refund', identity: 'sales', has: { subject: { contains: 'x', matches: 'y', at_least: 1 } } },
      { request: 'threads.list', within: '5s' },
    )
    expect(JSON.parse(JSON.stringify(expectations))).toEqual(expectations)
  })

  it('does not change the fingerprint', async () => {
    const without = await loadScenario(office)
    const having = await loadScenario({ ...office, expect: [{ errors: 'none' }] })
    expect(having.fingerprint()).toBe(without.fingerprint())
  })
})
