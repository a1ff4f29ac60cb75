import { describe, expect, it } from 'vitest'
import { parseEml } from '../../src/mail/parse-eml.js'
import { ask } from './control-client.js'
import { serveDesk } from './desk.js'

describe('POST /_sim/messages', () => {
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
})
