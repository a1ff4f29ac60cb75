import { describe, expect, it } from 'vitest'
import { ann, type Desk, openDesk } from '../../../../test/support/replay/sending-desk.fixture.js'

const own = 'support@agents.example'
const itself = { 'ignores-automatic-mail': `an answer of ${own} to itself` }
const away = { headers: { 'Auto-Submitted': 'auto-replied' } }
const notice = { 'ignores-automatic-mail': 'an answer to automatic mail, Auto-Submitted: auto-replied' }

describe('ignores-automatic-mail', () => {
  it.each<[string, object, (desk: Desk) => Promise<unknown>]>([
    [
      'answers mail from its own address',
      itself,
      async ({ receive, reply }) => {
        await reply((await receive({ from: 'Support <SUPPORT@agents.example>' })).id)
      },
    ],
    [
      'answers a form whose answer goes to the customer',
      {},
      async ({ receive, reply }) => {
        const { id } = await receive({ from: own, replyTo: 'Mia <mia@mail.example>' })
        await reply(id, { to: 'mia@mail.example' })
      },
    ],
    [
      'answers a form at its own address',
      itself,
      async ({ receive, reply }) => {
        const { id } = await receive({ from: own, replyTo: 'Mia <mia@mail.example>' })
        await reply(id, { to: own })
      },
    ],
    [
      'writes to a thread in which it received only its own mail',
      itself,
      async ({ receive, send }) => {
        const { thread_id } = await receive({ from: own })
        await send({ thread_id, to: own })
      },
    ],
    ['writes to itself', {}, ({ send }) => send({ to: own })],
    [
      'passes on mail of its own and of a list',
      {},
      async ({ receive, reply }) => {
        const mine = await receive({ from: own, to: ['support', 'boss@mail.example'] })
        await reply(mine.id, { to: 'boss@mail.example' })
        const news = await receive({ headers: { 'List-Id': '<news.mail.example>' }, subject: 'News' })
        await reply(news.id, { to: 'boss@mail.example' })
      },
    ],
    [
      'answers an away notice by new mail to its sender',
      notice,
      async ({ receive, send }) => {
        await receive({ ...away, from: 'dan@mail.example', subject: 'I am away' })
        await send({ to: 'dan@mail.example', subject: 'Hello' })
      },
    ],
    [
      'writes of its own to somebody who was away when it wrote before',
      {},
      async ({ receive, send }) => {
        await send({ to: 'dan@mail.example', subject: 'One' })
        await receive({ ...away, from: 'dan@mail.example', subject: 'I am away' })
        await send({ to: 'dan@mail.example', subject: 'Two' })
      },
    ],
    [
      'writes to a thread because of an away notice',
      notice,
      async ({ run, receive, send }) => {
        const thread = run.idOf('Refund')
        await send({ thread_id: thread, text: 'It is closed.' })
        await receive({ ...away, thread })
        await send({ thread_id: thread, text: 'It is closed again.' })
      },
    ],
    [
      'writes to a thread in which a person wrote as well',
      {},
      async ({ run, receive, send }) => {
        await receive({ ...away, thread: run.idOf('Refund') })
        await send({ thread_id: run.idOf('Refund') })
      },
    ],
    [
      'answers mail to a list that names it',
      {},
      async ({ receive, reply }) => {
        const { id } = await receive({
          to: ['support', 'all@lists.example'],
          headers: { 'List-Id': '<all.lists.example>' },
        })
        await reply(id)
      },
    ],
  ])('judges an agent that %s', async (_name, expected, act) => {
    const desk = await openDesk(['ignores-automatic-mail'])
    await act(desk)
    expect(desk.broken()).toEqual(expected)
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
  ])('knows automatic mail by its header: %o', async (headers, mark) => {
    const { run, broken, receive, reply, send } = await openDesk(['ignores-automatic-mail'])
    const { id, thread_id } = await receive({ headers })
    await reply(id)
    const found = broken()['ignores-automatic-mail']
    if (mark === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(`an answer to automatic mail, ${mark}`)
    await run.simulator.reset()
    expect(broken()).toEqual({})
    const again = await receive({ headers })
    await send({ thread_id: again.thread_id })
    expect(broken()['ignores-automatic-mail'] === undefined).toBe(mark === undefined)
    expect(thread_id).toBe(again.thread_id)
  })

  it('knows a report by its type', async () => {
    const { broken, simulator, reply } = await openDesk(['ignores-automatic-mail'])
    const type = 'multipart/report; report-type=disposition-notification; boundary=b'
    const eml = [
      `From: ${ann}\nTo: support@agents.example\nSubject: Read: Hello\nContent-Type: ${type}`,
      '--b\nContent-Type: text/plain\n\nIt was read.\n--b--\n',
    ].join('\n\n')
    const { message } = await simulator.mail.receive({ eml })
    await reply(message.id)
    expect(broken()['ignores-automatic-mail']).toMatch(/^an answer to automatic mail, Content-Type: /i)
  })

  it('judges by headers that no list shows only an agent that reads the bytes of messages', async () => {
    const { run, simulator, broken, receive, reply } = await openDesk(['ignores-automatic-mail'])
    simulator.assumptions.set({ 'messages.headers': 'omitted' })
    await reply((await receive(away)).id)
    expect(broken()).toEqual({})
    expect(run.result().unjudged).toMatch(/^no response shows the header fields/)
    await run.ask(`/mail/messages/${(await receive(away)).id}/raw`)
    await reply((await receive(away)).id)
    expect(broken()).toEqual(notice)
  })
})
