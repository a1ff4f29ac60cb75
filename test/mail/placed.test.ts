import { createSimulator, type ScenarioInput, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { askHandlers } from '../support/ask-handlers.js'
import { oneMailbox } from './conversation.js'

const ann = 'Ann <ann@example.com>'

const scenario = (more: Partial<ScenarioInput> = {}) =>
  oneMailbox(
    {
      threads: [
        { key: 'lamp', subject: 'Lamp', messages: [{ key: 'ask', from: ann, at: '-1h', text: '1' }] },
      ],
    },
    more,
  )

const open = (assumptions: Readonly<Record<string, string>>, more?: Partial<ScenarioInput>) =>
  createSimulator({
    scenario: scenario(more),
    extend: ['common'],
    assume: assumptions,
    onUndocumented: () => undefined,
  })

const threads = ({ mailbox }: Simulator) =>
  mailbox
    .threads()
    .threads.map(({ subject, message_count }) => `${subject} ${message_count}`)
    .toSorted()

const post = (sim: Simulator, path: string, body: object) =>
  askHandlers(sim, 'POST', `/mail/messages${path}`, body)

const first = (sim: Simulator) =>
  sim.mailbox.conversation(sim.mailbox.threads().threads.at(-1)?.id as string).messages[0]

const placing = ['threads.forward', 'threads.new-subject']

const relied = (sim: Simulator) =>
  sim.reliances().flatMap(({ gap, assumption, operations, events }) => {
    return placing.includes(gap) ? [[`${gap}=${assumption}`, ...operations, ...(events ?? [])].join(' ')] : []
  })

/** Received as a file, in reply to the message of the scenario. */
const eml = (sim: Simulator, subject: string, id: string, ...references: string[]) =>
  [
    `From: ${ann}`,
    'To: support@agents.example',
    `Message-ID: <${id}@x>`,
    `References: ${[`<${first(sim)?.id}@example.com>`, ...references].join(' ')}`,
    `Subject: ${subject}`,
    '',
    id,
  ].join('\r\n')

describe.each([
  ['stays', ['Lamp 2']],
  ['begins-a-thread', ['Fwd: Lamp 1', 'Lamp 1']],
])('threads.forward=%s', (assumption, expected) => {
  const assumptions = { 'threads.forward': assumption }

  it('places what an agent forwards', async () => {
    const sim = await open(assumptions)
    await post(sim, `/${first(sim)?.id}/forward`, { to: 'bo@example.com', text: 'What shall I say?' })
    expect(threads(sim)).toEqual(expected)
    expect(relied(sim)).toEqual([`threads.forward=${assumption} messages.forward`])
  })

  it('places what is forwarded to it', async () => {
    const sim = await open(assumptions)
    await sim.mail.receive({ to: 'support', subject: ' Fwd: Lamp', inReplyTo: first(sim)?.id ?? '' })
    expect(threads(sim).map((one) => one.trim())).toEqual(expected)
    expect(relied(sim)).toEqual([`threads.forward=${assumption} message.received`])
  })
})

describe.each([
  ['stays', ['Lamp 2']],
  ['begins-a-thread', ['Chair 1', 'Lamp 1']],
])('threads.new-subject=%s', (assumption, expected) => {
  const assumptions = { 'threads.new-subject': assumption }

  it.each([
    ['reply', (sim: Simulator) => post(sim, `/${first(sim)?.id}/reply`, { subject: 'Chair', text: 'R' })],
    [
      'send',
      (sim: Simulator) => {
        const { thread_id } = first(sim) as { thread_id: string }
        return post(sim, '', {
          agent: 'support',
          to: 'ann@example.com',
          thread_id,
          subject: 'Chair',
          text: 'R',
        })
      },
    ],
  ])('places what an agent sends with another subject: %s', async (operation, send) => {
    const sim = await open(assumptions)
    expect((await send(sim)).status).toBe(201)
    expect(threads(sim)).toEqual(expected)
    expect(relied(sim)).toEqual([`threads.new-subject=${assumption} messages.${operation}`])
    await post(sim, `/${first(sim)?.id}/reply`, { subject: 'AW: lamp', text: 'R' })
    expect(relied(sim)).toHaveLength(1)
  })

  it('places replies with another subject, and replies to those', async () => {
    const sim = await open(assumptions)
    await sim.mail.receive({ to: 'support', eml: eml(sim, 'Chair', 'a') })
    expect(threads(sim)).toEqual(expected)
    expect(relied(sim)).toEqual([`threads.new-subject=${assumption} message.received`])
    await sim.mail.receive({ to: 'support', eml: eml(sim, 'Re: Chair', 'b', '<a@x>') })
    await sim.mail.receive({ to: 'support', eml: eml(sim, 'Re: Lamp', 'c') })
    expect(threads(sim)).toEqual(assumption === 'stays' ? ['Lamp 4'] : ['Chair 2', 'Lamp 2'])
    const restored = await open(assumptions)
    restored.restore(sim.snapshot())
    expect(threads(restored)).toEqual(threads(sim))
  })

  it('does not move mail of a story out of the thread that the story names', async () => {
    const sim = await open(assumptions, {
      timeline: [{ after: '1s', receive: { thread: 'lamp', from: ann, subject: 'Chair', text: '2' } }],
    })
    await sim.clock.advance('1s')
    expect(threads(sim)).toEqual(['Lamp 2'])
    expect(relied(sim)).toEqual([])
  })
})
