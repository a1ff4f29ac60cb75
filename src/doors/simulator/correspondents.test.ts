import { describe, expect, it } from 'vitest'
import { type CheckedRun, openRun } from '../../../test/support/replay/checked-run.fixture.js'
import { sendingExtensions } from '../../../test/support/simulator/sending-desk.js'
import type { ScenarioInput } from '../../story/format/scenario.js'

const ann = 'ann@mail.example'

/** Opens a run in which the agent can send mail. */
function open(timeline: ScenarioInput['timeline'], expect: ScenarioInput['expect'] = []) {
  return openRun({ extend: sendingExtensions, timeline, expect })
}

function post(run: CheckedRun, path: string, body: object): Promise<void> {
  return run.ask(path, { method: 'POST', body: JSON.stringify(body) })
}

/** Replies to the question about a refund. */
async function reply(run: CheckedRun, body: object): Promise<void> {
  const { messages } = run.simulator.mailbox.conversation(run.idOf('Refund'))
  await post(run, `/mail/messages/${messages[0]?.id}/reply`, body)
}

/** Returns the texts that came into the thread about a refund, in order. */
function received(run: CheckedRun): (string | null)[] {
  const { messages } = run.simulator.mailbox.conversation(run.idOf('Refund'))
  return messages.flatMap(({ direction, text }) => (direction === 'inbound' ? [text] : [])).slice(1)
}

/**
 * A customer who gives the number when asked, says thank you for the sum, and complains about anything else.
 */
const branches = [
  {
    when: { sent: { from: 'support', to: ann, thread: 'refund', text: '/order number/i' } },
    receive: { in_reply_to: 'sent', text: 'It is 4187.' },
  },
  { when: { sent: { to: ann, text: '/249\\.00/' } }, receive: { in_reply_to: 'sent', text: 'Thank you!' } },
  { when: { sent: { to: ann } }, receive: { in_reply_to: 'sent', text: 'What do you mean?' } },
] satisfies ScenarioInput['timeline']

