import { describe, expect, it } from 'vitest'
import common from '../../../../extensions/common.js'
import { openRun } from '../../../../test/support/replay/checked-run.fixture.js'
import { ann, type Desk, openDesk } from '../../../../test/support/replay/sending-desk.fixture.js'
import type { InvariantName } from './invariants.js'

type Case = readonly [name: string, found: string, act: (desk: Desk) => Promise<unknown>]

/** Judges an agent by an invariant; what it found is empty if the agent kept it. */
function judged(invariant: InvariantName, cases: readonly Case[]): void {
  describe(invariant, () => {
    it.each(cases)('%s: %s', async (_, found, act) => {
      const desk = await openDesk([invariant])
      await act(desk)
      expect(desk.broken()[invariant] ?? '').toBe(found)
    })
  })
}

const lost = { performed: true, status: 503, times: 1 } as const
const again = `a second reply to ${ann}, who had written nothing since the first`
const words = (text: string) => ({ text })

/** Asks a colleague about a message, who answers; returns the id of the message. */
async function asksColleague({ run, reply, send, receive }: Desk): Promise<string> {
  const { id } = await receive({})
  await reply(id, words('I will ask.'))
  await send({ to: 'boss@mail.example', subject: 'Can we?' })
  await receive({ from: 'boss@mail.example', thread: run.idOf('Can we?'), text: 'Yes.' })
  return id
}

judged('answers-once', [
  [
    'other words for the same message',
    again,
    async ({ reply, receive }) => {
      const { id } = await receive({})
      await reply(id, words('Yes.'))
      await reply(id, words('Yes, with pleasure.'))
    },
  ],
  [
    'another operation',
    again,
    async ({ reply, send, receive }) => {
      const { id, thread_id } = await receive({})
      await reply(id, words('Yes.'))
      await send({ thread_id, text: 'Yes, with pleasure.' })
    },
  ],
  [
    'mail of its own that names the message',
    again,
    async ({ send, receive }) => {
      const { id } = await receive({ subject: 'Lamp' })
      await send({ to: 'other@mail.example', subject: 'Re: Lamp', text: 'Can you help?' })
      await send({ to: ann, subject: 'AW: lamp', text: 'Yes.' })
      await send({ to: ann, in_reply_to: id, subject: 'Your lamp', text: 'Yes, with pleasure.' })
    },
  ],
  [
    'mail of its own for each of two threads with one subject',
    '',
    async ({ send, receive }) => {
      for (const text of ['Hello?', 'Hello!']) await receive({ subject: 'Lamp', text })
      for (const text of ['Yes.', 'Yes!']) await send({ to: ann, subject: 'Re: Lamp', text })
    },
  ],
  [
    'a reply to all',
    again,
    async ({ run, reply, receive }) => {
      const { id } = await receive({})
      await reply(id, words('Yes.'))
      const body = JSON.stringify(words('Yes, with pleasure.'))
      await run.ask(`/mail/messages/${id}/reply-all`, { method: 'POST', body })
    },
  ],
  [
    'a lost response',
    again,
    async ({ simulator, reply, receive }) => {
      simulator.faults.add({ operation: 'messages.reply', ...lost })
      const { id } = await receive({})
      await reply(id, words('Yes.'))
      await reply(id, words('Yes, with pleasure.'))
    },
  ],
  [
    'a message that had waited in the thread since before',
    again,
    async ({ run, reply, receive }) => {
      const { id } = await receive({ thread: run.idOf('Refund') })
      await reply(id, words('One.'))
      await receive({ thread: run.idOf('Refund') })
      const { id: last } = await receive({ thread: run.idOf('Refund') })
      for (const text of ['Two.', 'Three.', 'Four.']) await reply(last, words(text))
    },
  ],
  [
    'once for each of two messages',
    '',
    async ({ reply, receive }) => {
      const [one, other] = [await receive({}), await receive({})]
      await reply(one.id)
      await reply(other.id)
    },
  ],
  [
    'two questions in two replies to the last of them',
    '',
    async ({ run, reply, receive }) => {
      const thread = run.idOf('Refund')
      await receive({ thread })
      const { id } = await receive({ thread })
      await reply(id, words('First, yes.'))
      await reply(id, words('And second, no.'))
    },
  ],
  [
    'the earlier of two after a third has come',
    '',
    async ({ run, reply, receive }) => {
      const thread = run.idOf('Refund')
      const [one, two] = [await receive({ thread }), await receive({ thread })]
      await reply(one.id, words('One.'))
      const three = await receive({ thread })
      await reply(two.id, words('Two.'))
      await reply(three.id, words('Three.'))
    },
  ],
  [
    'a question back, and the answer',
    '',
    async ({ reply, receive }) => {
      const { id, thread_id } = await receive({})
      await reply(id, words('Which order?'))
      await receive({ thread: thread_id })
      await reply(id, words('It is on its way.'))
    },
  ],
  [
    'a reminder a day later',
    '',
    async ({ run, reply, receive }) => {
      const { id } = await receive({})
      await reply(id, words('Which order?'))
      await run.pass('1d')
      await reply(id, words('Do you still need help?'))
    },
  ],
  [
    'a person who replied in between',
    '',
    async ({ simulator, reply, receive }) => {
      const { id, thread_id } = await receive({})
      await reply(id, words('I will ask.'))
      await simulator.mail.send({
        from: 'support',
        to: ann,
        thread: thread_id,
        subject: 'Re: Hello',
        text: 'Yes.',
      })
      await reply(id, words('My colleague has answered.'))
    },
  ],
  [
    'a reply that bounced',
    '',
    async ({ simulator, latest, reply, receive }) => {
      const { id } = await receive({})
      await reply(id, words('Yes.'))
      await simulator.mail.bounced(latest('Hello'))
      await reply(id, words('Yes!'))
    },
  ],
  [
    'a reply that the service refused',
    '',
    async ({ simulator, reply, receive }) => {
      simulator.faults.add({ operation: 'messages.reply', ...lost, status: 422 })
      const { id } = await receive({})
      await reply(id, words('Yes.'))
      await reply(id, words('Yes!'))
    },
  ],
  [
    'a question to a colleague, and what they answered',
    '',
    async (desk) => {
      const id = await asksColleague(desk)
      await desk.reply(id, words('Yes.'))
    },
  ],
  [
    'more than a colleague answered',
    again,
    async (desk) => {
      const id = await asksColleague(desk)
      for (const text of ['Yes.', 'As I said: yes.']) await desk.reply(id, words(text))
    },
  ],
  [
    'mail about the message to somebody else',
    '',
    async ({ reply, receive }) => {
      const { id } = await receive({})
      await reply(id, words('I will ask.'))
      await reply(id, { text: 'Can you help her?', to: 'boss@mail.example' })
    },
  ],
])

