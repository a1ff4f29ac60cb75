import { expect, it } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { ScenarioDefinition } from '../../src/story/read/define-scenario.js'
import { askHandlers } from '../support/ask-handlers.js'

const scenario: ScenarioDefinition = {
  scenario: 'conversation',
  identities: [
    {
      handle: 'support',
      threads: [
        {
          key: 'lamp',
          subject: 'Lamp',
          messages: [
            { from: 'Ann <ann@shop.example>', at: '-2d', text: 'Broken.' },
            { direction: 'outbound', at: '-1d', text: 'We look.' },
          ],
        },
      ],
    },
    { handle: 'bulk', generate: { threads: 1, messages: [3, 3] } },
  ],
  timeline: [
    { after: '1m', receive: { to: 'support', thread: 'lamp', text: 'Any news?' } },
    { after: '3m', receive: { to: 'support', place: 1, again: true } },
  ],
}

const open = () => createSimulator({ scenario, extend: ['common'], assume: { 'messages.headers': 'object' } })

type Simulator = Awaited<ReturnType<typeof open>>

interface Shown {
  readonly id: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Returns the Message-ID, In-Reply-To and References of an agent's messages, the oldest first. */
async function fieldsOf(simulator: Simulator, agent: string) {
  const { body } = await askHandlers(simulator, 'GET', `/mail/messages?agent=${agent}`)
  const messages: Shown[] = body.messages
  return messages.reverse().map(({ headers }) => ({
    id: headers['message-id'],
    answered: headers['in-reply-to'],
    references: headers['references'],
  }))
}

it('connects the mail of a thread by In-Reply-To and References, from the scenario to the latest answer', async () => {
  const simulator = await open()
  await simulator.clock.advance('1m')
  const [latest] = (await askHandlers(simulator, 'GET', '/mail/messages?agent=support')).body.messages
  const reply = await askHandlers(simulator, 'POST', `/mail/messages/${latest.id}/reply`, { text: 'Soon.' })
  const [first, second, third, fourth] = await fieldsOf(simulator, 'support')
  expect(first).toEqual({ id: expect.stringMatching(/^<msg_\w+@shop\.example>$/) })
  expect(second).toMatchObject({ answered: first?.id, references: first?.id })
  expect(third).toMatchObject({ answered: second?.id, references: `${first?.id} ${second?.id}` })
  const references = `${first?.id} ${second?.id} ${third?.id}`
  expect(fourth).toMatchObject({ answered: third?.id, references })
  const raw = simulator.mailbox.source(reply.body.id)
  expect(raw.replaceAll('\r\n ', ' ')).toContain(
    `\r\nIn-Reply-To: ${third?.id}\r\nReferences: ${references}\r\n`,
  )
  expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78)
})

it('connects the mail of a generated thread', async () => {
  const [first, second, third] = await fieldsOf(await open(), 'bulk')
  expect([first?.answered, second?.answered, third?.answered]).toEqual([undefined, first?.id, second?.id])
  expect(third?.references).toBe(`${first?.id} ${second?.id}`)
})

it.each([
  ['References', ['References: <a@x> <b@x>', 'In-Reply-To: <c@x>', 'Message-ID: <d@x>'], '<a@x> <b@x> <d@x>'],
  ['In-Reply-To', ['In-Reply-To: <c@x>', 'Message-ID: <d@x>'], '<c@x> <d@x>'],
  ['its Message-ID only', ['In-Reply-To: <b@x> <c@x>', 'Message-ID: <d@x>'], '<d@x>'],
])('answers a mail with %s', async (_name, fields, references) => {
  const simulator = await open()
  const eml = ['From: Ann <ann@shop.example>', 'Subject: Chair', ...fields, '', 'Hello'].join('\r\n')
  const { message } = await simulator.mail.receive({ to: 'support', eml })
  await simulator.mail.send({ from: 'support', to: ['ann@shop.example'], inReplyTo: message.id, text: 'Yes' })
  expect((await fieldsOf(simulator, 'support')).at(-1)).toMatchObject({ answered: '<d@x>', references })
})

it('refers to the Message-ID of a mail that it never had, also after that mail has arrived', async () => {
  const simulator = await open()
  await simulator.mail.receive({ to: 'support', text: 'As said', inReplyTo: '<gone@x>' })
  const before = (await fieldsOf(simulator, 'support')).at(-1)
  expect(before).toMatchObject({ answered: '<gone@x>', references: '<gone@x>' })
  const late = 'From: a@x\r\nMessage-ID: <gone@x>\r\nReferences: <root@x>\r\n\r\nHello'
  await simulator.mail.receive({ to: 'support', eml: late })
  expect(await fieldsOf(simulator, 'support')).toContainEqual(before)
})

it('delivers a mail again with the same header fields', async () => {
  const simulator = await open()
  simulator.assumptions.set({ 'messages.authentication': 'omitted' })
  await simulator.clock.advance('3m')
  const { messages } = (await askHandlers(simulator, 'GET', '/mail/messages?agent=support')).body
  expect(messages[0].id).not.toBe(messages[1].id)
  expect(messages[0].headers).toEqual(messages[1].headers)
})