describe('a correspondent', () => {
  it.each([
    ['asks and refunds', ['Which order number?', 'You get 249.00.'], ['It is 4187.', 'Thank you!']],
    ['refunds immediately', ['You get 249.00.'], ['Thank you!']],
    ['writes nonsense', ['Hello.'], ['What do you mean?']],
    ['asks twice', ['Order number?', 'ORDER NUMBER?'], ['It is 4187.', 'What do you mean?']],
    ['says too much', ['a', 'b', 'c'], ['What do you mean?']],
  ])('replies to an agent that %s', async (_, texts, answers) => {
    const run = await open(branches)
    for (const text of texts) await reply(run, { text })
    expect(received(run)).toEqual(answers)
  })

  it('says of which pattern it cannot know, and replies by the others', async () => {
    const answer = (text: string, reply: string) => {
      return { when: { sent: { text } }, receive: { in_reply_to: 'sent' as const, text: reply } }
    }
    const run = await open([
      answer('/^(a+)+\\1$/', 'Too slow.'),
      answer('/^a+7$/', 'The 7th.'),
      answer('/^a+4$/', 'The 4th.'),
    ])
    for (const end of ['!', '7', '4']) await reply(run, { text: 'a'.repeat(60) + end })
    expect(received(run)).toEqual(['The 7th.', 'The 4th.'])
    const unknown = run.simulator.timeline.played().filter(({ problem }) => problem !== null)
    expect(unknown.map(({ name, problem }) => [name, problem])).toEqual([
      [
        'sent 1 receive',
        expect.stringMatching(
          /^"when" cannot be judged: the pattern .* took longer than 250 ms for a text of 61/,
        ),
      ],
    ])
  })

  it('gives the same mailbox for the same mail, from a snapshot and after a reset as well', async () => {
    const texts = ['Order number?', 'You get 249.00.']
    const runs = await Promise.all([open(branches), open(branches)])
    const [first, second] = runs as [CheckedRun, CheckedRun]
    for (const run of runs) for (const text of texts) await reply(run, { text })
    const digest = first.simulator.digest()
    expect(second.simulator.digest()).toBe(digest)
    second.simulator.reset()
    await reply(second, { text: 'Order number?' })
    second.simulator.restore(JSON.parse(JSON.stringify(second.simulator.snapshot())))
    await reply(second, { text: 'You get 249.00.' })
    expect(second.simulator.digest()).toBe(digest)
  })

  it('is not moved by mail of the story, of a test, or to somebody else', async () => {
    const run = await open([
      ...branches,
      { after: '1s', send: { from: 'support', thread: 'refund', to: ann, text: 'You get 249.00.' } },
    ])
    await run.pass('1m')
    await run.simulator.mail.send({ from: 'support', to: ann, text: 'You get 249.00.' })
    await reply(run, { to: 'bo@mail.example', text: 'You get 249.00.' })
    expect(received(run)).toEqual([])
  })

  it('replies like a mail program: in the thread, from the recipient, with a quotation', async () => {
    const text = 'About "{{sent.subject}}":\n\n{{sent.quote}}'
    const html = '<p>{{sent.text}}</p>{{ sent.quote }}'
    const run = await open([{ when: { sent: {} }, receive: { in_reply_to: 'sent', text, html } }])
    await reply(run, { text: 'You get < 249.00.\n> That much?\n' })
    const [, sent, answer] = run.simulator.mailbox.conversation(run.idOf('Refund')).messages
    expect(answer).toMatchObject({ from: 'Ann Lee <ann@mail.example>', subject: 'Re: Refund' })
    expect(answer?.to).toEqual(['support@agents.example'])
    const header = (name: string, of = answer) => of?.headers.find((field) => field.name === name)?.value
    expect(header('In-Reply-To')).toBe(header('Message-ID', sent))
    expect([answer?.text, answer?.html]).toMatchSnapshot()
  })

  it('may be somebody else, and reply to the nth message of any operation from a time on', async () => {
    const run = await open([
      {
        after: '1m',
        when: { sent: { from: 'sales', subject: { contains: 'Circular' } }, nth: 2 },
        receive: {
          in_reply_to: 'sent',
          from: 'Cy <cy@mail.example>',
          subject: 'Stop',
          text: '{{sent.text}}?',
        },
      },
    ])
    const circular = (text: string, ...people: string[]) =>
      post(run, '/circulars', { agent: 'sales', people, text })
    await circular('Early', 'a@mail.example', 'b@mail.example')
    await run.pass('1m')
    await circular('Now', 'a@mail.example', 'b@mail.example', 'c@mail.example')
    const [thread] = run.simulator.mailbox.threads({ agent: 'sales', search: 'cy@mail' }).threads
    const { messages } = run.simulator.mailbox.conversation(thread?.id ?? '')
    expect(messages.map(({ to, text, subject }) => [to[0], subject, text])).toEqual([
      ['b@mail.example', 'Circular', 'Now'],
      ['sales@agents.example', 'Stop', 'Now?'],
    ])
  })

  it('lets mail bounce, and changes assumptions', async () => {
    const run = await open([
      { when: { sent: { to: '*@gone.example' } }, bounce: { message: 'sent', recipient: 'bo@gone.example' } },
      { when: { sent: { to: ann } }, assume: { 'threads.total': 'page-size' } },
    ])
    run.simulator.webhooks.create({ url: 'http://agent.test/hook', events: ['message.bounced'] })
    await reply(run, { to: 'bo@gone.example', text: 'Hi' })
    await run.pass('1s')
    expect(run.simulator.deliveries.list()).toMatchObject([
      { event: { type: 'message.bounced' }, message_id: run.simulator.sent()[0]?.id },
    ])
    await reply(run, { text: 'Hi' })
    expect(run.simulator.assumptions.current()['threads.total']).toBe('page-size')
    expect(run.simulator.timeline.played().map(({ problem }) => problem)).toEqual([null, null])
  })

  it('replies minutes later, also from a snapshot, and not after a reset', async () => {
    const run = await open([
      {
        key: 'answer',
        when: { sent: { to: ann }, after: '5m' },
        receive: { in_reply_to: 'sent', text: '{{sent.text}}?' },
      },
    ])
    const { simulator } = run
    await reply(run, { text: 'Soon' })
    await run.pass('4m')
    expect(received(run)).toEqual([])
    expect(simulator.timeline.upcoming()).toEqual([{ name: 'answer', at: '2026-01-05T09:05:00.000Z' }])
    expect(simulator.timeline.left).toBe(1)
    const snapshot = JSON.parse(JSON.stringify(simulator.snapshot()))
    simulator.reset()
    await run.pass('10m')
    expect(received(run)).toEqual([])
    simulator.restore(snapshot)
    // Marked read after the reply: the answer makes the thread unread.
    simulator.threads.markRead(run.idOf('Refund'))
    await run.pass('1m')
    expect(received(run)).toEqual(['Soon?'])
    expect(simulator.threads.list().find(({ subject }) => subject === 'Refund')?.unread).toBe(true)
    expect(simulator.timeline.left).toBe(0)
    expect(simulator.timeline.played()).toMatchObject([
      { name: 'answer', at: '2026-01-05T09:05:00.000Z', problem: null, triggered: true },
    ])
  })

  it('replies each time, from the nth message on', async () => {
    const run = await open([
      {
        when: { sent: { to: ann }, nth: 2, every: true, after: '1m' },
        receive: { in_reply_to: 'sent', text: '{{sent.text}}?', attachments: [{ text: 'x' }] },
      },
      { when: { sent: {} }, receive: { in_reply_to: 'sent', text: 'First' } },
    ])
    for (const text of ['a', 'b', 'c', 'd']) await reply(run, { text })
    await run.pass('1m')
    expect(received(run)).toEqual(['First', 'b?', 'c?', 'd?'])
    expect(run.simulator.timeline.played().flatMap(({ problem }) => problem ?? [])).toEqual([])
  })

  it('begins a new thread each time', async () => {
    const run = await open([
      {
        when: { sent: { to: ann }, every: true },
        receive: { to: 'support', from: 'Bo <bo@mail.example>', subject: 'And me?', text: 'Hi' },
      },
    ])
    for (const text of ['a', 'b', 'c']) await reply(run, { text })
    expect(run.simulator.threads.list().filter(({ subject }) => subject === 'And me?')).toHaveLength(3)
  })

  it('is seen by expectations after the message that it replies to', async () => {
    const run = await open(branches, [
      { sent: { to: ann, text: '/order number/i' }, times: 1 },
      { thread: 'refund', identity: 'support', has: { message_count: 3 } },
    ])
    await reply(run, { text: 'Order number?' })
    expect(run.passed()).toEqual([true, true])
  })

  it.each([
    [{ when: { request: 'threads.list' }, receive: { in_reply_to: 'sent', text: '!' } }],
    [{ when: { sent: {} }, receive: { in_reply_to: 'sent', to: 'support', text: '!' } }],
    [{ when: { sent: {} }, receive: { in_reply_to: 'sent', text: '{{sent.body}}' } }],
    [{ after: '1s', receive: { to: 'support', subject: 'A', text: '{{sent.text}}' } }],
    [{ when: { sent: { thread: 'refnud' } }, assume: {} }],
    [{ when: { sent: {}, request: 'threads.list' }, assume: {} }],
    [{ when: { request: 'threads.list', every: true }, assume: {} }],
    [{ when: { delivery: 'message.received', after: '1m' }, assume: {} }],
  ] satisfies [NonNullable<ScenarioInput['timeline']>[number]][])('is refused as %j', async (entry) => {
    const problem = await open([entry]).catch((error: Error) => error.message)
    expect(problem).toMatchSnapshot()
  })
})
