import { describe, expect, it } from 'vitest'
import { z } from '../../src/base/schema.js'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { SimulatorOptions } from '../../src/doors/simulator/options.js'
import { defineExtension } from '../../src/service/extensions/define-extension.js'
import { askHandlers } from '../support/ask-handlers.js'

const scenario = {
  scenario: 'desk',
  identities: [{ handle: 'eva', threads: [{ key: 'a', subject: 'Hello', messages: [{ text: 'Hi' }] }] }],
}

const mailExtension = defineExtension(({ operation, gap, z }) => {
  const sendStatus = gap({
    id: 'messages.send-status',
    question: 'Which status has the answer to a message that was sent?',
    assumptions: { created: 'Answers 201.', accepted: 'Answers 202.' },
  })
  return [
    operation({
      id: 'threads.get',
      method: 'GET',
      path: '/api/v1/mail/threads/{thread_id}',
      response: 'Thread',
      perform({ params, world, render, notFound }) {
        const thread = world.thread(params.thread_id)
        return thread ? render.thread(thread) : notFound('thread', params.thread_id)
      },
    }),
    operation({
      id: 'messages.send',
      method: 'POST',
      path: '/api/v1/mail/messages',
      query: z.object({ dry: z.enum(['yes', 'no']).optional() }),
      body: z.object({
        agent: z.string(),
        to: z.array(z.string()).min(1),
        subject: z.string(),
        text: z.string(),
      }),
      perform({ body, send, render, settle, reply }) {
        const status = settle(sendStatus, { created: () => 201, accepted: () => 202 })
        return reply(status, render.message(send({ from: body.agent, ...body })))
      },
    }),
    operation({
      id: 'fails.always',
      method: 'GET',
      path: '/api/v1/fails',
      perform() {
        throw new TypeError('no luck')
      },
    }),
  ]
})

async function open(options: SimulatorOptions = {}) {
  const defects: string[] = []
  const simulator = await createSimulator({
    scenario,
    extend: [mailExtension],
    onDefect: (error) => defects.push((error as Error).message),
    onUndocumented: () => undefined,
    ...options,
  })
  const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    askHandlers(simulator, method, path, body, headers)
  return { simulator, ask, defects }
}

const mail = { agent: 'eva', to: ['ann@example.com'], subject: 'Hello', text: 'Hi' }

