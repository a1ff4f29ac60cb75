import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { SimulatorOptions } from '../../src/doors/simulator/options.js'
import { askHandlers } from '../support/ask-handlers.js'

const scenario = {
  scenario: 'desk',
  bounces: ['*@gone.example'],
  identities: [
    {
      handle: 'eva',
      threads: [{ key: 'a', subject: 'Hello', messages: [{ from: 'Ann <ann@example.com>', text: 'Hi' }] }],
    },
  ],
}

async function open(options: SimulatorOptions = {}) {
  const simulator = await createSimulator({
    scenario,
    extend: ['common'],
    onUndocumented: () => undefined,
    ...options,
  })
  const ask = (method: string, path: string, body?: unknown) => askHandlers(simulator, method, path, body)
  return { simulator, ask }
}

describe('the extension common', () => {
  it('adds operations that get, mark, send and answer mail', async () => {
    const { simulator, ask } = await open()
    const [thread] = (await ask('GET', '/mail/threads')).body.threads
    const [message] = (await ask('GET', '/mail/messages')).body.messages
    expect((await ask('GET', `/mail/threads/${thread.id}`)).body).toEqual(thread)
    expect((await ask('GET', `/mail/messages/${message.id}`)).body).toEqual(message)
    expect((await ask('POST', `/mail/threads/${thread.id}/read`)).body.unread).toBe(false)
    expect((await ask('PATCH', `/mail/threads/${thread.id}`, { unread: true })).body.unread).toBe(true)
    expect((await ask('POST', `/mail/threads/${thread.id}/unread`)).status).toBe(200)
    const reply = await ask('POST', `/mail/messages/${message.id}/reply`, { text: 'Thanks' })
    expect(reply).toMatchObject({
      status: 201,
      body: { thread_id: thread.id, subject: 'Re: Hello', to: ['ann@example.com'], direction: 'outbound' },
    })
    const sent = await ask('POST', '/mail/messages', { agent: 'eva', to: 'bob@gone.example', text: 'Hi' })
    expect(sent).toMatchObject({ status: 201, body: { to: ['bob@gone.example'] } })
    const listed = (await ask('GET', '/mail/messages')).body.messages
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([sent.body.id, reply.body.id, message.id])
    expect(simulator.threads.get(thread.id).message_count).toBe(2)
  })

  it('sends mail to copies alone', async () => {
    const { ask } = await open()
    for (const copies of [{ cc: 'ann@example.com' }, { bcc: ['ann@example.com', 'bo@example.com'] }]) {
      expect(await ask('POST', '/mail/messages', { agent: 'eva', text: 'Hi', ...copies })).toMatchObject({
        status: 201,
      })
    }
    const { status, body } = await ask('POST', '/mail/messages', { agent: 'eva', text: 'Hi', cc: [] })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('"to", "cc" or "bcc"')])
  })

  it('creates, changes and deletes identities and webhooks', async () => {
    const { simulator, ask } = await open()
    expect(await ask('POST', '/identities', { agent_handle: '@max' })).toMatchObject({
      status: 201,
      body: { agent_handle: 'max' },
    })
    expect((await ask('POST', '/identities', { agent_handle: 'max' })).status).toBe(409)
    expect((await ask('GET', '/identities')).body.total).toBe(2)
    const hook = { url: 'http://127.0.0.1:9/h', events: ['message.bounced'], auth_token: 'secret-1' }
    const { body: created } = await ask('POST', '/webhooks', hook)
    expect(created).toMatchObject({ ...hook, has_auth_token: true })
    const path = `/webhooks/${created.id}`
    expect((await ask('GET', path)).body).toEqual(created)
    const changed = await ask('PATCH', path, { agent_handle: 'max', auth_token: 'secret-2' })
    expect(changed.body).toMatchObject({ agent_handle: 'max', auth_token: 'secret-2' })
    expect((await ask('GET', '/webhooks')).body.webhooks).toEqual([changed.body])
    expect(JSON.stringify(simulator.journal.exchanges())).not.toMatch(/secret-[12]/)
    expect((await ask('PATCH', path, { agent_handle: 'nobody' })).status).toBe(404)
    expect(await ask('DELETE', path)).toEqual({ status: 204, body: undefined })
    expect((await ask('DELETE', path)).status).toBe(404)
    expect((await ask('DELETE', '/identities/max')).status).toBe(204)
    expect((await ask('GET', '/whoami')).body).toMatchObject({ agents: ['eva'] })
  })

  it('has gaps of its own', async () => {
    const { ask, simulator } = await open({ assume: 'worst-case' })
    const { status, body } = await ask('POST', '/mail/messages', { agent: 'eva', to: 'bob@x.example' })
    expect([status, Object.keys(body)]).toEqual([200, ['message_id', 'thread_id']])
    expect(simulator.reliances().map(({ gap }) => gap)).toEqual(
      expect.arrayContaining(['common.send-status', 'common.sent-answer']),
    )
  })

  it('says what it ignores, or refuses it', async () => {
    const { ask, simulator } = await open()
    const mail = {
      agent: 'eva',
      to: 'bob@x.example',
      attachments: { filename: 'a', content: '', disposition: 'inline' },
    }
    const { id } = (await ask('POST', '/mail/messages?notify=no', { ...mail, copy: 'ann@x.example' })).body
    await ask('GET', `/mail/messages/${id}?format=full`)
    expect(simulator.journal.exchanges().map(({ hints }) => hints)).toEqual([
      [
        'The query parameter "notify" was ignored; there are none. See docs/troubleshooting.md#ignored-field.',
        'The field "attachments.disposition" was ignored; expected one of filename, content_type, content, content_id. See docs/troubleshooting.md#ignored-field.',
        expect.stringMatching(/^The field "copy" was ignored; expected one of agent, to, /),
      ],
      [
        'The query parameter "format" was ignored; there are none. See docs/troubleshooting.md#ignored-field.',
      ],
    ])
    simulator.assumptions.set({ 'common.unknown-fields': 'rejected', 'query.unknown-parameters': 'rejected' })
    expect((await ask('POST', '/mail/messages', { ...mail, copy: 'x' })).status).toBe(400)
    expect((await ask('GET', `/mail/messages/${id}?format=full`)).status).toBe(400)
    expect(simulator.journal.commands()).toHaveLength(1)
  })

  it('is suggested only for requests that it would answer', async () => {
    const { simulator } = await open()
    const plain = await open({ extend: [] })
    const adviceOn = async (method: string, path: string) =>
      JSON.stringify((await plain.ask(method, path, method === 'GET' ? undefined : {})).body)
    for (const { method, path } of simulator.extensions.operations) {
      const asked = path.replace('/api/v1', '').replace(/\{\w+\}/, 'some-id')
      expect(await adviceOn(method, asked)).toContain(
        "To add it: --extend common (in a test extend: ['common'], in a scenario file extend: common), or your own",
      )
    }
    for (const [method, path] of [
      ['POST', '/mail/drafts'],
      ['GET', '/mail/messages/some-id/attachments'],
      ['DELETE', '/mail/threads/some-id'],
    ] as const) {
      expect(await adviceOn(method, path)).toContain('To add it: your own extension (docs/extensions.md)')
    }
  })

  it('is distinguished from documented operations in OpenAPI', async () => {
    const { createOpenApi } = await import('../../src/contract/openapi.js')
    const { simulator } = await open()
    const { paths } = createOpenApi({ version: '1', extensions: simulator.extensions })
    expect(paths['/api/v1/mail/threads']?.get).not.toHaveProperty('x-extension')
    expect(paths['/api/v1/mail/threads/{thread_id}']?.get).toMatchObject({
      operationId: 'threads.get',
      'x-extension': true,
      description: expect.stringMatching(/^Not documented: an extension of the simulator\. /),
    })
    expect(paths['/api/v1/mail/messages']?.post?.['x-gaps']?.map(({ id }) => id)).toEqual([
      'common.send-status',
      'common.sent-answer',
      'common.recipient-fields',
      'common.idempotency',
      'common.idempotency-mismatch',
      'common.local-delivery',
      'common.unknown-fields',
    ])
    for (const item of Object.values(paths)) {
      for (const operation of Object.values(item)) {
        if (operation['x-extension']) expect(operation.description).toMatch(/Seen|Follows/)
      }
    }
  })
})
