import { describe, expect, it } from 'vitest'
import { type CheckedRun, openRun } from '../../../test/support/replay/checked-run.fixture.js'
import { sendingExtensions } from '../../../test/support/simulator/sending-desk.js'
import type { ScenarioInput } from '../../story/format/scenario.js'

type Entries = NonNullable<ScenarioInput['timeline']>

const ann = 'ann@mail.example'
const hook = 'http://agent.test/hook'
const threads = '/mail/threads?agent=support&limit=1'
const late = { identity: 'support', display_name: 'Late' }

/** Opens a story in which the agent can send mail, and whose events are received. */
async function open(timeline: Entries, further: Pick<ScenarioInput, 'expect'> = {}): Promise<CheckedRun> {
  const webhooks: ScenarioInput['webhooks'] = [{ url: hook, events: ['message.received', 'message.bounced'] }]
  const run = await openRun({ extend: sendingExtensions, timeline, webhooks, ...further })
  run.simulator.webhooks.on(hook, () => undefined)
  return run
}

function post(run: CheckedRun, path: string, body: object): Promise<void> {
  return run.ask(path, { method: 'POST', body: JSON.stringify(body) })
}

/** Replies to the question about a refund, to each text in turn. */
async function reply(run: CheckedRun, ...bodies: readonly (string | object)[]): Promise<void> {
  const { messages } = run.simulator.mailbox.conversation(run.idOf('Refund'))
  for (const body of bodies) {
    await post(
      run,
      `/mail/messages/${messages[0]?.id}/reply`,
      typeof body === 'string' ? { text: body } : body,
    )
  }
}

/** Returns the texts that came into the thread about a refund, in order. */
function received(run: CheckedRun): (string | null)[] {
  const { messages } = run.simulator.mailbox.conversation(run.idOf('Refund'))
  return messages.flatMap(({ direction, text }) => (direction === 'inbound' ? [text] : [])).slice(1)
}

/** Returns the messages of an agent's thread with a subject, oldest first. */
function messagesIn({ simulator }: CheckedRun, subject: string, agent = 'support') {
  const thread = simulator.threads.list({ agent }).find((one) => one.subject === subject)
  return simulator.mailbox.conversation(thread?.id ?? '').messages
}

const subjectsOf = ({ simulator }: CheckedRun, agent = 'support') =>
  simulator.threads.list({ agent }).map(({ subject }) => subject)
const nameOf = ({ simulator }: CheckedRun) => simulator.identities.get('support').display_name
const problemsOf = ({ simulator }: CheckedRun) => simulator.timeline.played().map(({ problem }) => problem)
const snapshotOf = ({ simulator }: CheckedRun) => JSON.parse(JSON.stringify(simulator.snapshot()))

/** A customer who gives the number when asked, says thank you for the sum, and complains about anything else. */
const branches: Entries = [
  {
    when: { sent: { from: 'support', to: ann, thread: 'refund', text: '/order number/i' } },
    receive: { in_reply_to: 'sent', text: 'It is 4187.' },
  },
  { when: { sent: { to: ann, text: '/249\\.00/' } }, receive: { in_reply_to: 'sent', text: 'Thank you!' } },
  { when: { sent: { to: ann } }, receive: { in_reply_to: 'sent', text: 'What do you mean?' } },
]

const bounced = {
  when: { sent: { to: 'bo@gone.example' }, after: '10s' },
  bounce: { message: 'sent' },
} as const
const delivered = { when: { sent: { to: 'bo@gone.example' } }, deliver: { message: 'sent' } } as const
const ticket = { to: 'sales', subject: 'Ticket {{string.numeric(8)}}', text: 'Hello' }

