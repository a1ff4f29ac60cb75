import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulator, type ScenarioInput, type Simulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../src/doors/server/start-server.js'
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
  const assumptions = { 'messages.headers': 'object' } as const
  return {
    scenario: 'desk',
    start,
    assume: assumptions,
    identities: [{ handle: 'support', ...support }, { handle: 'sales' }],
    ...more,
  }
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

type Mail = object

const chair = [{ subject: 'Chair', messages: [{ at: '-1h', from: 'Bo <bo@hotel.example>', text: 'Hi' }] }]
const received = (mail: Mail, support?: Partial<Support>) =>
  told([{ after: '1m', receive: mail }] as Entries, support)

/** Every way by which a message gets into a mailbox, written down or as a file. */
const doors: Readonly<Record<string, (mail: Mail) => Promise<Simulator>>> = {
  'a written thread': (mail) =>
    createSimulator({ scenario: story({ threads: [{ messages: [{ direction: 'inbound', ...mail }] }] }) }),
  'an entry': (mail) => received({ to: 'support', ...mail }),
  'an entry that begins a thread': (mail) => received({ to: 'support', thread: 'lamp', ...mail }),
  'an entry for a place in the mailbox': (mail) =>
    received({ to: 'support', place: 1, ...mail }, { threads: chair }),
  'an entry that replies': async (mail) => {
    const timeline = [{ when: { sent: {} }, receive: { in_reply_to: 'sent', ...mail } }] as Entries
    const sim = await createSimulator({ scenario: story({}, { timeline, extend: 'common' }) })
    const sent = { agent: 'support', to: ['bo@hotel.example'], subject: 'Chair', text: 'Hi' }
    expect((await askHandlers(sim, 'POST', '/mail/messages', sent)).status).toBe(201)
    return sim
  },
  'mail.receive': async (mail) => {
    const sim = await createSimulator({ scenario: story({}) })
    await sim.mail.receive({ to: 'support', ...mail })
    return sim
  },
}

/** What only a file can do: name its recipients, and lie in a folder. */
const fileDoors: Readonly<Record<string, () => Promise<Simulator>>> = {
  'a file of a written thread': () =>
    createSimulator({ scenario: story({ threads: [{ messages: [{ eml: written('thread.eml') }] }] }) }),
  'a folder': () => {
    const maildir = join(folder, 'maildir')
    mkdirSync(maildir, { recursive: true })
    writeFileSync(join(maildir, 'one.eml'), eml)
    return createSimulator({ scenario: story({ maildir }) })
  },
  'an entry with a file': () => received({ to: 'support', eml: written('told.eml') }),
  'an entry that names nobody': () => received({ eml }),
  'an entry that begins a thread and names nobody': () => received({ thread: 'lamp', eml }),
  'an entry for a place that names nobody': () => received({ place: 1, eml }, { threads: chair }),
  'mail.receive without a recipient': async () => {
    const sim = await createSimulator({ scenario: story({}) })
    await sim.mail.receive({ eml })
    return sim
  },
}

/** The message of the file, as the service shows it. */
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

/** The message of the file, as the service returns it. */
async function messageOfFile(sim: Simulator): Promise<unknown> {
  const { body } = await askHandlers(sim, 'GET', '/mail/messages?agent=support')
  return body.messages.find(({ subject }: { subject: string }) => subject === fields.Subject)
}

describe('every field of a file', () => {
  it.each([...Object.entries(doors), ...Object.entries(fileDoors)])('survives %s', async (_, open) => {
    expect(await messageOfFile(await open({ eml }))).toMatchObject(expected)
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

describe('every field that an entry or a call states', () => {
  const files = { filename: 'bill.pdf', content: 'JVBERi0=' }
  const mail = {
    from: fields.From,
    subject: fields.Subject,
    text: 'It is broken.',
    html: '<p>It is broken.</p>',
    cc: ['Cid <cid@shop.example>', 'sales'],
    reply_to: 'orders@shop.example',
    headers: { 'X-Order': '4711' },
    attachments: [{ ...files, content_type: 'application/pdf', content_id: 'bill' }],
  }
  const { reply_to: replyTo, attachments: _, ...others } = mail
  const call = {
    ...others,
    replyTo,
    attachments: [{ ...files, contentType: 'application/pdf', contentId: 'bill' }],
  }
  const shown = {
    ...expected,
    to: ['support@agents.example'],
    headers: {
      cc: 'Cid <cid@shop.example>, sales@agents.example',
      'reply-to': 'orders@shop.example',
      'x-order': '4711',
    },
  }

  it.each(Object.entries(doors))('survives %s', async (door, open) => {
    const isPlaced = door === 'an entry for a place in the mailbox'
    const { subject, ...placed } = mail
    const sim = await open(door === 'mail.receive' ? call : isPlaced ? placed : mail)
    const { body } = await askHandlers(sim, 'GET', '/mail/messages?agent=support')
    const message = body.messages.find(({ text }: { text: string }) => text === mail.text)
    expect(message).toMatchObject({
      ...shown,
      subject: isPlaced ? 'Re: Chair' : subject,
    })
  })
})