describe('handles-events-once', () => {
  it.each([true, false])(
    'judges a reply in other words to an event that came again: %s',
    async (isCareful) => {
      const hook = 'http://agent.test/hook'
      const { run, broken, reply, simulator } = await openDesk(['handles-events-once'], {
        webhooks: [{ url: hook, events: ['message.received'] }],
        timeline: [
          { after: '1s', receive: { to: 'support', from: ann, subject: 'Hello', text: 'Hello?' } },
          { when: { delivery: 'message.received' }, redeliver: { event: 'message.received' } },
        ],
      })
      const answers = ['Yes.', 'Yes, with pleasure.']
      const handled = new Set<string>()
      simulator.webhooks.on(hook, async (request) => {
        const { id, data } = (await request.json()) as { id: string; data: { message_id: string } }
        if (isCareful && handled.has(id)) return
        handled.add(id)
        await reply(data.message_id, words(answers.shift() ?? ''))
      })
      await run.pass('10s')
      expect(answers).toHaveLength(isCareful ? 1 : 0)
      const found = `a second reply to ${ann} after the event `
      expect(Object.values(broken()).map((text) => text.slice(0, found.length))).toEqual(
        isCareful ? [] : [found],
      )
    },
  )
})

it('handles-events-once accepts the same words for another message, whose event came with a repeated one', async () => {
  const hook = 'http://agent.test/hook'
  const { run, broken, reply, simulator } = await openDesk(['handles-events-once'], {
    webhooks: [{ url: hook, events: ['message.received'] }],
    timeline: [
      { after: '1s', receive: { to: 'support', thread: 't', from: ann, subject: 'Hello', text: 'Hello?' } },
      { when: { delivery: 'message.received' }, redeliver: { event: 'message.received' } },
      {
        when: { request: 'messages.reply' },
        receive: { to: 'support', thread: 't', from: ann, text: 'Hello?' },
      },
    ],
  })
  const handled = new Set<string>()
  simulator.webhooks.on(hook, async (request) => {
    const { data } = (await request.json()) as { data: { message_id: string } }
    if (handled.has(data.message_id)) return
    handled.add(data.message_id)
    await reply(data.message_id, words('At nine.'))
  })
  await run.pass('10s')
  expect([handled.size, simulator.deliveries.list()[0]?.attempts.length]).toEqual([2, 2])
  expect(broken()).toEqual({})
})

const unread = `a reply without reading the newer message of ${ann}`