/** Stories by what they show: their entries, what happens in them, and what it leads to. */
const stories: Record<string, [timeline: Entries, happens: (run: CheckedRun) => unknown, shows: unknown]> = {
  'mail comes into a named thread, from its last sender': [
    [{ after: '30s', receive: { thread: 'parcel', text: 'Any news?' } }],
    async (run) => {
      await run.pass('1m')
      return messagesIn(run, 'Parcel').at(-1)
    },
    {
      ...{ direction: 'inbound', from: `Ann Lee <${ann}>`, to: ['support@agents.example'] },
      ...{ subject: 'Re: Parcel', text: 'Any news?', created_at: '2026-01-05T09:00:30.000Z' },
    },
  ],
  'a thread that an entry creates has later ones, in the order of time': [
    [
      { after: '2m', receive: { to: 'sales', thread: 'quote', text: 'Are you there?' } },
      { after: '1m', receive: { to: 'sales', thread: 'quote', subject: 'A quote', text: 'How much?' } },
      { after: '3m', send: { thread: 'quote', text: 'Ten.' } },
      { after: '4m', read: { thread: 'quote' } },
    ],
    async (run) => {
      await run.pass('5m')
      const [thread] = run.simulator.threads.list({ agent: 'sales' })
      const messages = messagesIn(run, 'A quote', 'sales')
      expect(messages[1]?.from).toBe(messages[0]?.from)
      expect(messages[0]?.from).toContain(`<${messages[2]?.to[0]}>`)
      return [thread?.unread, ...messages.map(({ subject, text }) => [subject, text])]
    },
    [false, ['A quote', 'How much?'], ['Re: A quote', 'Are you there?'], ['Re: A quote', 'Ten.']],
  ],
  'mail to several agents is a message for each': [
    [{ after: '1s', receive: { ...ticket, to: ['support', '@sales', 'Eve <eve@elsewhere.example>'] } }],
    async (run) => {
      await run.pass('1s')
      const [subject = ''] = subjectsOf(run)
      expect(subject).toMatch(/^Ticket \d{8}$/)
      const [support, sales] = [messagesIn(run, subject)[0], messagesIn(run, subject, 'sales')[0]]
      expect(sales?.id).not.toBe(support?.id)
      return support?.to
    },
    ['support@agents.example', 'sales@agents.example', 'eve@elsewhere.example'],
  ],
  'an entry that is repeated has new values each time': [
    [{ key: 'rush', after: '1m', repeat: { times: 4, every: '10s' }, receive: ticket }],
    async (run) => {
      await run.pass('80s')
      expect(run.simulator.timeline.left).toBe(1)
      await run.pass('10s')
      expect(new Set(subjectsOf(run, 'sales')).size).toBe(5)
      return run.simulator.timeline.played().map(({ name, at }) => `${name} ${at.slice(14, 19)}`)
    },
    ['rush 01:00', 'rush/2 01:10', 'rush/3 01:20', 'rush/4 01:30'],
  ],
  'identities, assumptions, unread marks and faults change': [
    [
      { after: '1s', update: late },
      { at: '2026-01-05T09:00:00Z', assume: { 'threads.total': 'page-size' } },
      { after: '3s', read: { thread: 'parcel' } },
      { after: '3s', fault: { operation: 'threads.list', status: 503 } },
      { after: '4s', unread: { thread: 'parcel' } },
      { after: '5s', clear_faults: true },
    ],
    async (run) => {
      const { faults, threads, assumptions } = run.simulator
      const state = () => [faults.list().length, threads.get(run.idOf('Parcel')).unread]
      await run.pass('3s')
      const before = state()
      await run.pass('2s')
      return [...before, ...state(), nameOf(run), assumptions.current()['threads.total'], ...problemsOf(run)]
    },
    [1, false, 0, true, 'Late', 'page-size', ...Array(6).fill(null)],
  ],
  'an entry that waits for a request is played once, before the response': [
    [
      {
        when: { request: 'threads.list', nth: 2 },
        receive: { to: 'support', subject: 'News', text: 'Now.' },
      },
    ],
    async (run) => {
      for (const path of [threads, '/identities/support', threads, threads]) await run.ask(path)
      expect(run.simulator.timeline.played()).toMatchObject([
        { name: 'threads.list 2 receive', problem: null, triggered: true },
      ])
      return run.simulator.journal.exchanges().map(({ response }) => response.body?.includes('News'))
    },
    [false, false, true, true],
  ],
  'an entry that waits for a request counts from its time on, also in a restored world': [
    [
      { after: '10s', when: { request: 'threads.list', nth: 2 }, update: late },
      { at: '2026-01-05T09:00:20Z', when: { request: 'threads.list', nth: 2 }, update: late },
    ],
    async (run) => {
      const counts: number[] = []
      const ask = async () => {
        await run.ask(threads)
        counts.push(run.simulator.timeline.played().length)
      }
      for (let time = 0; time < 3; time++) await ask()
      await run.pass('10s')
      for (let time = 0; time < 2; time++) await ask()
      run.simulator.restore(snapshotOf(run))
      await run.pass('10s')
      for (let time = 0; time < 3; time++) await ask()
      return counts
    },
    [0, 0, 0, 0, 1, 1, 2, 2],
  ],
  'a count begins anew at a reset, and a snapshot keeps it': [
    [{ when: { request: 'threads.list', nth: 2 }, update: late }],
    async (run) => {
      const isLate: boolean[] = []
      const ask = async () => {
        await run.ask(threads)
        isLate.push(nameOf(run) === 'Late')
      }
      await ask()
      const snapshot = snapshotOf(run)
      await ask()
      run.simulator.reset()
      await ask()
      run.simulator.restore(snapshot)
      await ask()
      return isLate
    },
    [false, true, false, true],
  ],
  'mail comes into the thread of a place, the oldest or the newest again': [
    [
      {
        when: { request: 'identities.get' },
        receive: { to: 'support', place: -1, from: 'Bo <bo@a.example>' },
      },
      { when: { request: 'threads.list' }, receive: { to: 'support', place: 1, again: true } },
    ],
    async (run) => {
      const oldest = run.simulator.threads.list({ agent: 'support' }).at(-1)?.subject ?? ''
      await run.ask('/identities/support')
      await run.ask(threads)
      const [, first, again] = messagesIn(run, oldest)
      expect(again?.id).not.toBe(first?.id)
      return [first, again]
    },
    Array(2).fill({ from: 'Bo <bo@a.example>' }),
  ],
  'mail that waits for a request is repeated at once': [
    [
      {
        when: { request: 'threads.list' },
        repeat: { times: 3 },
        receive: { to: 'support', subject: 'News' },
      },
    ],
    async (run) => {
      await run.ask(threads)
      return subjectsOf(run).filter((subject) => subject === 'News')
    },
    ['News', 'News', 'News'],
  ],
  'an event is delayed, even after that of later mail, also in a restored world': [
    [
      { after: '1s', event_delay: '10s', receive: { thread: 'parcel', text: 'First' } },
      { after: '2s', receive: { thread: 'parcel', text: 'Second' } },
    ],
    async (run) => {
      await run.pass('5s')
      const snapshot = snapshotOf(run)
      const delays = () =>
        run.simulator.deliveries.list().map(({ event, attempts }) => {
          return attempts.map(({ at }) => Date.parse(at) - Date.parse(event.at))
        })
      await run.pass('6s')
      const before = delays()
      run.simulator.restore(snapshot)
      expect(run.simulator.deliveries.list()).toMatchObject([{ status: 'pending' }])
      await run.pass('6s')
      return [...before, ...delays()]
    },
    [[10_000], [0], [10_000]],
  ],
  'mail has an earlier date, or is given as raw messages that answer each other': [
    [
      { after: '1s', receive: { to: 'sales', at: '-400d', subject: 'Old', text: '?' } },
      {
        after: '2s',
        receive: {
          ...{ to: 'sales', from: 'Ann <ann@a.example>' },
          eml: 'Subject: Re: Lamp\nMessage-ID: <2@a.example>\nIn-Reply-To: <1@a.example>\n\nHere.',
        },
      },
      {
        after: '3s',
        receive: {
          ...{ to: 'sales', from: 'Ann <ann@a.example>' },
          eml: 'Subject: Lamp\nMessage-ID: <1@a.example>\n\nWhere?',
        },
      },
    ],
    async (run) => {
      await run.pass('5s')
      return run.simulator.threads.list({ agent: 'sales' })
    },
    [
      { subject: 'Re: Lamp', message_count: 2 },
      { subject: 'A refund of sales' },
      { subject: 'Old', last_message_at: '2024-12-01T09:00:00.000Z' },
    ],
  ],
  'an event is delivered again, and counts once': [
    [
      { after: '1s', receive: { thread: 'parcel', text: 'Here?' } },
      { when: { delivery: 'message.received' }, redeliver: { event: 'message.received' } },
      { when: { delivery: 'message.received', nth: 2 }, update: late },
      { after: '4s', redeliver: { event: 'message.received', nth: 7 } },
      { after: '5s', receive: { thread: 'parcel', text: 'Hello?' } },
    ],
    async (run) => {
      const bodies: string[] = []
      run.simulator.webhooks.on(hook, async (request) => void bodies.push(await request.text()))
      await run.pass('4s')
      expect(nameOf(run)).not.toBe('Late')
      await run.pass('4s')
      return [bodies.length, bodies[0] === bodies[1], nameOf(run), ...problemsOf(run)]
    },
    [3, true, 'Late', null, null, 'There is no delivery number 7 of message.received yet.', null, null],
  ],
  'a message is delivered and bounces': twoOutcomes(delivered, bounced),
  'a message bounces and is delivered': twoOutcomes(bounced, delivered),
  'what never happened is known': [
    [
      { key: 'one', ...bounced },
      { key: 'two', ...bounced },
      { key: 'nine', when: { request: 'threads.list', nth: 9 }, update: late },
      { when: { sent: { to: 'di@example.com' } }, receive: { in_reply_to: 'sent', text: 'Yes.' } },
    ],
    async (run) => {
      await reply(run, { to: 'bo@gone.example', text: 'Hi' })
      await run.pass('1m')
      return run.simulator.view.world.triggers.neverHappened()
    },
    [
      { name: 'two', why: '"one" waits for the same mail, and took it' },
      { name: 'nine', why: 'it waits for number 9 of threads.list, and none came' },
    ],
  ],
  'a correspondent answers questions, and thanks': answers(
    ['Which order number?', 'You get 249.00.'],
    ['It is 4187.', 'Thank you!'],
  ),
  'a correspondent thanks at once': answers(['You get 249.00.'], ['Thank you!']),
  'a correspondent answers once by each entry': answers(
    ['Order number?', 'ORDER NUMBER?', 'a', 'b'],
    ['It is 4187.', 'What do you mean?'],
  ),
  'a correspondent is not moved by mail of the story, of a test, or to somebody else': [
    [
      ...branches,
      { after: '1s', send: { from: 'support', thread: 'refund', to: ann, text: 'You get 249.00.' } },
    ],
    async (run) => {
      await run.pass('1m')
      await run.simulator.mail.send({ from: 'support', to: ann, text: 'You get 249.00.' })
      await reply(run, { to: 'bo@mail.example', text: 'You get 249.00.' })
      return received(run)
    },
    [],
  ],
  'a correspondent whose pattern takes too long is named, and the others reply': [
    ['/^(a+)+\\1$/', '/^a+7$/', '/^a+4$/'].map((text) => {
      return { when: { sent: { text } }, receive: { in_reply_to: 'sent', text } } as const
    }),
    async (run) => {
      await reply(run, ...['!', '7', '4'].map((end) => 'a'.repeat(60) + end))
      return [...received(run), ...problemsOf(run)]
    },
    [
      ...['/^a+7$/', '/^a+4$/'],
      expect.stringMatching(/^"when" cannot be judged: the pattern .* longer than 250 ms for a text of 61/),
      ...[null, null],
    ],
  ],
  'a correspondent may be somebody else, and reply to the nth message of any operation from a time on': [
    [
      {
        after: '1m',
        when: { sent: { from: 'sales', subject: { contains: 'Circular' } }, nth: 2 },
        receive: { in_reply_to: 'sent', from: 'Cy <cy@a.example>', subject: 'Stop', text: '{{sent.text}}?' },
      },
    ],
    async (run) => {
      const people = ['a@mail.example', 'b@mail.example', 'c@mail.example']
      await post(run, '/circulars', { agent: 'sales', people, text: 'Early' })
      await run.pass('1m')
      await post(run, '/circulars', { agent: 'sales', people, text: 'Now' })
      const [thread] = run.simulator.mailbox.threads({ agent: 'sales', search: 'cy@a' }).threads
      return run.simulator.mailbox.conversation(thread?.id ?? '').messages
    },
    [
      { to: ['b@mail.example'], subject: 'Circular', text: 'Now' },
      { to: ['sales@agents.example'], subject: 'Stop', text: 'Now?' },
    ],
  ],
  'mail that is sent bounces, and changes assumptions': [
    [
      { when: { sent: { to: '*@gone.example' } }, bounce: { message: 'sent', recipient: 'bo@gone.example' } },
      { when: { sent: { to: ann } }, assume: { 'threads.total': 'page-size' } },
    ],
    async (run) => {
      await reply(run, { to: 'bo@gone.example', text: 'Hi' }, 'Hi')
      await run.pass('1s')
      const { deliveries, assumptions } = run.simulator
      const [one] = deliveries.list()
      expect(one?.message_id).toBe(run.simulator.sent()[0]?.id)
      return [one?.event.type, assumptions.current()['threads.total'], ...problemsOf(run)]
    },
    ['message.bounced', 'page-size', null, null],
  ],
  'a correspondent replies minutes later, also in a restored world, and not after a reset': [
    [
      {
        ...{ key: 'answer', when: { sent: { to: ann }, after: '5m' } },
        receive: { in_reply_to: 'sent', text: '{{sent.text}}?' },
      },
    ],
    async (run) => {
      const { simulator } = run
      await reply(run, 'Soon')
      await run.pass('4m')
      const at = '2026-01-05T09:05:00.000Z'
      expect([simulator.timeline.left, simulator.timeline.upcoming()]).toEqual([1, [{ name: 'answer', at }]])
      const snapshot = snapshotOf(run)
      simulator.reset()
      await run.pass('10m')
      expect(received(run)).toEqual([])
      simulator.restore(snapshot)
      // Marked read after the reply: the answer makes the thread unread.
      simulator.threads.markRead(run.idOf('Refund'))
      await run.pass('1m')
      expect(simulator.timeline.played()).toMatchObject([{ name: 'answer', at, triggered: true }])
      return [...received(run), simulator.threads.get(run.idOf('Refund')).unread, simulator.timeline.left]
    },
    ['Soon?', true, 0],
  ],
  'a correspondent replies each time, from the nth message on': [
    [
      {
        when: { sent: { to: ann }, nth: 2, every: true, after: '1m' },
        receive: { in_reply_to: 'sent', text: '{{sent.text}}?', attachments: [{ text: 'x' }] },
      },
      { when: { sent: {} }, receive: { in_reply_to: 'sent', text: 'First' } },
    ],
    async (run) => {
      await reply(run, 'a', 'b', 'c', 'd')
      await run.pass('1m')
      return [...received(run), ...problemsOf(run)]
    },
    ['First', 'b?', 'c?', 'd?', ...Array(4).fill(null)],
  ],
  'a correspondent begins a new thread each time': [
    [{ when: { sent: { to: ann }, every: true }, receive: { ...ticket, to: 'support', subject: 'And me?' } }],
    async (run) => {
      await reply(run, 'a', 'b', 'c')
      return subjectsOf(run).filter((subject) => subject === 'And me?')
    },
    ['And me?', 'And me?', 'And me?'],
  ],
}

