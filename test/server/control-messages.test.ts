import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { parseEml } from '../../src/mail/parse-eml.js'
import { ask, refusal } from './control-client.js'
import { authorized, serveDesk } from './desk.js'

const service = async ({ url }: RunningServer, path: string) =>
  (await fetch(`${url}/api/v1/${path}`, { headers: authorized })).json()

const messagesOf = async (server: RunningServer, thread: string) =>
  (await service(server, `mail/messages?thread_id=${thread}`)).messages

describe('POST /_sim/messages', () => {
  it('receives a mail and returns its message and thread as the service shows them', async () => {
    const server = await serveDesk()
    const { status, body } = await ask(server, 'POST', '/messages', {
      body: {
        to: 'support',
        from: 'Ann Lee <ann@example.com>',
        subject: 'Refund?',
        text: 'Any news?',
        html: '<p>Any news?</p>',
        attachments: [{ filename: 'a b.txt', content_type: 'text/plain', content: 'aGVsbG8=' }],
        at: '2026-01-05T08:30:00Z',
      },
    })
    expect(status).toBe(201)
    const { message, thread } = body
    expect(message).toMatchObject({
      direction: 'inbound',
      from: 'Ann Lee <ann@example.com>',
      to: ['support@agents.example'],
      subject: 'Refund?',
      text: 'Any news?',
      html: '<p>Any news?</p>',
      created_at: '2026-01-05T08:30:00.000Z',
    })
    expect(await messagesOf(server, thread.id)).toEqual([message])
    const { threads } = await service(server, 'mail/threads?agent=support')
    expect(threads).toContainEqual(thread)
    const [{ url }] = message.attachments
    const file = await fetch(url)
    expect([url.startsWith(server.url), file.headers.get('content-type'), await file.text()]).toEqual([
      true,
      'text/plain',
      'hello',
    ])
  })

  it('requires only a recipient', async () => {
    const server = await serveDesk()
    for (const to of ['support', '@support', 'support@agents.example', ['support', 'ann@example.com']]) {
      const { status, body } = await ask(server, 'POST', '/messages', { body: { to } })
      expect([status, body.message.to[0]]).toEqual([201, 'support@agents.example'])
    }
  })

  it('joins a thread by its id or the answered message', async () => {
    const server = await serveDesk()
    const send = async (body: object) => (await ask(server, 'POST', '/messages', { body })).body
    const { message, thread } = await send({ to: 'support', subject: 'Order', text: null, thread_id: null })
    const again = await send({ to: 'support', thread_id: thread.id, in_reply_to: null })
    const answer = await send({ to: 'support', in_reply_to: message.id, html: null })
    expect([again.thread.id, answer.thread.id]).toEqual([thread.id, thread.id])
    expect(answer.thread.message_count).toBe(3)
    expect([again.message.subject, answer.message.subject]).toEqual(['Re: Order', 'Re: Order'])
  })

  it('sends mail of an agent', async () => {
    const server = await serveDesk()
    const { status, body } = await ask(server, 'POST', '/messages', {
      body: {
        direction: 'outbound',
        from: 'support',
        to: ['ann@example.com'],
        subject: 'Your refund',
        text: 'Done.',
      },
    })
    expect(status).toBe(201)
    expect(body.message).toMatchObject({
      direction: 'outbound',
      from: 'Support <support@agents.example>',
      to: ['ann@example.com'],
    })
    expect(body.thread.unread).toBe(false)
    expect(await messagesOf(server, body.thread.id)).toEqual([body.message])
  })

  it('shows every recipient and header field in the mail, and Bcc only to its sender', async () => {
    const server = await serveDesk()
    const mail = {
      cc: ['support', 'Bo Berg <bo@example.com>'],
      bcc: 'audit@example.com',
      reply_to: '"Desk, Help" <help@example.com>',
      headers: { 'X-Order': '249', 'Auto-Submitted': 'auto-generated' },
      subject: 'Your refund',
      text: 'Done.',
    }
    const raw = async (message: { readonly id: string }) => {
      const eml = await (await fetch(`${server.controlUrl}/messages/${message.id}/raw`)).text()
      return new Map(parseEml(eml).headers)
    }
    const outbound = { ...mail, direction: 'outbound', from: 'support', to: ['Ann <ann@example.com>'] }
    const sent = (await ask(server, 'POST', '/messages', { body: outbound })).body.message
    expect(sent.to).toEqual(['ann@example.com'])
    const common = {
      Cc: 'support@agents.example, Bo Berg <bo@example.com>',
      'Reply-To': '"Desk, Help" <help@example.com>',
      'X-Order': '249',
      'Auto-Submitted': 'auto-generated',
    }
    const own = { ...common, To: 'Ann <ann@example.com>', Bcc: 'audit@example.com' }
    expect(Object.fromEntries(await raw(sent))).toMatchObject(own)
    const received = (await ask(server, 'POST', '/messages', { body: { ...mail, to: 'support' } })).body
      .message
    const shown = await raw(received)
    expect(Object.fromEntries(shown)).toMatchObject(common)
    expect(shown.has('Bcc')).toBe(false)
    const bounced = { recipient: 'audit@example.com' }
    expect((await ask(server, 'POST', `/messages/${sent.id}/bounced`, { body: bounced })).status).toBe(200)
    for (const [headers, said] of [
      [{ Subject: 'Other' }, 'Subject is derived from the other fields of a message'],
      [{ 'X Order': '1' }, '"X Order" is not the name of a header field such as X-Order'],
      [{ 'X-Order': '1\r\nBcc: eve@example.com' }, 'expected one line'],
    ] as const) {
      const refused = await ask(server, 'POST', '/messages', { body: { ...outbound, headers } })
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(said) } },
      })
    }
  })

  it('accepts a raw mail for its own recipient or that of the query', async () => {
    const server = await serveDesk()
    const mail = (to: string) =>
      new TextEncoder().encode(
        [
          'From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>',
          `To: ${to}`,
          'Subject: Grüße',
          'Message-ID: <one@example.com>',
          'Content-Type: text/plain; charset=utf-8',
          '',
          'Größe 7',
        ].join('\r\n'),
      )
    const headers = { 'content-type': 'message/rfc822' }
    for (const [path, to] of [
      ['/messages', 'support@agents.example'],
      ['/messages?to=support', 'list@example.com'],
    ] as const) {
      const { status, body } = await ask(server, 'POST', path, { body: mail(to), headers })
      expect(status).toBe(201)
      expect(body.message).toMatchObject({
        from: 'Jürgen <j@example.com>',
        subject: 'Grüße',
        text: 'Größe 7',
      })
      expect(body.message.to).toEqual([to])
    }
  })
})

describe('POST /_sim/threads/{id}/read and /unread', () => {
  it('marks a thread for the service', async () => {
    const server = await serveDesk()
    const { thread } = (await ask(server, 'POST', '/messages', { body: { to: 'support' } })).body
    expect(thread.unread).toBe(true)
    for (const [mark, unread] of [
      ['read', false],
      ['unread', true],
    ] as const) {
      const marked = await ask(server, 'POST', `/threads/${thread.id}/${mark}`)
      expect(marked).toEqual({ status: 200, body: { ...thread, unread } })
      const { threads } = await service(server, 'mail/threads')
      expect(threads).toContainEqual(marked.body)
    }
  })

  it('refuses threads of other worlds', async () => {
    const server = await serveDesk()
    const { thread } = (await ask(server, 'POST', '/messages', { body: { to: 'support' } })).body
    const { id: world } = (await ask(server, 'POST', '/worlds')).body
    const path = `/threads/${thread.id}/read`
    expect(await refusal(server, 'POST', path, { world })).toMatch(/^404 not_found: There is no thread/)
  })
})
