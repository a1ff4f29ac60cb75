import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulator, type ScenarioInput, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../src/doors/server/index.js'
import { askHandlers } from '../support/ask-handlers.js'
import { sharedFolder } from '../support/temporary-folder.js'

const folder = sharedFolder()

/** A mail whose fields are all there; nobody in its To is an agent. */
const fields = {
  From: 'Ann Lee <ann@shop.example>',
  To: 'List <list@lists.example>, bo@hotel.example',
  Cc: 'Support <support@agents.example>, Cid <cid@shop.example>',
  'Reply-To': 'orders@shop.example',
  Subject: 'Lamp, the second',
  Date: 'Mon, 05 Jan 2026 08:00:00 +0000',
  'Message-ID': '<lamp-2@shop.example>',
  'In-Reply-To': '<lamp-1@shop.example>',
  References: '<lamp-0@shop.example> <lamp-1@shop.example>',
  'X-Order': '4711',
}
const eml = [
  ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: multipart/alternative; boundary=y',
  '',
  '--y',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'It is broken.',
  '--y',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>It is broken.</p>',
  '--y--',
  '--x',
  'Content-Type: application/pdf; name=bill.pdf',
  'Content-Disposition: attachment; filename=bill.pdf',
  'Content-ID: <bill>',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0=',
  '--x--',
  '',
].join('\r\n')

type Entries = NonNullable<ScenarioInput['timeline']>
type Support = NonNullable<ScenarioInput['identities']>[number]

const start = '2026-01-05T09:00:00Z'

function story(support: Partial<Support>, more: Partial<ScenarioInput> = {}): ScenarioInput {
  const readings = { 'messages.headers': 'object' }
  return { scenario: 'desk', start, readings, identities: [{ handle: 'support', ...support }], ...more }
}

async function told(timeline: Entries, support: Partial<Support> = {}): Promise<Simulator> {
  const sim = await createSimulator({ scenario: story(support, { timeline }) })
  await sim.clock.advance('1h')
  return sim
}

function written(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, eml)
  return path
}

/** Every way by which a file gets into a mailbox. */
const doors: Readonly<Record<string, () => Promise<Simulator>>> = {
  'a written thread': () =>
    createSimulator({ scenario: story({ threads: [{ messages: [{ eml, direction: 'inbound' }] }] }) }),
  'a file of a written thread': () =>
    createSimulator({ scenario: story({ threads: [{ messages: [{ eml: written('thread.eml') }] }] }) }),
  'a folder': () => {
    const maildir = join(folder, 'maildir')
    mkdirSync(maildir, { recursive: true })
    writeFileSync(join(maildir, 'one.eml'), eml)
    return createSimulator({ scenario: story({ maildir }) })
  },
  'an entry that names the agent': () => told([{ after: '1m', receive: { to: 'support', eml } }]),
  'an entry with a file': () => told([{ after: '1m', receive: { to: 'support', eml: written('told.eml') } }]),
  'an entry that names nobody': () => told([{ after: '1m', receive: { eml } }]),
  'an entry that begins a thread': () => told([{ after: '1m', receive: { thread: 'lamp', eml } }]),
  'mail.receive': async () => {
    const sim = await createSimulator({ scenario: story({}) })
    await sim.mail.receive({ to: 'support', eml })
    return sim
  },
  'mail.receive without a recipient': async () => {
    const sim = await createSimulator({ scenario: story({}) })
    await sim.mail.receive({ eml })
    return sim
  },
}

const expected = {
  direction: 'inbound',
  from: fields.From,
  to: ['list@lists.example', 'bo@hotel.example'],
  subject: fields.Subject,
  text: 'It is broken.',
  html: '<p>It is broken.</p>',
  attachments: [{ filename: 'bill.pdf', content_type: 'application/pdf', size_bytes: 5 }],
  headers: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])),
}

/** The only message of a mailbox, as the service returns it. */
async function onlyMessage(sim: Simulator): Promise<unknown> {
  const { messages } = (await askHandlers(sim, 'GET', '/mail/messages?agent=support')).body
  expect(messages).toHaveLength(1)
  return messages[0]
}

describe('every field of a file', () => {
  it.each(Object.keys(doors))('survives %s', async (door) => {
    const sim = await (doors[door] as () => Promise<Simulator>)()
    expect(await onlyMessage(sim)).toMatchObject(expected)
  })

  it('survives the control API', async () => {
    const server = await startServer({ scenario: story({}), port: 0 })
    try {
      const headers = { 'content-type': 'message/rfc822' }
      await fetch(`${server.url}/_sim/messages?to=support`, { method: 'POST', headers, body: eml })
      const authorization = `Bearer ${server.simulator.apiKey}`
      const read = await fetch(`${server.url}/api/v1/mail/messages?agent=support`, {
        headers: { authorization },
      })
      expect(await read.json()).toMatchObject({ messages: [expected] })
    } finally {
      await server.close()
    }
  })
})