describe('an extension', () => {
  it('reads the world and renders it like the documented operations', async () => {
    const { ask, simulator } = await open()
    const listed = (await ask('GET', '/mail/threads')).body.threads[0]
    expect(await ask('GET', `/mail/threads/${listed.id}`)).toEqual({ status: 200, body: listed })
    expect(await ask('GET', '/mail/threads/thrd_none')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', message: 'There is no thread "thrd_none".' } },
    })
    expect(simulator.journal.exchanges({ operation: 'threads.get' })).toHaveLength(2)
  })

  it('changes the world by commands', async () => {
    const { ask, simulator } = await open({
      scenario: {
        ...scenario,
        webhooks: [{ url: 'http://127.0.0.1/h', events: ['message.bounced'] }],
        bounces: ['*@gone.example'],
      },
    })
    const sent = await ask('POST', '/mail/messages', { ...mail, to: ['bob@gone.example'] })
    expect(sent).toMatchObject({ status: 201, body: { direction: 'outbound', to: ['bob@gone.example'] } })
    const { messages } = (await ask('GET', '/mail/messages')).body
    expect(messages.map(({ id }: { id: string }) => id)).toContain(sent.body.id)
    expect(simulator.journal.commands().map(({ command }) => command.type)).toEqual(['send-message'])
    await simulator.clock.advance('1m')
    expect(simulator.deliveries.list()).toMatchObject([{ event: { type: 'message.bounced' } }])
  })

  it('relies on the assumptions that let it be performed at all', async () => {
    const { ask, simulator } = await open()
    const unlisted = { authorization: 'Bearer some-other-key' }
    await ask('POST', '/mail/messages', mail, unlisted)
    await ask('POST', '/mail/messages?color=red', mail)
    const gaps = simulator.reliances().map(({ gap, count }) => `${gap} ${count}`)
    expect(gaps).toEqual(expect.arrayContaining(['auth.keys 1', 'query.unknown-parameters 1']))
    expect(simulator.journal.commands()).toHaveLength(2)
  })

  it('has its own gaps', async () => {
    const { ask, simulator } = await open()
    await ask('POST', '/mail/messages', mail)
    expect(simulator.reliances()).toContainEqual({
      gap: 'messages.send-status',
      assumption: 'created',
      operations: ['messages.send'],
      count: 1,
    })
    expect(simulator.assumptions.register().at(-1)).toMatchObject({
      gap: 'messages.send-status',
      assumption: 'created',
      from: 'default',
      worst: 'accepted',
    })
    simulator.assumptions.set({ 'messages.send-status': 'accepted' } as never)
    expect((await ask('POST', '/mail/messages', mail)).status).toBe(202)
    const restored = simulator.snapshot()
    simulator.reset()
    simulator.restore(restored)
    expect((await ask('POST', '/mail/messages', mail)).status).toBe(202)
    for (const assumptions of [
      'worst-case',
      'messages.send-status=accepted',
      { 'messages.send-status': 'accepted' },
    ]) {
      const other = await open({ assume: assumptions as string })
      expect((await other.ask('POST', '/mail/messages', mail)).status).toBe(202)
    }
    await expect(open({ assume: 'messages.send-statu=accepted' })).rejects.toThrow(
      'There is no gap "messages.send-statu"; did you mean "messages.send-status"?',
    )
    const optional = await open({ assume: 'messages.other?=x', extend: [] })
    expect(Object.keys(optional.simulator.assumptions.current())).not.toContain('messages.other')
  })

  it('adds fields to documented resources, in answers, deliveries and OpenAPI', async () => {
    const labels = defineExtension(({ fields, gap, z }) => {
      const shown = gap({
        id: 'messages.label',
        question: 'Has a message a label?',
        assumptions: { absent: 'No.', present: 'It has.' },
        concerns: ['messages.list', 'Message.label', 'events'],
      })
      return [
        fields({
          of: 'Message',
          schema: z.object({ label: z.string().optional() }),
          add: ({ row, shown: { subject }, settle }) =>
            settle(shown, {
              absent: () => ({}),
              present: () => (subject === 'Hello' ? {} : { label: `${row.direction} ${subject}` }),
            }),
        }),
        fields({ of: 'Thread', schema: z.object({ open: z.boolean() }), add: () => ({ open: true }) }),
      ]
    })
    const webhooks = [{ url: 'http://127.0.0.1/h', events: ['message.received' as const] }]
    const { ask, simulator } = await open({
      extend: [labels],
      scenario: { ...scenario, webhooks },
      receiver: () => new Response(),
    })
    simulator.assumptions.set({ 'events.data': 'nested' })
    await ask('GET', '/mail/messages')
    expect(simulator.reliances().map(({ gap }) => gap)).not.toContain('messages.label')
    simulator.assumptions.set({ 'messages.label': 'present' } as never)
    const { message } = await simulator.mail.receive({ to: 'eva', subject: 'Lamp', text: 'Hi' })
    const listed = (await ask('GET', '/mail/messages')).body.messages
    expect(listed.map(({ label }: { label?: string }) => label)).toEqual(['inbound Lamp', undefined])
    expect(message).toEqual(listed[0])
    expect((await ask('GET', '/mail/threads')).body.threads[0].open).toBe(true)
    await simulator.clock.advance('1s')
    const [delivery] = simulator.deliveries.list()
    expect(JSON.parse(delivery?.attempts[0]?.request.body ?? '').data.message).toEqual(listed[0])
    const relied = simulator.reliances().find(({ gap }) => gap === 'messages.label')
    expect(relied).toMatchObject({ operations: ['messages.list'], events: ['message.received'] })
    const { createOpenApi } = await import('../../src/contract/openapi.js')
    const { components, paths } = createOpenApi({ version: '1', extensions: simulator.extensions })
    const gaps = [expect.objectContaining({ id: 'messages.label' })]
    const { properties, required } = components.schemas['Message'] ?? {}
    expect(properties).toMatchObject({ label: { type: 'string', 'x-extension': true, 'x-gaps': gaps } })
    expect(required).not.toContain('label')
    expect(paths['/api/v1/mail/messages']?.get?.['x-gaps']).toEqual(expect.arrayContaining(gaps))
    // A world without the extension shares the mailbox and its rendered rows.
    const other = await open()
    expect((await other.ask('GET', '/mail/threads')).body.threads[0]).not.toHaveProperty('open')
  })

  it('drops no field in silence', async () => {
    const hints: string[] = []
    const notes = defineExtension(({ operation, gap, z }) => {
      const unknownFields = gap({
        id: 'notes.unknown-fields',
        question: 'What happens to a field of a body that is not known?',
        assumptions: { ignored: 'Nothing.', rejected: 'The request is refused.' },
      })
      const body = z.object({
        text: z.string().optional(),
        lines: z.array(z.union([z.string(), z.object({ number: z.int() }).transform(String)])).default([]),
        labels: z.record(z.string(), z.looseObject({})).optional(),
      })
      const post = { method: 'POST', body, perform: () => ({}) } as const
      return [
        operation({ id: 'notes.add', path: '/api/v1/notes', unknownFields, ...post }),
        operation({ id: 'notes.drop', path: '/api/v1/other', ...post }),
      ]
    })
    const { ask, simulator } = await open({ extend: [notes], onHint: (hint) => hints.push(hint) })
    const wrong = { txt: 'a', lines: ['x', { number: 1, numbr: 2 }], labels: { any: { thing: 1 } } }
    const said = [
      'The field "txt" was ignored; did you mean "text"? See docs/troubleshooting.md#ignored-field.',
      'The field "lines[1].numbr" was ignored; expected number. See docs/troubleshooting.md#ignored-field.',
    ]
    for (const path of ['/notes', '/other', '/notes'])
      expect((await ask('POST', path, wrong)).status).toBe(200)
    expect(hints).toEqual(said)
    expect(simulator.journal.exchanges().map((exchange) => exchange.hints)).toEqual([said, said, said])
    const [relied] = simulator.reliances()
    expect(relied).toMatchObject({ gap: 'notes.unknown-fields', operations: ['notes.add'], count: 2 })
    simulator.assumptions.set({ 'notes.unknown-fields': 'rejected' } as never)
    expect(await ask('POST', '/notes', wrong)).toMatchObject({
      status: 400,
      body: { error: { message: 'There is no field "txt" here; did you mean "text"?' } },
    })
    expect((await ask('POST', '/notes', { text: 'a', labels: { any: { thing: 1 } } })).status).toBe(200)
    expect(simulator.journal.exchanges({ since: 3 }).map((exchange) => exchange.hints)).toEqual([[], []])
  })

  it('is needed to restore a snapshot of a world that had it', async () => {
    const { ask, simulator } = await open()
    simulator.faults.add({ operation: 'messages.send', status: 503 })
    const snapshot = JSON.parse(JSON.stringify(simulator.snapshot()))
    const without = (await open({ extend: [] })).simulator
    expect(() => without.restore(snapshot)).toThrow(
      /extensions: it was taken with extensions that define threads\.get, messages\.send, fails\.always, messages\.send-status, which this world lacks; restore it .*--extend/,
    )
    simulator.reset()
    simulator.restore(snapshot)
    expect((await ask('POST', '/mail/messages', mail)).status).toBe(503)
    // It does not matter for what this world has in addition.
    simulator.restore(without.snapshot())
    expect((await ask('POST', '/mail/messages', mail)).status).toBe(201)
  })

  it('is checked by its schemas, authentication, faults and limits', async () => {
    const { ask, simulator } = await open()
    const messageOf = async (body: unknown, path = '/mail/messages') => {
      const answer = await ask('POST', path, body)
      return `${answer.status} ${answer.body.error?.message}`
    }
    expect(await messageOf({ ...mail, to: 'ann@example.com' })).toBe(
      '400 "to" does not fit: expected a list, found "ann@example.com"; put it in brackets.',
    )
    expect(await messageOf(undefined)).toBe('400 The request needs a body: a JSON object.')
    expect(await messageOf([1])).toMatch(/^400 .*JSON object/)
    expect(await messageOf({ ...mail, agent: 'nobody' })).toBe('404 There is no agent "nobody".')
    expect(await messageOf(mail, '/mail/messages?dry=perhaps')).toMatch(/^400 "dry" does not fit/)
    expect((await ask('POST', '/mail/messages', mail, { authorization: '' })).status).toBe(401)
    expect(simulator.journal.commands()).toEqual([])
    simulator.assumptions.set({ 'errors.body': 'detail', 'query.unknown-parameters': 'rejected' })
    expect((await ask('POST', '/mail/messages?wet=yes', mail)).body).toEqual({
      detail: 'There is no query parameter "wet" here; expected dry.',
    })
    simulator.faults.add({ operation: 'messages.send', status: 503, times: 1 })
    expect((await ask('POST', '/mail/messages', mail)).status).toBe(503)
    expect(() => simulator.faults.add({ operation: 'messages.sent' as never, status: 503 })).toThrow(
      'there is no operation "messages.sent"; did you mean "messages.send"?',
    )
    expect((await ask('DELETE', '/mail/messages')).status).toBe(405)
  })

  it('replaces no documented operation by accident', async () => {
    const me = (replace: boolean) =>
      defineExtension(({ operation }) => [
        operation({
          id: 'threads.list',
          method: 'GET',
          path: '/api/v1/mail/threads',
          replace,
          perform: () => ({ own: true }),
        }),
      ])
    await expect(open({ extend: [me(false)] })).rejects.toThrow(
      'replaces the documented operation threads.list (GET /api/v1/mail/threads); give it another id and path, or set replace: true.',
    )
    const { ask } = await open({ extend: [me(true)] })
    expect((await ask('GET', '/mail/threads')).body).toEqual({ own: true })
  })

  it.each([
    ['id', { id: 'notes.get', path: '/api/v1/note' }, '"notes.get" (GET /api/v1/note)'],
    ['route', { id: 'notes.read', path: '/api/v1/notes/{name}' }, '"notes.read" (GET /api/v1/notes/{name})'],
  ])('refuses two extensions with the same %s but accepts one given twice', async (_, other, described) => {
    const notes = { id: 'notes.get', method: 'GET', path: '/api/v1/notes/{id}', perform: () => ({}) } as const
    const first = defineExtension(({ operation }) => [operation(notes)])
    const second = defineExtension(({ operation }) => [
      operation({ ...notes, ...other, perform: () => ({}) }),
    ])
    await expect(open({ extend: [first, second] })).rejects.toThrow(
      `Two extensions define the same operation: "notes.get" (GET /api/v1/notes/{id}) and ${described}; leave one of them out.`,
    )
    const { ask } = await open({ extend: [first, first] })
    expect(await ask('GET', '/notes/1')).toEqual({ status: 200, body: {} })
  })

  it('prefers a path with fewer parameters, in any order of declaration', async () => {
    const extend = defineExtension(({ operation }) => {
      const get = (id: string, path: string) =>
        operation({ id, method: 'GET', path: `/api/v1/notes/${path}`, perform: () => ({ id }) })
      return [get('notes.get', '{id}'), get('notes.search', 'search')]
    })
    const { ask } = await open({ extend: [extend] })
    expect(await ask('GET', '/notes/search')).toMatchObject({ body: { id: 'notes.search' } })
    expect(await ask('GET', '/notes/1')).toMatchObject({ body: { id: 'notes.get' } })
  })

  it('refuses two extensions with the same gap', async () => {
    const assumptions = { a: 'One.', b: 'Another.' }
    const own = () =>
      defineExtension(({ gap }) => [gap({ id: 'notes.order', question: 'Which order?', assumptions })])
    await expect(open({ extend: [own(), own()] })).rejects.toThrow(
      'Two extensions define the gap "notes.order"; rename it in one of them.',
    )
  })

  const params = z.object({ thread: z.string() })
  it.each([
    [{ id: 'one' }, 'The operation "one" does not fit: expected an id such as "threads.get".'],
    [{ path: '/_sim/x' }, '"/_sim/x": expected a path such as /api/v1/mail/threads/{thread_id}'],
    [{ path: '/api/v1/{id}', params }, 'params has "thread", but there is no {thread} in the path.'],
  ])('is refused with %j', (wrong, message) => {
    const input = { id: 'a.b', method: 'GET', path: '/api/v1/a', perform: () => 1, ...wrong }
    expect(() => defineExtension(({ operation }) => [operation(input as never)])).toThrow(message)
  })
})