/** A story in which a message has two outcomes. */
function twoOutcomes(...timeline: Entries): (typeof stories)[string] {
  return [
    timeline,
    async (run) => {
      await reply(run, { to: 'bo@gone.example', text: 'Hi' })
      await run.pass('1m')
      return [...problemsOf(run), ...run.simulator.view.world.triggers.neverHappened()]
    },
    [null, null],
  ]
}

/** A story in which the agent writes some texts to the customer, who replies. */
function answers(texts: readonly string[], replies: readonly string[]): (typeof stories)[string] {
  return [
    branches,
    async (run) => {
      await reply(run, ...texts)
      return received(run)
    },
    replies,
  ]
}

describe('in a story', () => {
  it.each(Object.entries(stories))('%s', async (_, [timeline, happens, shows]) => {
    const shown = await happens(await open(timeline))
    if (Array.isArray(shows)) expect(shown).toHaveLength(shows.length)
    expect(shown).toMatchObject(shows as object)
  })

  it('generated values stay when other entries are added', async () => {
    const entries: Entries = [
      { after: '1m', receive: ticket },
      { after: '2m', receive: ticket },
    ]
    const played = async (timeline: Entries) => {
      const run = await open(timeline)
      await run.simulator.mail.receive({ to: 'sales', from: 'Bob <bob@mail.example>', subject: 'Between' })
      await run.pass('1h')
      return run.simulator.threads.list({ agent: 'sales' }).map(({ id, subject }) => `${id} ${subject}`)
    }
    const kept = (await played(entries)).filter((line) => line.includes('Ticket'))
    expect(kept).toHaveLength(2)
    expect(await played([{ after: '30s', receive: { to: 'sales' } }, ...entries])).toEqual(
      expect.arrayContaining(kept),
    )
  })

  it('the same mail gives the same mailbox, from a snapshot and after a reset as well', async () => {
    const [first, second] = [await open(branches), await open(branches)]
    for (const run of [first, second]) await reply(run, 'Order number?', 'You get 249.00.')
    const digest = first.simulator.digest()
    expect(second.simulator.digest()).toBe(digest)
    second.simulator.reset()
    await reply(second, 'Order number?')
    second.simulator.restore(snapshotOf(second))
    await reply(second, 'You get 249.00.')
    expect(second.simulator.digest()).toBe(digest)
  })

  it('a correspondent replies like a mail program: in the thread, from the recipient, with a quotation', async () => {
    const text = 'About "{{sent.subject}}":\n\n{{sent.quote}}'
    const html = '<p>{{sent.text}}</p>{{ sent.quote }}'
    const run = await open([{ when: { sent: {} }, receive: { in_reply_to: 'sent', text, html } }])
    await reply(run, 'You get < 249.00.\n> That much?\n')
    const [, sent, answer] = messagesIn(run, 'Refund')
    expect(answer).toMatchObject({ from: `Ann Lee <${ann}>`, subject: 'Re: Refund' })
    expect(answer?.to).toEqual(['support@agents.example'])
    const header = (name: string, of = answer) => of?.headers.find((field) => field.name === name)?.value
    expect(header('In-Reply-To')).toBe(header('Message-ID', sent))
    expect([answer?.text, answer?.html]).toMatchSnapshot()
  })

  it('expectations see a reply after the message that it replies to', async () => {
    const run = await open(branches, {
      expect: [
        { sent: { to: ann, text: '/order number/i' }, times: 1 },
        { thread: 'refund', identity: 'support', has: { message_count: 3 } },
      ],
    })
    await reply(run, 'Order number?')
    expect(run.passed()).toEqual([true, true])
  })

  const onList = { when: { request: 'threads.list' } } as const
  it.each<Entries[number]>([
    { ...onList, repeat: { times: 2, every: '1s' }, receive: { to: 'support', text: '!' } },
    { ...onList, repeat: { times: 2 }, assume: { 'threads.total': 'page-size' } },
    { ...onList, receive: { to: 'support', subject: 'A', again: true } },
    { ...onList, receive: { to: 'support', place: 1, again: true, text: 'B' } },
    { ...onList, receive: { in_reply_to: 'sent', text: '!' } },
    { after: '1s', event_delay: '1s', update: late },
    { when: { sent: {} }, receive: { in_reply_to: 'sent', to: 'support', text: '!' } },
    { when: { sent: {} }, receive: { in_reply_to: 'sent', text: '{{sent.body}}' } },
    { after: '1s', receive: { to: 'support', subject: 'A', text: '{{sent.text}}' } },
    { when: { sent: { thread: 'refnud' } }, assume: {} },
    { when: { sent: {}, request: 'threads.list' }, assume: {} },
    { when: { request: 'threads.list', every: true }, assume: {} },
    { when: { delivery: 'message.received', after: '1m' }, assume: {} },
  ])('%j is refused', async (entry) => {
    expect(await open([entry]).catch((error: Error) => error.message)).toMatchSnapshot()
  })
})
