import { describe, expect, it } from 'vitest'
import { ann, type Desk, openDesk } from '../../../../test/support/replay/sending-desk.fixture.js'

const all = ['sends-once', 'never-answers-itself', 'answers-no-automatic-mail'] as const

const twice = { 'sends-once': `the same message sent again to ${ann}` }
const itself = { 'never-answers-itself': 'a reply of support@agents.example to itself' }
const lost = { performed: true, status: 503, times: 1 } as const

describe('the invariants of sending', () => {
  it.each<[string, object, (desk: Desk) => Promise<unknown>]>([
    [
      'repeats a reply whose response was lost',
      twice,
      async ({ simulator, reply, latest }) => {
        simulator.faults.add({ operation: 'messages.reply', ...lost })
        const asked = latest('Refund')
        await reply(asked)
        await reply(asked)
      },
    ],
    [
      'repeats new mail whose response was lost',
      twice,
      async ({ simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', ...lost })
        await send({})
        await send({})
      },
    ],
    [
      'repeats mail to a thread',
      twice,
      async ({ send, run }) => {
        await send({ thread_id: run.idOf('Refund') })
        await send({ thread_id: run.idOf('Refund') })
      },
    ],
    [
      'repeats mail with another key each time',
      twice,
      async ({ simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', ...lost })
        simulator.assumptions.set({ 'common.idempotency': 'replayed' })
        await send({}, { 'idempotency-key': 'a' })
        await send({}, { 'idempotency-key': 'b' })
      },
    ],
    [
      'repeats mail with a key that is ignored',
      twice,
      async ({ send }) => {
        await send({}, { 'idempotency-key': 'a' })
        await send({}, { 'idempotency-key': 'a' })
      },
    ],
    [
      'sends a copy of what it has sent',
      twice,
      async ({ reply, latest }) => {
        const asked = latest('Refund')
        await reply(asked)
        await reply(asked, { to: 'boss@mail.example', cc: `Ann Lee <${ann.toUpperCase()}>` })
      },
    ],
    [
      'writes twice to somebody who wrote once',
      { 'sends-once': 'the same message sent again to dan@mail.example' },
      async ({ receive, send }) => {
        await receive({ from: 'Dan <dan@mail.example>' })
        await send({ to: 'dan@mail.example' })
        await send({ to: ['Dan <DAN@mail.example>', 'boss@mail.example'] })
      },
    ],
    [
      'repeats a notice after a lost response, so that there are more than messages',
      { 'sends-once': 'the same message sent again to boss@mail.example' },
      async ({ simulator, receive, send }) => {
        for (const name of ['dan', 'eve']) await receive({ from: `${name}@mail.example`, subject: name })
        simulator.faults.add({ operation: 'messages.send', ...lost })
        for (const _ of [1, 2, 3]) await send({ to: 'boss@mail.example' })
      },
    ],
    [
      'repeats mail after a failed request',
      twice,
      async ({ simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', ...lost })
        simulator.faults.add({ operation: 'messages.send', status: 503, times: 1 })
        for (const _ of [1, 2, 3]) await send({})
      },
    ],
    [
      'replies to the mail that it sent',
      itself,
      async ({ reply, latest }) => {
        await reply(latest('Refund'))
        await reply(latest('Refund'), { text: 'You are welcome.' })
      },
    ],
    [
      'replies to mail from its own address',
      itself,
      async ({ receive, reply }) => {
        const { id } = await receive({ from: 'Support <SUPPORT@agents.example>' })
        await reply(id)
      },
    ],
    [
      'writes to a thread in which it received only its own mail',
      itself,
      async ({ receive, send }) => {
        const { thread_id } = await receive({ from: 'support@agents.example' })
        await send({ thread_id, to: 'support@agents.example' })
      },
    ],
  ])('name an agent that %s', async (_name, expected, act) => {
    const desk = await openDesk(all)
    await act(desk)
    expect(desk.broken()).toEqual(expected)
  })

  it.each<[string, (desk: Desk) => Promise<unknown>]>([
    [
      'repeats mail with its key',
      async ({ simulator, send, reply, latest }) => {
        simulator.assumptions.set({ 'common.idempotency': 'replayed' })
        simulator.faults.add({ ...lost, times: 2 })
        const asked = latest('Refund')
        for (const key of ['a', 'a']) {
          await send({}, { 'idempotency-key': key })
          await reply(asked, {}, { 'idempotency-key': key })
        }
        const [relied] = simulator.reliances().filter(({ gap }) => gap === 'common.idempotency')
        expect(relied).toMatchObject({
          assumption: 'replayed',
          operations: ['messages.send', 'messages.reply'],
        })
      },
    ],
    [
      'repeats mail that was not sent',
      async ({ simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', status: 503, times: 1 })
        await send({})
        await send({})
      },
    ],
    [
      'repeats mail that the service said it refused',
      async ({ simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', ...lost, status: 422 })
        await send({})
        await send({})
      },
    ],
    [
      'repeats mail that bounced',
      async ({ simulator, reply, latest }) => {
        const asked = latest('Refund')
        for (const recipient of [ann, undefined, undefined]) {
          await reply(asked)
          await simulator.mail.bounced(latest('Refund'), recipient)
        }
      },
    ],
    [
      'writes the same to its boss about each customer',
      async ({ receive, send, simulator }) => {
        for (const name of ['dan', 'eve', 'flo']) {
          await receive({ from: `${name}@mail.example`, subject: name })
          if (name === 'dan') simulator.faults.add({ operation: 'messages.send', ...lost })
          await send({ to: 'boss@mail.example' })
        }
      },
    ],
    [
      'writes the same to its boss about each customer after the boss has answered',
      async ({ receive, send }) => {
        await send({ to: 'boss@mail.example' })
        await receive({ from: 'boss@mail.example', subject: 'Thanks' })
        for (const _ of [1, 2]) await receive({})
        for (const _ of [1, 2, 3]) await send({ to: 'boss@mail.example', text: 'Somebody has written.' })
      },
    ],
    [
      'passes on equal words of two customers to a boss who has written',
      async ({ receive, send }) => {
        await receive({ from: 'boss@mail.example', subject: 'Thanks' })
        for (const name of ['dan', 'eve']) {
          await receive({ from: `${name}@mail.example`, text: 'When do you open?' })
          await send({ to: 'boss@mail.example', text: 'A customer asks:\n\nWhen do you open?' })
        }
      },
    ],
    [
      'writes the same to its boss about each old message that it lists',
      async ({ run, send, receive }) => {
        for (const name of ['dan', 'eve']) await receive({ from: `${name}@mail.example`, subject: name })
        await run.pass('3d')
        await run.ask('/mail/threads?agent=support')
        for (const _ of [1, 2]) await send({ to: 'boss@mail.example' })
      },
    ],
    [
      'goes on with the next message after a lost response',
      async ({ simulator, receive, send }) => {
        for (const name of ['dan', 'eve']) await receive({ from: `${name}@mail.example`, subject: name })
        simulator.faults.add({ operation: 'messages.send', ...lost })
        for (const _ of [1, 2]) await send({ to: 'boss@mail.example' })
      },
    ],
    [
      'has seen that the lost message was sent before it writes the next',
      async ({ run, simulator, send }) => {
        simulator.faults.add({ operation: 'messages.send', ...lost })
        await send({ to: 'boss@mail.example' })
        await run.ask('/mail/messages?agent=support')
        await send({ to: 'boss@mail.example' })
      },
    ],
    [
      'has repeated the lost message with its key before it writes the next',
      async ({ simulator, send }) => {
        simulator.assumptions.set({ 'common.idempotency': 'replayed' })
        simulator.faults.add({ operation: 'messages.send', ...lost })
        for (const key of ['a', 'a', 'b']) await send({ to: 'boss@mail.example' }, { 'idempotency-key': key })
      },
    ],
    [
      'passes on two equal messages',
      async ({ run, simulator, receive }) => {
        const mails = [await receive({}), await receive({})]
        simulator.faults.add({ operation: 'messages.forward', ...lost })
        for (const { id } of mails) {
          const body = JSON.stringify({ to: 'boss@mail.example' })
          await run.ask(`/mail/messages/${id}/forward`, { method: 'POST', body })
        }
      },
    ],
    [
      'passes on mail of its own and of a list',
      async ({ receive, reply }) => {
        const own = await receive({ from: 'support@agents.example', to: ['support', 'boss@mail.example'] })
        await reply(own.id, { to: 'boss@mail.example' })
        const news = await receive({ headers: { 'List-Id': '<news.mail.example>' }, subject: 'News' })
        await reply(news.id, { to: 'boss@mail.example' })
      },
    ],
    [
      'replies to the same message with the same text days later',
      async ({ run, reply, latest }) => {
        const asked = latest('Refund')
        await reply(asked)
        await run.pass('2d')
        await reply(asked)
      },
    ],
    [
      'sends two different messages to one person',
      async ({ send, reply, latest, run }) => {
        await reply(latest('Refund'))
        await send({ thread_id: run.idOf('Refund'), text: 'It is on its way.' })
        await send({ text: 'One more thing.' })
        await send({ attachments: [{ filename: 'a.txt', content: 'YQ==' }] })
        await send({ attachments: [{ filename: 'a.txt', content: 'Yg==' }] })
      },
    ],
    [
      'sends one message to two people',
      async ({ send }) => {
        await send({ to: [ann, 'bob@mail.example'] })
        await send({ to: 'carl@mail.example' })
      },
    ],
    [
      'replies to each of two equal questions',
      async ({ receive, reply }) => {
        const [one, other] = [await receive({}), await receive({})]
        await reply(one.id)
        await reply(other.id)
      },
    ],
    [
      'writes once for each question that waits',
      async ({ receive, send }) => {
        for (const _ of [1, 2]) await receive({ from: 'Dan <dan@mail.example>' })
        for (const _ of [1, 2]) await send({ to: 'dan@mail.example' })
      },
    ],
    [
      'writes again to a thread when asked again',
      async ({ receive, send }) => {
        const { thread_id } = await receive({ from: 'Dan <dan@mail.example>' })
        await send({ thread_id, to: 'dan@mail.example' })
        await receive({ from: 'Dan <dan@mail.example>', thread: thread_id })
        await send({ thread_id, to: 'dan@mail.example' })
      },
    ],
    [
      'writes the same to two threads',
      async ({ send, run }) => {
        await send({ thread_id: run.idOf('Refund') })
        await send({ thread_id: run.idOf('Parcel') })
      },
    ],
    [
      'reminds somebody a day later',
      async ({ run, send, reply, latest }) => {
        await send({ thread_id: run.idOf('Refund') })
        await run.pass('1d')
        await send({ thread_id: run.idOf('Refund') })
        await run.pass('1d')
        await reply(latest('Refund'))
      },
    ],
    [
      'passes on what it has sent',
      async ({ reply, latest, run }) => {
        await reply(latest('Refund'))
        const path = `/mail/messages/${latest('Refund')}/forward`
        await run.ask(path, { method: 'POST', body: JSON.stringify({ to: 'boss@mail.example' }) })
      },
    ],
    [
      'writes to itself',
      async ({ send }) => {
        await send({ to: 'support@agents.example' })
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
  ])('do not blame an agent that %s', async (_name, act) => {
    const desk = await openDesk(all)
    await act(desk)
    expect(desk.broken()).toEqual({})
  })

  it.each<[Readonly<Record<string, string>>, string | undefined]>([
    [{ 'Auto-Submitted': 'auto-replied; owner-email="ann@mail.example"' }, 'Auto-Submitted: auto-replied'],
    [{ 'auto-submitted': 'AUTO-GENERATED' }, 'auto-submitted: AUTO-GENERATED'],
    [{ Precedence: 'Bulk' }, 'Precedence: Bulk'],
    [{ Precedence: 'list' }, 'Precedence: list'],
    [{ 'List-Id': 'News <news.mail.example>' }, 'List-Id: News'],
    [{ 'Return-Path': '<>' }, 'Return-Path: <>'],
    [{ Precedence: 'auto_reply' }, 'Precedence: auto_reply'],
    [{ 'List-Unsubscribe': '<https://shop.example/u>' }, 'List-Unsubscribe: <https://shop.example/u>'],
    [{ 'X-Autoreply': 'yes' }, 'X-Autoreply: yes'],
    [{ 'X-Autorespond': 'Away' }, 'X-Autorespond: Away'],
    [{ 'X-Autoreply': '' }, 'X-Autoreply: '],
    [{ 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }, 'X-Auto-Response-Suppress: DR'],
    [{ 'X-Auto-Response-Suppress': 'DR, RN, NRN' }, undefined],
    [{ 'Auto-Submitted': 'no', Precedence: 'first-class', 'Return-Path': `<${ann}>` }, undefined],
    [{ 'Auto-Submitted': 'No (a person)' }, undefined],
    [{ constructor: 'x', 'X-Auto-Submitted': 'auto-replied' }, undefined],
  ])('know automatic mail by its header: %o', async (headers, mark) => {
    const { run, broken, receive, reply, send } = await openDesk(all)
    const { id, thread_id } = await receive({ headers })
    await reply(id)
    const found = broken()['answers-no-automatic-mail']
    if (mark === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(`a reply to automatic mail, ${mark}`)
    await run.simulator.reset()
    expect(broken()).toEqual({})
    const again = await receive({ headers })
    await send({ thread_id: again.thread_id })
    expect(broken()['answers-no-automatic-mail'] === undefined).toBe(mark === undefined)
    expect(thread_id).toBe(again.thread_id)
  })

  it('know a report by its type', async () => {
    const { broken, simulator, reply } = await openDesk(all)
    const type = 'multipart/report; report-type=disposition-notification; boundary=b'
    const eml = [
      `From: ${ann}\nTo: support@agents.example\nSubject: Read: Hello\nContent-Type: ${type}`,
      '--b\nContent-Type: text/plain\n\nIt was read.\n--b--\n',
    ].join('\n\n')
    const { message } = await simulator.mail.receive({ eml })
    await reply(message.id)
    expect(broken()['answers-no-automatic-mail']).toMatch(/^a reply to automatic mail, Content-Type: /i)
  })

  it('name an agent that writes to a thread because of an away notice', async () => {
    const { run, broken, receive, send } = await openDesk(all)
    const thread = run.idOf('Refund')
    await send({ thread_id: thread, text: 'It is closed.' })
    expect(broken()).toEqual({})
    await receive({ headers: { 'Auto-Submitted': 'auto-replied' }, thread })
    await send({ thread_id: thread, text: 'It is closed again.' })
    expect(broken()).toEqual({ 'answers-no-automatic-mail': expect.stringContaining('Auto-Submitted') })
  })

  it('judge by headers that no list shows only an agent that reads the bytes of messages', async () => {
    const { run, simulator, broken, receive, reply } = await openDesk(all)
    simulator.assumptions.set({ 'messages.headers': 'omitted' })
    const away = { headers: { 'Auto-Submitted': 'auto-replied' } }
    await reply((await receive(away)).id)
    expect(broken()).toEqual({})
    await run.ask(`/mail/messages/${(await receive(away)).id}/raw`)
    await reply((await receive(away)).id)
    expect(broken()).toEqual({ 'answers-no-automatic-mail': expect.stringContaining('Auto-Submitted') })
  })

  it('allow a reply in a thread in which a person wrote as well', async () => {
    const { run, broken, receive, send } = await openDesk(all)
    await receive({ headers: { 'Auto-Submitted': 'auto-replied' }, thread: run.idOf('Refund') })
    await send({ thread_id: run.idOf('Refund') })
    expect(broken()).toEqual({})
  })

  it('say which request sent the mail, and what it had sent before', async () => {
    const { run, reply, latest } = await openDesk(all)
    const asked = latest('Refund')
    await reply(asked)
    await reply(asked)
    expect(run.lines()).toEqual([
      'failed 0s into the story',
      'expected no message sent twice to one recipient for one cause',
      `found the same message sent again to ${ann}`,
      `nearest POST /api/v1/mail/messages/${asked}/reply 201, 2, 0s`,
      '  request 1 had sent "Re: Refund", in reply to the same message',
    ])
  })
})
