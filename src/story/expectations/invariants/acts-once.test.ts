import { describe, expect, it } from 'vitest'
import { ann, type Desk, openDesk } from '../../../../test/support/replay/sending-desk.fixture.js'
import type { ScenarioInput } from '../../format/scenario.js'
import { ExpectationChecker } from '../expectation-checker.js'

const lost = { performed: true, status: 503, times: 1 } as const
const words = (text: string) => ({ text })
const boss = 'boss@mail.example'
const notice = { to: boss, subject: 'New mail', text: 'A customer has written.' }
const again = `the same message sent again to ${ann}`

/** Reads a thread, as an agent does that looks for something to do. */
const read = ({ run }: Desk, thread: string) => run.ask(`/mail/messages?thread_id=${thread}`)

describe('acts-once', () => {
  it.each<[string, string, (desk: Desk) => Promise<unknown>]>([
    [
      'repeats a reply whose response was lost',
      again,
      async ({ simulator, reply, get }) => {
        simulator.faults.add({ operation: 'messages.reply', ...lost })
        const { id } = await get()
        for (const _ of [1, 2]) await reply(id)
      },
    ],
    [
      'repeats a reply after somebody else has written',
      again,
      async ({ reply, get }) => {
        const { id } = await get()
        await reply(id)
        await get({ from: 'dan@mail.example', subject: 'A chair' })
        await reply(id)
      },
    ],
    [
      'repeats a reply after the bounce of another one',
      again,
      async ({ simulator, reply, get, latest }) => {
        const { id } = await get()
        await reply(id)
        await reply((await get({ from: 'dan@mail.example', subject: 'A chair' })).id)
        await simulator.mail.bounced(latest('A chair'))
        await reply(id)
      },
    ],
    [
      'repeats new mail whose response was lost',
      again,
      async ({ simulator, send, get }) => {
        await get()
        simulator.faults.add({ operation: 'messages.send', ...lost })
        for (const _ of [1, 2]) await send({})
      },
    ],
    [
      'repeats mail to a thread',
      again,
      async ({ send, get }) => {
        const { thread_id } = await get()
        for (const _ of [1, 2]) await send({ thread_id })
      },
    ],
    [
      'sends a copy of what it has sent',
      again,
      async ({ reply, get }) => {
        const { id } = await get()
        await reply(id)
        await reply(id, { to: boss, cc: `Ann Lee <${ann.toUpperCase()}>` })
      },
    ],
    [
      'tells a colleague more often than there are messages',
      `the same message sent again to ${boss}`,
      async ({ simulator, get, send }) => {
        for (const name of ['dan', 'eve']) await get({ from: `${name}@mail.example`, subject: name })
        simulator.faults.add({ operation: 'messages.send', ...lost })
        for (const _ of [1, 2, 3]) await send(notice)
      },
    ],
    [
      'tells a colleague of one message twice',
      `the same message sent again to ${boss}`,
      async (desk) => {
        const { thread_id } = await desk.get({ from: 'eve@mail.example', subject: 'eve' })
        await desk.send(notice)
        await read(desk, thread_id)
        await desk.send(notice)
      },
    ],
    [
      'tells a colleague twice, who has written once',
      `the same message sent again to ${boss}`,
      async ({ get, send }) => {
        for (const from of [boss, 'dan@mail.example']) await get({ from, subject: from })
        for (const _ of [1, 2]) await send(notice)
      },
    ],
    [
      'answers again in other words after it was started again',
      `a second reply to ${ann} after the agent was started again`,
      async (desk) => {
        desk.start(1)
        const { id, thread_id } = await desk.get()
        await desk.reply(id, words('Yes.'))
        desk.start(2)
        await read(desk, thread_id)
        await desk.reply(id, words('Yes, with pleasure.'))
      },
    ],
    [
      'runs twice, and tells a colleague of the same',
      'the same write again after the agent was started again',
      async (desk) => {
        for (const name of ['dan', 'eve']) await desk.get({ from: `${name}@mail.example`, subject: name })
        for (const start of [1, 2]) {
          desk.start(start)
          await desk.send(notice)
        }
      },
    ],
  ])('names an agent that %s', async (_name, found, act) => {
    const desk = await openDesk(['acts-once'])
    await act(desk)
    expect(desk.broken()).toEqual({ 'acts-once': found })
  })

  it.each<[string, (desk: Desk) => Promise<unknown>]>([
    [
      'sends a receipt and then the answer',
      async ({ reply, get }) => {
        const { id } = await get()
        await reply(id, words('We have it.'))
        await reply(id, words('It is on its way.'))
      },
    ],
    [
      'marks a thread as read in each of its copies',
      async (desk) => {
        const { thread_id } = await desk.get()
        for (const start of [1, 2]) {
          desk.start(start)
          await desk.run.ask(`/mail/threads/${thread_id}/read`, { method: 'POST', body: '{}' })
        }
      },
    ],
    [
      'answers the second mail of a thread without naming it, after it was started again',
      async (desk) => {
        desk.start(1)
        const { thread_id } = await desk.receive({})
        await desk.receive({ thread: thread_id })
        await read(desk, thread_id)
        await desk.send({ thread_id, text: 'One.' })
        desk.start(2)
        await desk.send({ thread_id, text: 'Two.' })
      },
    ],
    [
      'tells a colleague of new mail after it was started again',
      async (desk) => {
        for (const [index, name] of ['dan', 'eve'].entries()) {
          desk.start(index + 1)
          await desk.get({ from: `${name}@mail.example`, subject: name })
          await desk.send(notice)
        }
      },
    ],
    [
      'repeats mail that bounced, after it was started again',
      async (desk) => {
        desk.start(1)
        const { id } = await desk.get()
        await desk.reply(id)
        await desk.simulator.mail.bounced(desk.latest('Hello'))
        desk.start(2)
        await desk.reply(id)
      },
    ],
    [
      'sends equal answers to two mails',
      async ({ reply, get }) => {
        const [one, other] = [await get(), await get()]
        for (const { id } of [one, other]) await reply(id)
      },
    ],
    [
      'sends equal answers to two mails of a thread, without naming them',
      async ({ receive, send, run }) => {
        const { thread_id } = await receive({})
        await receive({ thread: thread_id })
        await run.ask(`/mail/messages?thread_id=${thread_id}`)
        for (const _ of [1, 2]) await send({ thread_id })
      },
    ],
    [
      'repeats mail with its key',
      async ({ simulator, reply, get }) => {
        simulator.assumptions.set({ 'common.idempotency': 'replayed' })
        simulator.faults.add({ ...lost, operation: 'messages.reply' })
        const { id } = await get()
        for (const key of ['a', 'a']) await reply(id, {}, { 'idempotency-key': key })
      },
    ],
    [
      'repeats mail that was not sent',
      async ({ simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', status: 503, times: 1 })
        for (const _ of [1, 2]) await send({})
      },
    ],
    [
      'repeats mail that the service said it refused',
      async ({ simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', ...lost, status: 422 })
        for (const _ of [1, 2]) await send({})
      },
    ],
    [
      'repeats mail that bounced',
      async ({ simulator, reply, get, latest }) => {
        const { id } = await get()
        for (const recipient of [ann, undefined, undefined]) {
          await reply(id)
          await simulator.mail.bounced(latest('Hello'), recipient)
        }
      },
    ],
    [
      'answers again when it was asked again',
      async ({ reply, get }) => {
        const { id, thread_id } = await get()
        await reply(id)
        await get({ thread: thread_id })
        await reply(id)
      },
    ],
    [
      'tells a colleague of each message, one after the other',
      async ({ get, send }) => {
        await get({ from: boss, subject: 'Well done' })
        for (const name of ['dan', 'eve', 'flo']) {
          await get({ from: `${name}@mail.example`, subject: name })
          await send(notice)
        }
      },
    ],
    [
      'tells a colleague of two messages that it read together',
      async ({ receive, send, run }) => {
        for (const name of ['dan', 'eve']) await receive({ from: `${name}@mail.example`, subject: name })
        await run.ask('/mail/messages?agent=support')
        for (const thread of ['dan', 'eve']) await run.read(thread)
        for (const _ of [1, 2]) await send(notice)
      },
    ],
    [
      'tells a colleague of two messages in one thread',
      async ({ get, send, simulator }) => {
        await send({ to: 'chief@mail.example', subject: 'Log', text: 'Begins.' })
        const thread = simulator.sent().at(-1)?.thread_id
        await get({ from: 'chief@mail.example', thread, text: 'Go on.' })
        for (const name of ['dan', 'eve']) {
          await get({ from: `${name}@mail.example`, subject: name })
          await send({ ...notice, to: 'chief@mail.example', thread_id: thread })
        }
      },
    ],
    [
      'reminds somebody a day later, in the same words',
      async ({ run, reply, get }) => {
        const { id } = await get()
        await reply(id)
        await run.pass('1d')
        await reply(id)
      },
    ],
    [
      'asks again a day later, when it was started again',
      async (desk) => {
        desk.start(1)
        const { id } = await desk.get()
        await desk.reply(id, words('Which order?'))
        await desk.run.pass('25h')
        desk.start(2)
        await desk.reply(id, words('Do you still need help?'))
      },
    ],
    [
      'sends two different messages to one person, and one message to two',
      async ({ send, run }) => {
        await send({ thread_id: run.idOf('Refund') })
        await send({ thread_id: run.idOf('Parcel') })
        await send({ attachments: [{ filename: 'a.txt', content: 'YQ==' }] })
        await send({ attachments: [{ filename: 'a.txt', content: 'Yg==' }] })
        await send({ to: 'carl@mail.example' })
      },
    ],
    [
      'sets its name again after it was started again',
      async ({ run, start }) => {
        for (const one of [1, 2]) {
          start(one)
          await run.rename('Busy')
        }
      },
    ],
    [
      'answers new mail in the same words after it was started again',
      async ({ get, reply, start }) => {
        for (const one of [1, 2]) {
          start(one)
          await reply((await get()).id)
        }
      },
    ],
    [
      'did none of what the story and its test send',
      async ({ simulator, run }) => {
        for (const _ of [1, 2]) {
          const thread = run.idOf('Refund')
          await simulator.mail.send({ from: 'support', to: ann, subject: 'Hello', text: 'Hello', thread })
        }
      },
    ],
  ])('does not blame an agent that %s', async (_name, act) => {
    const desk = await openDesk(['acts-once'])
    await act(desk)
    expect(desk.broken()).toEqual({})
  })

  it('with "replies: 1" forbids a second reply in other words, unless something new was read or the first bounced', async () => {
    const { broken, reply, get, simulator, latest } = await openDesk(['acts-once'], { replies: 1 })
    const { id, thread_id } = await get()
    await reply(id, words('Which order?'))
    await get({ thread: thread_id })
    await reply(id, words('It is on its way.'))
    await simulator.mail.bounced(latest('Hello'))
    await reply(id, words('It is really on its way.'))
    expect(broken()).toEqual({})
    await reply(id, words('As I said.'))
    expect(broken()).toEqual({ 'acts-once': `a second reply to ${ann}` })
  })

  it('judges mail with a file after a reset that it outlives', async () => {
    const { simulator, send } = await openDesk(['acts-once'])
    const checker = new ExpectationChecker(simulator, { outlivesReset: true })
    simulator.reset()
    for (const _ of [1, 2]) await send({ attachments: [{ filename: 'a.txt', content: 'YQ==' }] })
    expect(checker.results()).toMatchObject([{ passed: false, found: again }])
  })

  it('says which request did it, and what was before', async () => {
    const { run, reply, get } = await openDesk(['acts-once'])
    const { id } = await get()
    for (const _ of [1, 2]) await reply(id)
    expect(run.lines()).toEqual([
      'failed 0s into the story',
      'expected nothing done twice',
      `found ${again}`,
      `nearest POST /api/v1/mail/messages/${id}/reply 201, 8, 0s`,
      '  request 6 had sent "Re: Hello"',
    ])
  })
})

const hook = 'http://agent.test/hook'
const received: ScenarioInput['webhooks'] = [{ url: hook, events: ['message.received', 'message.bounced'] }]
const redelivered: ScenarioInput['timeline'] = [
  { after: '1s', receive: { to: 'support', from: ann, subject: 'Hello', text: 'Hello?' } },
  { when: { delivery: 'message.received' }, redeliver: { event: 'message.received' } },
]

describe('acts-once, after an event was delivered again', () => {
  it.each([
    ['1h', ['Yes.', 'Yes.'], again],
    ['1h', ['Yes.', 'Yes, with pleasure.'], `a second reply to ${ann} after the event `],
    ['26h', ['Yes.', 'Yes.'], `a second reply to ${ann} after the event `],
    ['26h', ['Yes.', 'Yes, with pleasure.'], `a second reply to ${ann} after the event `],
    ['26h', ['Yes.'], ''],
  ] as const)('%s later, judges the replies %j', async (after, texts, found) => {
    const { run, broken, reply, simulator } = await openDesk(['acts-once'], {
      webhooks: received,
      timeline: [
        { after: '1s', receive: { to: 'support', from: ann, subject: 'Hello', text: 'Hello?' } },
        {
          after: '30m',
          receive: { to: 'support', from: 'dan@mail.example', subject: 'A chair', text: 'Well?' },
        },
        { after, redeliver: { event: 'message.received' } },
      ],
    })
    const answers: string[] = [...texts]
    simulator.webhooks.on(hook, async (request) => {
      const { data } = (await request.json()) as { data: { message_id: string } }
      if (simulator.mail.get(data.message_id).from.includes('dan')) return
      const text = answers.shift()
      if (text !== undefined) await reply(data.message_id, words(text))
    })
    await run.pass('30h')
    expect(answers).toEqual([])
    expect((broken()['acts-once'] ?? '').slice(0, found.length || 200)).toBe(found)
  })

  it('accepts the same words for another message, whose event came with the repeated one', async () => {
    const { run, broken, reply, simulator } = await openDesk(['acts-once'], {
      webhooks: received,
      timeline: [
        ...redelivered,
        { when: { request: 'messages.reply' }, receive: { to: 'support', from: ann, text: 'Hello?' } },
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

  it.each<[string, string, (desk: Desk, message: string, nth: number) => unknown, (desk: Desk) => unknown]>([
    [
      'reminds somebody in between',
      '',
      ({ reply }, message, nth) => nth === 0 && reply(message, words('Which order?')),
      async ({ run, reply, simulator }) => {
        await run.pass('25h')
        const [{ message_id: asked = '' } = {}] = simulator.deliveries.list()
        await reply(asked, words('Do you still need help?'))
      },
    ],
    [
      'handles each event once',
      '',
      ({ run }, _, nth) => nth === 0 && run.rename('Busy'),
      ({ run }) => run.pass('10s'),
    ],
    [
      'handles an event each time',
      'the same write again after the event ID came again',
      ({ run }) => run.rename('Busy'),
      ({ run }) => run.pass('10s'),
    ],
    [
      'notes whose mail it is once more, after another event',
      'the same write again after the event ID came again',
      ({ run }, _, nth) => [0, 3].includes(nth) && run.rename(ann),
      async ({ run, simulator, receive }) => {
        await run.pass('10s')
        await receive({ from: 'dan@mail.example' })
        await run.pass('10s')
        await simulator.deliveries.redeliver(simulator.deliveries.list()[0]?.id ?? '')
      },
    ],
    [
      'notes the same once more after new mail',
      '',
      ({ run }, _, nth) => nth === 0 && run.rename(ann),
      async ({ run, get }) => {
        await run.pass('10s')
        await get({ from: 'dan@mail.example' })
        await run.rename(ann)
      },
    ],
    [
      'writes the same all the time',
      '',
      () => undefined,
      async ({ run }) => {
        await run.rename('Busy')
        await run.pass('10s')
        for (const _ of [1, 2]) await run.rename('Busy')
      },
    ],
    [
      'writes once for each event, long after them',
      '',
      () => undefined,
      async ({ run, receive }) => {
        await receive({ from: 'dan@mail.example' })
        await run.pass('10s')
        for (const _ of [1, 2]) await run.rename('Busy')
      },
    ],
    [
      'repeats a write whose response was malformed',
      '',
      () => undefined,
      async ({ run, simulator }) => {
        await run.pass('10s')
        simulator.faults.add({ operation: 'identities.update', malformed: true, times: 1 })
        for (const _ of [1, 2]) await run.rename('Busy')
      },
    ],
  ])('judges an agent that %s', async (_name, found, handle, act) => {
    const desk = await openDesk(['acts-once'], { webhooks: received, timeline: redelivered })
    let nth = 0
    desk.simulator.webhooks.on(hook, async (request) => {
      const { data } = (await request.json()) as { data: { message_id: string } }
      await handle(desk, data.message_id, nth++)
    })
    await act(desk)
    expect(desk.simulator.deliveries.list()[0]?.attempts.length).toBeGreaterThan(1)
    expect((desk.broken()['acts-once'] ?? '').replace(/evt_\w+/, 'ID')).toBe(found)
  })
})
