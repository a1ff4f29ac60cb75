import { describe, expect, it } from 'vitest'
import { ann, type Desk, openDesk } from '../../../../test/support/replay/sending-desk.fixture.js'

const boss = 'boss@mail.example'
const notice = { to: boss, subject: 'New mail', text: 'A customer has written.' }

/** Reads a thread, as an agent does that looks for something to write about. */
const read = ({ run }: Desk, thread: string) => run.ask(`/mail/messages?thread_id=${thread}`)

/** Lets the boss write, and somebody after them. */
async function openWithBoss(): Promise<Desk> {
  const desk = await openDesk(['sends-once'])
  await read(desk, (await desk.receive({ from: boss, subject: 'Well done' })).thread_id)
  return desk
}

describe('the causes of equal messages', () => {
  it.each<[string, (desk: Desk) => Promise<unknown>]>([
    [
      'tells an operator who has written of each new message that it reads',
      async (desk) => {
        for (const name of ['dan', 'eve', 'flo']) {
          const { thread_id } = await desk.receive({ from: `${name}@mail.example`, subject: name })
          for (const _ of [1, 2]) await read(desk, thread_id)
          await desk.send(notice)
          await read(desk, thread_id)
        }
      },
    ],
    [
      'tells an operator who has written of each old thread when it reads it',
      async (desk) => {
        const rows = [
          await desk.receive({ from: 'dan@mail.example', subject: 'a' }),
          await desk.receive({ from: 'eve@mail.example', subject: 'b' }),
        ]
        await desk.run.pass('9d')
        for (const { thread_id } of rows) {
          await read(desk, thread_id)
          await desk.send(notice)
        }
      },
    ],
    [
      'reads two messages at once and tells an operator who has written of both',
      async (desk) => {
        const { thread_id: thread } = await desk.receive({ from: 'dan@mail.example', subject: 'a' })
        await desk.receive({ from: 'dan@mail.example', thread })
        await read(desk, thread)
        for (const _ of [1, 2]) await desk.send(notice)
      },
    ],
    [
      'tells the operator in one thread, in which they have answered',
      async (desk) => {
        await desk.send({ to: 'chief@mail.example', subject: 'Log', text: 'Begins.' })
        const thread = desk.simulator.sent().at(-1)?.thread_id
        await desk.receive({ from: 'chief@mail.example', thread, text: 'Go on.' })
        for (const name of ['dan', 'eve']) {
          await read(desk, (await desk.receive({ from: `${name}@mail.example`, subject: name })).thread_id)
          await desk.send({ ...notice, to: 'chief@mail.example', thread_id: thread })
        }
      },
    ],
    [
      'writes again to an old thread when its message comes once more',
      async (desk) => {
        const thread = desk.run.idOf('Refund')
        await desk.run.pass('9d')
        for (const _ of [1, 2]) await read(desk, thread)
        await desk.send({ thread_id: thread })
        await desk.receive({ from: `Ann <${ann}>`, thread })
        await read(desk, thread)
        await desk.send({ thread_id: thread })
      },
    ],
  ])('do not blame an agent that %s', async (_name, act) => {
    const desk = await openWithBoss()
    await act(desk)
    expect(desk.broken()).toEqual({})
  })

  it.each<
    [string, (desk: Desk, ask: { thread: string; confirm: () => Promise<unknown> }) => Promise<unknown>]
  >([
    [
      'starts again and reads everything again',
      async (desk, { thread, confirm }) => {
        await confirm()
        for (const one of [desk.run.idOf('Refund'), thread]) await read(desk, one)
        await confirm()
      },
    ],
    [
      'starts again when somebody else has written, whom it confirms first',
      async (desk, { thread, confirm }) => {
        await confirm()
        const other = await desk.receive({ from: 'eve@mail.example', subject: 'b' })
        for (const one of [other.thread_id, thread]) await read(desk, one)
        await desk.send({ to: 'eve@mail.example', subject: 'Got it', text: 'We have it.' })
        await confirm()
      },
    ],
    [
      'runs twice at the same time',
      async (desk, { thread, confirm }) => {
        for (const one of [desk.run.idOf('Refund'), thread]) await read(desk, one)
        for (const _ of [1, 2]) await confirm()
      },
    ],
    [
      'waits too short for a slow response',
      async (desk, { confirm }) => {
        desk.simulator.faults.add({ operation: 'messages.send', delay: '1ms', times: 1 })
        for (const _ of [1, 2]) await confirm()
      },
    ],
    [
      'loses a response while somebody else writes',
      async (desk, { confirm }) => {
        desk.simulator.faults.add({ operation: 'messages.send', performed: true, status: 503, times: 1 })
        for (const _ of [1, 2]) await confirm()
      },
    ],
  ])('name an agent that confirms the same twice because it %s', async (_name, act) => {
    const desk = await openWithBoss()
    const { thread_id: thread } = await desk.receive({ from: 'dan@mail.example', subject: 'a' })
    for (const one of [desk.run.idOf('Refund'), thread]) await read(desk, one)
    const confirm = () => desk.send({ to: 'dan@mail.example', subject: 'Got it', text: 'We have it.' })
    await act(desk, { thread, confirm })
    expect(desk.broken()).toEqual({ 'sends-once': 'the same message sent again to dan@mail.example' })
  })

  it('name an agent that tells of one message twice after it was started again', async () => {
    const desk = await openWithBoss()
    for (const name of ['dan', 'eve']) {
      const { thread_id } = await desk.receive({ from: `${name}@mail.example`, subject: name })
      await read(desk, thread_id)
      await desk.send(notice)
      await read(desk, thread_id)
      if (name === 'eve') await desk.send(notice)
    }
    expect(desk.broken()).toEqual({ 'sends-once': `the same message sent again to ${boss}` })
  })
})