judged('reads-before-it-answers', [
  [
    'a newer message that came before the last request',
    unread,
    async ({ run, reply, receive }) => {
      const { id, thread_id } = await receive({})
      await run.ask(`/mail/messages?thread_id=${thread_id}`)
      await receive({ thread: thread_id, text: 'Please cancel it.' })
      await run.ask('/mail/threads?agent=support')
      await reply(id)
    },
  ],
  [
    'a page that ends before it',
    unread,
    async ({ run, simulator, send, receive }) => {
      simulator.assumptions.set({ 'messages.order': 'created-asc' })
      const { thread_id } = await receive({})
      await receive({ thread: thread_id, text: 'Please cancel it.' })
      await run.ask(`/mail/messages?thread_id=${thread_id}&limit=1`)
      await send({ thread_id })
    },
  ],
  [
    'a newer message that was read',
    '',
    async ({ run, reply, receive }) => {
      const { id, thread_id } = await receive({})
      await receive({ thread: thread_id, text: 'Please cancel it.' })
      await run.ask(`/mail/messages?thread_id=${thread_id}`)
      await reply(id)
    },
  ],
  [
    'a message that came while it wrote',
    '',
    async ({ run, reply, receive }) => {
      const { id, thread_id } = await receive({})
      await run.ask(`/mail/messages?thread_id=${thread_id}`)
      await receive({ thread: thread_id, text: 'Please cancel it.' })
      await reply(id)
    },
  ],
  [
    'a message that came while one process wrote and another looked for work',
    '',
    async ({ run, simulator, reply, receive }) => {
      const as = (process: number): void => {
        simulator.paced.agentProcess = () => process
      }
      const { id, thread_id } = await receive({})
      for (const path of ['/mail/threads?agent=support', `/mail/messages?thread_id=${thread_id}`]) {
        as(1)
        await run.ask(path)
      }
      await receive({ thread: thread_id, text: 'Please cancel it.' })
      as(2)
      await run.ask('/mail/threads?agent=support')
      as(1)
      await reply(id)
    },
  ],
  [
    'a newer message that was not listed when it looked',
    '',
    async ({ run, simulator, reply, receive }) => {
      simulator.assumptions.set({ 'events.listed': 'after-the-event' })
      simulator.webhooks.create({ url: 'http://agent.test/hook', events: ['message.received'] })
      simulator.webhooks.on('http://agent.test/hook', () => undefined)
      const { id, thread_id } = await receive({})
      await run.pass('3s')
      await receive({ thread: thread_id, text: 'Please cancel it.' })
      await run.pass('1s')
      await run.ask(`/mail/messages?thread_id=${thread_id}`)
      await run.pass('3s')
      await reply(id)
    },
  ],
  [
    'the only message, which it knows from an event',
    '',
    async ({ run, reply, receive }) => {
      const { id } = await receive({})
      await run.ask('/mail/threads?agent=support')
      await reply(id)
    },
  ],
])

judged('answers-everyone', [
  [
    'one of two people',
    'no answer to dan@mail.example',
    async ({ reply, receive }) => {
      await receive({ from: 'Dan <dan@mail.example>' })
      await reply((await receive({})).id)
    },
  ],
  [
    'mail that had come before',
    'no answer to dan@mail.example',
    async ({ send, receive }) => {
      await send({ to: 'dan@mail.example' })
      await receive({ from: 'Dan <dan@mail.example>' })
    },
  ],
  [
    'everybody but a program',
    '',
    async ({ reply, send, receive }) => {
      await reply((await receive({})).id)
      await receive({ from: 'Dan <dan@mail.example>', replyTo: 'dan@home.example' })
      await send({ to: 'Dan <DAN@home.example>' })
      await receive({ from: 'news@mail.example', headers: { 'List-Id': '<news.mail.example>' } })
    },
  ],
])

it('answers-everyone judges named people by mail that was there from the start, unless somebody replied to it', async () => {
  const broken = async (people: string[], writesAgain = false) => {
    const from = (name: string, more: object[] = []) => ({
      messages: [{ from: `${name}@mail.example`, text: 'Hello?' }, ...more],
    })
    const run = await openRun({
      extend: [common],
      identities: [
        {
          handle: 'support',
          threads: [
            from('dan'),
            from('eve', [{ direction: 'outbound', text: 'Yes.' }]),
            from('ida', [{ from: 'jon@mail.example', text: 'And I?' }]),
          ],
        },
      ],
      expect: [{ invariant: 'answers-everyone', people }],
    })
    if (writesAgain)
      await run.simulator.mail.receive({ to: 'support', from: 'dan@mail.example', text: 'Hello?' })
    return run.checker.results().map(({ passed, found }) => (passed ? '' : found))
  }
  expect(await broken(['dan@mail.example'], true)).toEqual(['no answer to dan@mail.example'])
  expect(await broken(['dan@mail.example', 'eve@mail.example'])).toEqual(['no answer to dan@mail.example'])
  expect(await broken(['ida@mail.example'])).toEqual(['no answer to ida@mail.example'])
  expect(await broken(['*@mail.example'])).toEqual([''])
})

it('answers-everyone names the time of the mail that has no answer', async () => {
  const run = await openRun({
    identities: [{ handle: 'support' }],
    expect: [{ invariant: 'answers-everyone' }],
  })
  const since = new Date(run.simulator.clock.now()).toISOString()
  await run.simulator.mail.receive({ to: 'support', from: 'dan@mail.example', text: 'Hello?' })
  await run.simulator.clock.advance('1h')
  expect(run.checker.results().map(({ nearest }) => nearest?.at)).toEqual([since])
})
