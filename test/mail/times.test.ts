import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulator, type ScenarioInput, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { askHandlers } from '../support/ask-handlers.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { oneMailbox } from './conversation.js'

const folder = sharedFolder()

const ann = 'Ann <ann@example.com>'

const open = (scenario: ScenarioInput) =>
  createSimulator({ scenario, extend: ['common'], clock: 'frozen', onUndocumented: () => undefined })

interface Listed {
  readonly id: string
  readonly thread_id: string
  readonly text: string
  readonly created_at: string
}

/** Returns the messages that the service lists, by time. */
async function byTime(sim: Simulator): Promise<Listed[]> {
  const { body } = await askHandlers(sim, 'GET', '/mail/messages?limit=100')
  return (body.messages as Listed[]).toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
}

/** Expects no two messages of a thread to have one time, and the thread to name the last one. */
function expectDistinct({ mailbox }: Simulator): void {
  for (const thread of mailbox.threads({ limit: 100 }).threads) {
    const times = mailbox.conversation(thread.id).messages.map(({ created_at }) => created_at)
    expect(new Set(times).size, thread.subject).toBe(times.length)
    expect(thread.last_message_at).toBe(times.toSorted().at(-1))
  }
}

describe('times of messages', () => {
  it('are later for each one, while the clock stands', async () => {
    const threads = [{ key: 'a', subject: 'Lamp', messages: [{ from: ann, text: '1' }] }]
    const sim = await open(oneMailbox({ threads }))
    for (const number of [2, 4]) {
      const [newest] = (await byTime(sim)).toReversed()
      await askHandlers(sim, 'POST', `/mail/messages/${newest?.id}/reply`, { text: String(number) })
      await sim.mail.receive({
        to: 'support',
        thread: newest?.thread_id as string,
        from: ann,
        text: String(number + 1),
      })
    }
    await sim.mail.receive({ to: 'support', from: 'Bo <bo@example.com>', subject: 'Chairs', text: '6' })
    expect((await byTime(sim)).map(({ text }) => text).join('')).toBe('123456')
    expectDistinct(sim)
    expect(Date.parse((await byTime(sim)).at(-1)?.created_at as string) - Date.parse(sim.clock.now())).toBe(5)

    const restored = await open(oneMailbox({ threads }))
    restored.restore(sim.snapshot())
    for (const one of [sim, restored]) await one.mail.receive({ to: 'support', from: ann, text: '7' })
    expect(await byTime(restored)).toEqual(await byTime(sim))
    expect((await byTime(restored)).map(({ text }) => text).join('')).toBe('1234567')

    await sim.clock.advance('1m')
    await sim.mail.receive({ to: 'support', from: ann, text: '8' })
    expect((await byTime(sim)).at(-1)?.created_at).toBe(sim.clock.now())
  })

  it('of mail that was written long before are kept, unless another one of the thread has them', async () => {
    const sim = await open(oneMailbox({}))
    const first = await sim.mail.receive({ to: 'support', from: ann, subject: 'Lamp', text: 'now' })
    const at = '2026-01-31T09:00:00.000Z'
    for (const text of ['a', 'b', 'c'])
      await sim.mail.receive({ to: 'support', thread: first.thread.id, from: ann, text, at })
    await sim.mail.receive({ to: 'support', from: ann, subject: 'Chairs', text: 'd', at })
    const times = (await byTime(sim)).map(({ text, created_at }) => `${text} ${created_at.slice(20)}`)
    expect(times.toSorted()).toEqual(['a 000Z', 'b 001Z', 'c 002Z', 'd 000Z', 'now 000Z'])
    expectDistinct(sim)
  })

  it('differ within a thread where they are shown in seconds, and are those of other threads as ever', async () => {
    const again = { when: { sent: {} }, receive: { in_reply_to: 'sent', text: 'Again?' } } as const
    const receive = { from: ann, subject: 'Lamp', text: '1' }
    const timeline = [{ after: '1m1ms', receive }, again] satisfies ScenarioInput['timeline']
    const assumptions = { 'format.timestamps': 'seconds' } as const
    const sim = await open(oneMailbox({}, { timeline, assume: assumptions }))
    await sim.clock.advance('1m1ms')
    const [question] = await byTime(sim)
    await askHandlers(sim, 'POST', `/mail/messages/${question?.id}/reply`, { text: 'Yes.' })
    const at = '2026-01-31T09:00:00.700Z'
    for (const text of ['a', 'b'])
      await sim.mail.receive({ to: 'support', thread: question?.thread_id as string, from: ann, text, at })
    await sim.mail.receive({ to: 'support', from: ann, subject: 'Chairs', text: '2' })
    const times = (await byTime(sim)).map(({ text, created_at }) => `${text} ${created_at}`)
    expect(times).toEqual([
      ...['a 2026-01-31T09:00:00Z', 'b 2026-01-31T09:00:01Z'],
      ...['2 2026-02-01T00:01:00Z', '1 2026-02-01T00:01:00Z'],
      ...['Yes. 2026-02-01T00:01:01Z', 'Again? 2026-02-01T00:01:02Z'],
    ])
    const restored = await open(oneMailbox({}, { timeline, assume: assumptions }))
    restored.restore(sim.snapshot())
    expect(await byTime(restored)).toEqual(await byTime(sim))
  })

  it('come after mail that is dated in the future, in its thread only', async () => {
    const sim = await open(oneMailbox({}))
    const at = '2030-01-01T00:00:00.000Z'
    const { thread } = await sim.mail.receive({ to: 'support', from: ann, subject: 'Lamp', text: '1', at })
    await sim.mail.receive({ to: 'support', thread: thread.id, from: ann, text: '2' })
    await sim.mail.receive({ to: 'support', from: ann, subject: 'Chairs', text: '3' })
    const times = (await byTime(sim)).map(({ text, created_at }) => `${text} ${created_at}`)
    expect(times).toEqual(['3 2026-02-01T00:00:00.000Z', `1 ${at}`, '2 2030-01-01T00:00:00.001Z'])
  })

  it('of files with one date differ, whether they are there at the start or arrive and join threads', async () => {
    const mail = (id: string, answers: string) =>
      [
        `From: ${ann}`,
        'To: support@agents.example',
        `Message-ID: <${id}@x>`,
        ...(answers === '' ? [] : [`References: ${answers}`]),
        'Subject: Lamp',
        'Date: Fri, 30 Jan 2026 09:00:00 +0000',
        '',
        id,
      ].join('\r\n')
    const mails = [mail('a', ''), mail('b', '<a@x>'), mail('c', '<a@x> <b@x>')]
    const maildir = join(folder, 'equal')
    mkdirSync(maildir)
    for (const [index, eml] of mails.entries()) writeFileSync(join(maildir, `${index}.eml`), eml)
    for (const support of [{ maildir }, { threads: [{ key: 'lamp', messages: [{ maildir }] }] }]) {
      const sim = await open(oneMailbox(support as never))
      expect((await byTime(sim)).map(({ text }) => text.trim()).join('')).toBe('abc')
      expectDistinct(sim)
    }
    const sim = await open(oneMailbox({}))
    const at = '2026-01-30T09:00:00.000Z'
    for (const eml of [mails[0], mails[2], mails[1]])
      await sim.mail.receive({ to: 'support', eml: eml as string, at })
    expect(sim.mailbox.threads().threads).toHaveLength(1)
    expectDistinct(sim)
  })
})
