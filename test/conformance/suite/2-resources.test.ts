import type { Identity, Message, Thread, Webhook } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import type { z } from '../../../src/base/schema.js'
import {
  identitySchema,
  messageListSchema,
  messageSchema,
  threadListSchema,
  threadSchema,
  webhookListSchema,
  webhookSchema,
} from '../../../src/contract/resources.js'
import { expectKeys, expectToFit, isoMilliseconds } from '../assertions.js'
import { identityPath, jsonOf, messagesPath, openMailbox, threadsPath, webhooksPath } from '../mailbox.js'

const fields = {
  ident: 'id agent_handle display_name description mailbox_address created_at updated_at'.split(' '),
  thrd: 'id subject snippet unread message_count last_message_at created_at'.split(' '),
  msg: 'id thread_id direction from to subject text html attachments headers created_at'.split(' '),
  whk: 'id url events agent_handle auth_token has_auth_token created_at updated_at'.split(' '),
}

type Row = Identity | Thread | Message | Webhook

/** Asserts the fields of rows, their opaque unique ids, and their times. */
function expectRows(kind: keyof typeof fields, schema: z.ZodObject, rows: readonly Row[]): void {
  for (const row of rows) {
    expectKeys({ auth_token: '', ...row }, [...new Set([...fields[kind], 'auth_token'])])
    expectToFit(schema, row)
    expect(row.id).toMatch(new RegExp(`^${kind}_[A-Za-z0-9]{8,}$`))
    expect(row.created_at).toMatch(isoMilliseconds)
    if ('updated_at' in row) expect(row.updated_at).toMatch(isoMilliseconds)
    if ('last_message_at' in row) expect(row.last_message_at).toMatch(isoMilliseconds)
  }
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
}

describe('2 resources', () => {
  it('2.1 an identity has seven fields, all strings', async () => {
    const mailbox = await openMailbox()
    mailbox.simulator.identities.create({ handle: 'new_one', description: 'Just hired' })
    const handles = ['eva', 'max', 'Night_Shift.bot-1', 'new_one']
    const identities = await Promise.all(handles.map((handle) => mailbox.identity(handle)))
    expectRows('ident', identitySchema(), identities)
    for (const identity of identities) {
      for (const value of Object.values(identity)) expect(value).toBeTypeOf('string')
    }
    expect(identities[3]?.created_at).toBe(mailbox.simulator.clock.now())
    const { messages } = await mailbox.messages({ agent: 'max', limit: 1 })
    expect(messages[0]?.to).toEqual([identities[1]?.mailbox_address])
  })

  it('2.2 a thread has seven fields', async () => {
    const mailbox = await openMailbox()
    const { threads } = await mailbox.threads({ limit: 100 })
    expect(threads).toHaveLength(100)
    expectRows('thrd', threadSchema(), threads)
  })

  it('2.3 a message has ten fields, and its header fields', async () => {
    const mailbox = await openMailbox()
    const { messages } = await mailbox.messages({ limit: 100 })
    expect(messages).toHaveLength(100)
    expectRows('msg', messageSchema(), messages)
    for (const { from } of messages) expect(from).toMatch(/^\S.* <[^<>\s]+@[^<>\s]+>$/)
  })

  it('2.4 a subscription has eight fields', async () => {
    const mailbox = await openMailbox()
    const created = mailbox.simulator.webhooks.create({
      url: 'https://hooks.harbour.example/later',
      events: ['message.bounced'],
      agentHandle: 'max',
      authToken: 'token-later',
    })
    const { webhooks } = await mailbox.webhooks()
    expect(webhooks).toHaveLength(5)
    expect(webhooks).toContainEqual(created)
    expect(created).toMatchObject({ agent_handle: 'max', auth_token: 'token-later', has_auth_token: true })
    expectRows('whk', webhookSchema(), webhooks)
  })

  it.each([
    [identityPath('eva'), identitySchema, fields.ident],
    [threadsPath(), threadListSchema, ['threads', 'total']],
    [messagesPath(), messageListSchema, ['messages', 'total']],
    [webhooksPath(), webhookListSchema, ['webhooks', 'total']],
  ] as const)('1 %s is answered in JSON, each time the same', async (path, schema, keys) => {
    const mailbox = await openMailbox()
    const answer = await mailbox.get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(answer.headers.get('content-length')).toBe(String(answer.body.length))
    expectKeys(jsonOf(answer), keys)
    expectToFit(schema(), jsonOf(answer))
    expect(await mailbox.get(path)).toEqual(answer)
  })

  it('1 text of any language is unchanged', async () => {
    const mailbox = await openMailbox()
    const text = 'Grüße aus Zürich — 灯りをください 💡 "quoted" \\ \u2028'
    const subject = 'Ünïcödé 💡'
    await mailbox.simulator.mail.receive({ to: 'eva', subject, text })
    expect(await mailbox.messagesOf(subject)).toMatchObject([{ subject, text }])
  })

  it('2.2 the snippet of a long mail is an excerpt of it', async () => {
    const mailbox = await openMailbox()
    const text = 'All work and no play makes Jack a dull boy. '.repeat(100)
    await mailbox.simulator.mail.receive({ to: 'eva', subject: 'Long', text })
    const { snippet } = await mailbox.thread('Long')
    expect(snippet.length).toBeGreaterThan(40)
    expect(snippet.length).toBeLessThan(200)
    expect(text).toContain(snippet.replace('…', ''))
  })

  it.each([
    ['Eva L.', '"Eva L." <Eva.Lind@harbour.example>'],
    ['Lind, "Eva"\r\n', '"Lind, \\"Eva\\"" <Eva.Lind@harbour.example>'],
    ['<b>', '"<b>" <Eva.Lind@harbour.example>'],
    ['Evá 💡', 'Evá 💡 <Eva.Lind@harbour.example>'],
    ['', '"Eva.Lind" <Eva.Lind@harbour.example>'],
  ])('2.3 from of what an agent named %j sends', async (display_name, from) => {
    const mailbox = await openMailbox()
    expect((await mailbox.patch('eva', { display_name })).status).toBe(200)
    await mailbox.simulator.mail.send({ from: 'eva', to: 'ann@shop.example', subject: 'Mine', text: 'Hi' })
    expect(await mailbox.messagesOf('Mine')).toMatchObject([{ from, direction: 'outbound' }])
  })
})
