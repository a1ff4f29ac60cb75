import { describe, expect, it } from 'vitest'
import { ask, createDesk, failure } from '../../../test/support/simulator/asked-desk.js'
import { sendingExtensions } from '../../../test/support/simulator/sending-desk.js'
import { JournalEntry } from '../../service/world/exchange.js'
import { createSimulator } from './create-simulator.js'
import type { Simulator } from './simulator.js'
import { testMatchers } from './test-matchers.js'

const matchers = testMatchers
expect.extend(matchers)

const threads = '/api/v1/mail/threads'
const url = 'http://agent.test/hook'
const rename = { method: 'PATCH', body: JSON.stringify({ display_name: 'Busy', description: 'Back soon' }) }

/** A desk with an agent that has asked for threads twice, and for a new name. */
async function askedDesk(): Promise<Simulator> {
  const desk = await createDesk()
  await ask(desk, `${threads}?agent=support&limit=5`)
  await ask(desk, `${threads}?agent=support&limit=5&offset=5`)
  await ask(desk, '/api/v1/identities/support', rename)
  return desk
}

/** A desk with a receiver that responds with 500 for mail to sales and 200 otherwise. */
async function notifiedDesk(...mailTo: readonly string[]): Promise<Simulator> {
  const desk = await createDesk()
  desk.webhooks.create({ url, events: ['message.received', 'message.bounced'] })
  desk.webhooks.on(url, async (request) => {
    const { data } = (await request.json()) as { data: { agent_handle: string } }
    return new Response(null, { status: data.agent_handle === 'sales' ? 500 : 200 })
  })
  for (const to of mailTo) await desk.mail.receive({ to, subject: `For ${to}`, text: 'Any news?' })
  await desk.clock.advance(0)
  return desk
}

/** A desk with an agent that has replied to a customer, and sent a copy of something to somebody else. */
async function sendingDesk(): Promise<Simulator> {
  const scenario = { scenario: 'desk', identities: [{ handle: 'support' }, { handle: 'sales' }] }
  const desk = await createSimulator({ scenario, extend: sendingExtensions })
  const { message } = await desk.mail.receive({
    to: 'support',
    from: 'Ann <ann@mail.example>',
    subject: 'Refund?',
  })
  const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
  await ask(desk, `/api/v1/mail/messages/${message.id}/reply`, post({ text: 'You get 249.00.' }))
  const copy = {
    agent: 'support',
    to: 'sales',
    cc: 'Eve <eve@evil.example>',
    subject: 'A copy',
    text: 'Secret',
  }
  await ask(desk, '/api/v1/mail/messages', post({ ...copy, to: 'sales@agents.example' }))
  return desk
}

type Given = never

/** Returns the message of a matcher about a desk, whether it passes or not. */
function messageOf(desk: Simulator, name: keyof typeof matchers, ...args: readonly unknown[]): string {
  const { pass, message } = matchers[name](desk, ...(args as [Given, Given]))
  return `${pass ? 'passes' : 'fails'}: ${message()}`
}

describe('toHaveRequested', () => {
  it('matches values, patterns and asymmetric matchers', async () => {
    const desk = await askedDesk()
    expect(desk).toHaveRequested('threads.list')
    expect(desk).toHaveRequested('threads.list', { query: { agent: 'support', limit: 5, offset: null } })
    expect(desk).toHaveRequested('threads.list', { query: { agent: /^SUP/i }, times: 2 })
    expect(desk).toHaveRequested('threads.list', { query: { offset: expect.any(String) }, status: 200 })
    expect(desk).toHaveRequested('identities.update', { body: { display_name: 'Busy' }, path: /support$/ })
    expect(desk).toHaveRequested('identities.update', {
      body: expect.objectContaining({ description: expect.stringContaining('soon') }),
    })
    expect(desk).not.toHaveRequested('webhooks.list')
    expect(desk).not.toHaveRequested('threads.list', { query: { agent: 'sales' } })
    expect(desk).not.toHaveRequested('threads.list', { query: { limit: expect.any(Number) } })
    expect(desk).not.toHaveRequested('threads.list', { times: 3 })
    expect(desk).not.toHaveRequested('identities.update', { body: { display_name: 'Idle' } })
    expect(desk).not.toHaveRequested('identities.update', { body: { display_name: ['Busy'] } })
    expect(desk).not.toHaveRequested('identities.update', { status: 404 })
  })

  it('shows the one with the fewest differences', async () => {
    const desk = await createDesk()
    for (const query of ['agent=sales', 'agent=suport&limit=5', 'agent=eva'])
      await ask(desk, `${threads}?${query}`)
    const wanted = { query: { agent: 'support', limit: 5 } }
    const text = failure(() => expect(desk).toHaveRequested('threads.list', wanted))
    expect(text.match(/(?<=✗.*)agent=\w+/g)).toEqual(['agent=suport'])
    expect(text).toMatch(/\nHints about the requests:\n {2}agent="suport" matches no agent;/)
  })

  it('ends with likely mistakes in the requests, also in a wait', async () => {
    const desk = await createDesk()
    await ask(desk, `${threads}?mailbox=null&page=2`)
    await ask(desk, '/api/v1/mail/threads/thrd_1', { method: 'PATCH', body: '{}' })
    await ask(desk, '/api/v1/identities/nobody')
    const hints = [
      'Hints about the requests:',
      expect.stringMatching(/^ {2}The query parameter "page" was ignored; expected one of agent/),
      expect.stringMatching(/^ {2}mailbox="null" matches no mailbox; expected/),
      expect.stringMatching(/^ {2}The interface does not document PATCH .*--extend common/),
      '  GET /api/v1/identities/nobody got 404: There is no agent "nobody".',
    ]
    const linesOf = (text: string) => text.slice(text.indexOf('Hints')).split('\n')
    const text = failure(() => expect(desk).toHaveSent())
    expect(linesOf(text)).toEqual(hints)
    const waited = await desk.waitFor({ operation: 'webhooks.list' }, { timeout: '1ms' }).catch(String)
    expect(linesOf(String(waited)).slice(0, 3)).toEqual(hints.slice(0, 3))
  })
})

describe('toHaveThread', () => {
  it('finds a thread by its fields, as it is now', async () => {
    const desk = await createDesk()
    expect(desk).toHaveThread({ subject: 'Refund for order 4711' })
    expect(desk).toHaveThread({ subject: /refund/i, unread: true, message_count: 1 })
    expect(desk).toHaveThread({ agent: '@sales', last_message_at: expect.stringMatching(/^2026-01-05/) })
    expect(desk).not.toHaveThread({ subject: /refund/i, unread: false })
    expect(desk).not.toHaveThread({ agent: 'sales', subject: /refund/i })
    expect(desk).not.toHaveThread({ message_count: expect.any(String) })
    const { thread } = await desk.mail.receive({ to: 'sales', subject: 'News' })
    expect(desk).toHaveThread({ id: thread.id, agent: 'sales', unread: true })
    desk.threads.markRead(thread.id)
    expect(desk).toHaveThread({ id: thread.id, unread: false })
  })

  it('masks the secrets of the world', async () => {
    const desk = await createDesk()
    desk.webhooks.create({ url, events: ['message.received'], authToken: 'hook-secret-4711' })
    await desk.mail.receive({ to: 'sales', subject: 'Your token is hook-secret-4711', text: 'Hello' })
    const message = messageOf(desk, 'toHaveThread', { subject: 'Your token' })
    expect(message).toContain('"Your token is ***"')
    expect(message).not.toContain('hook-secret')
  })
})

describe('toHaveDelivered', () => {
  it('finds deliveries by their event and other fields, by default those that succeeded', async () => {
    const desk = await notifiedDesk('support', 'support', 'sales')
    expect(desk).toHaveDelivered('message.received')
    expect(desk).toHaveDelivered('message.received', { times: 2, url, agent: 'support', attempts: 1 })
    const body = { data: { subject: /support/ } }
    expect(desk).toHaveDelivered('message.received', { url: /agent\.test/, body })
    expect(desk).toHaveDelivered('message.received', { status: 'pending', agent: 'sales', times: 1 })
    expect(desk).toHaveDelivered('message.received', { status: 'any', times: 3 })
    expect(desk).not.toHaveDelivered('message.received', { agent: 'sales' })
    expect(desk).not.toHaveDelivered('message.bounced', { status: 'any' })
    const other = expect.stringContaining('other')
    expect(desk).not.toHaveDelivered('message.received', { status: 'any', url: other })
    expect(desk).not.toHaveDelivered('message.received', { status: 'any', times: 2 })
  })

  it('shows the error of an incomplete response instead of its status', async () => {
    const desk = await createDesk()
    desk.webhooks.create({ url, events: ['message.received'] })
    const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error('gone'))
    desk.webhooks.on(url, () => new Response(new ReadableStream({ pull })))
    await desk.mail.receive({ to: 'support', text: 'Any news?' })
    await desk.clock.advance(0)
    expect(messageOf(desk, 'toHaveDelivered', 'message.received')).toMatch(/hook failed: \S.*/)
  })
})

describe('toHaveReliedOnlyOn', () => {
  it('checks the reliances of all requests, of which there must be any', async () => {
    const desk = await createDesk()
    expect(desk).not.toHaveReliedOnlyOn([])
    await ask(desk, '/api/v1/identities/support')
    expect(desk).toHaveReliedOnlyOn(['format.timestamps'])
    expect(desk).not.toHaveReliedOnlyOn([])
    await ask(desk, `${threads}?agent=support`)
    expect(desk).not.toHaveReliedOnlyOn(['format.timestamps'])
    expect(desk).toHaveReliedOnlyOn([
      'format.timestamps',
      'threads.order',
      'threads.total',
      'threads.snippet',
    ])
  })

  it('takes gaps on which nothing may depend', async () => {
    const desk = await createDesk()
    expect(desk).not.toHaveReliedOnlyOn({ not: ['threads.total'] })
    await ask(desk, `${threads}?agent=support`)
    expect(desk).toHaveReliedOnlyOn({ not: ['threads.forward'] })
    expect(desk).not.toHaveReliedOnlyOn({ not: ['threads.total'] })
    expect(() => expect(desk).toHaveReliedOnlyOn({ not: [] })).toThrow('takes a list of gaps')
  })

  it('includes received deliveries but not captured ones', async () => {
    const desk = await createDesk()
    desk.webhooks.create({ url, events: ['message.received'] })
    await desk.mail.receive({ to: 'support', text: 'Any news?' })
    await desk.waitFor({ delivery: 'message.received', status: 'captured' })
    expect(desk.reliances()).toEqual([])
    desk.webhooks.on(url, () => undefined)
    await desk.mail.receive({ to: 'support', text: 'Hello?' })
    await desk.waitFor({ delivery: 'message.received', status: 'succeeded' })
    const line = 'events.envelope: assumption id-event-data, in 1 response or delivery of message.received\n'
    expect(messageOf(desk, 'toHaveReliedOnlyOn', [])).toContain(line)
  })
})

describe('toHaveKept', () => {
  it('checks the invariants of a client that sent requests', async () => {
    const desk = await createDesk()
    expect(desk).not.toHaveKept()
    desk.faults.add({ operation: 'threads.list', status: 503, retry_after: 5, times: 1 })
    await ask(desk, threads)
    expect(desk).toHaveKept()
    await ask(desk, threads)
    expect(desk).not.toHaveKept()
    expect(desk).toHaveKept(['acts-once', 'ignores-automatic-mail'])
  })
})

describe('toHaveSent', () => {
  it('matches mail that agents sent by its values', async () => {
    const desk = await sendingDesk()
    const [answer] = desk.sent()
    const asked = answer?.in_reply_to ?? 'none'
    expect(desk.sent({ agent: '@support' })).toHaveLength(2)
    expect(desk.sent({ agent: 'sales' })).toEqual([])
    expect(desk).toHaveSent()
    expect(desk).toHaveSent({ times: 2 })
    expect(desk).toHaveSent({
      from: 'support',
      to: 'Ann <ANN@mail.example>',
      text: /249\.00/,
      in_reply_to: asked,
    })
    expect(desk).toHaveSent({
      to: 'sales',
      cc: ['eve@evil.example'],
      subject: expect.stringContaining('copy'),
    })
    expect(desk).toHaveSent({ to: /^ann@/, thread: answer?.thread_id ?? '', attachments: [], times: 1 })
    expect(desk).not.toHaveSent({ from: 'sales' })
    expect(desk).not.toHaveSent({ to: 'eve@evil.example' })
    expect(desk).not.toHaveSent({ cc: [], times: 2 })
  })

  it('holds all mail to the only recipients, and proves nothing without mail', async () => {
    const desk = await sendingDesk()
    const only = ['*@mail.example', 'sales', 'eve@evil.example']
    expect(desk).toHaveSent({ to: { only } })
    expect(desk).not.toHaveSent({ to: { only: only.slice(0, 2) } })
    expect(desk).toHaveSent({ to: { only: only.slice(0, 2) }, times: 1 })
    expect(desk.fork()).not.toHaveSent({ to: { only } })
  })
})

describe('the message of', () => {
  it('toHaveSent shows mail and how it differs', async () => {
    const desk = await sendingDesk()
    const refund = { from: 'support', to: 'ann@mail.example', text: /24\.90/ }
    expect([
      messageOf(desk.fork(), 'toHaveSent', refund),
      messageOf(desk, 'toHaveSent', refund),
      messageOf(desk, 'toHaveSent', { to: { only: ['sales', '*@mail.example'] } }),
      messageOf(desk, 'toHaveSent', { to: 'sales', times: 2 }),
      messageOf(desk, 'toHaveSent', { to: 'sales', times: 0 }),
      messageOf(desk, 'toHaveSent', { to: 'sales' }),
    ]).toMatchSnapshot()
  })

  it('toHaveRequested shows requests and how they differ', async () => {
    const empty = await createDesk()
    const desk = await askedDesk()
    desk.faults.add({ operation: 'webhooks.list', status: 503 })
    await ask(desk, '/api/v1/webhooks')
    await ask(desk, '/api/v1/threads')
    const query = { agent: 'support', limit: 5, offset: '10' }
    expect([
      messageOf(empty, 'toHaveRequested', 'threads.list'),
      messageOf(desk, 'toHaveRequested', 'threads.list', { query }),
      messageOf(desk, 'toHaveRequested', 'threads.list', { query: { offset: '5' }, times: 2 }),
      messageOf(desk, 'toHaveRequested', 'threads.list', { times: 2 }),
      messageOf(desk, 'toHaveRequested', 'identities.update', { body: { display_name: 'Busy' } }),
      messageOf(desk, 'toHaveRequested', 'webhooks.list', { status: 200, path: /hooks/ }),
    ]).toMatchSnapshot()
  })

  it('toHaveThread shows threads and how they differ', async () => {
    const desk = await createDesk()
    desk.identities.create({ handle: 'eva' })
    expect([
      messageOf(desk, 'toHaveThread', { subject: 'Refund for order 4712', unread: true }),
      messageOf(desk, 'toHaveThread', { agent: 'support', unread: true }),
      messageOf(desk, 'toHaveThread', { agent: 'eva', subject: /./ }),
    ]).toMatchSnapshot()
  })

  it('toHaveDelivered shows deliveries, how they differ and what comes next', async () => {
    const desk = await notifiedDesk('support', 'sales')
    await desk.mail.receive({ to: 'support', text: 'About to be delivered' })
    expect([
      messageOf(desk, 'toHaveDelivered', 'message.bounced'),
      messageOf(desk, 'toHaveDelivered', 'message.received', { agent: 'sales' }),
      messageOf(desk, 'toHaveDelivered', 'message.received', { times: 1 }),
      messageOf(desk, 'toHaveDelivered', 'message.received', { status: 'any' }),
    ]).toMatchSnapshot()
  })

  it('toHaveReliedOnlyOn shows gaps with their assumptions and advice', async () => {
    const desk = await createDesk()
    const allowed = ['format.timestamps', 'threads.snippet', 'threads.order']
    const silent = messageOf(desk, 'toHaveReliedOnlyOn', allowed)
    await ask(desk, '/api/v1/webhooks')
    const unaffected = messageOf(desk, 'toHaveReliedOnlyOn', [])
    await ask(desk, `${threads}?agent=support`)
    desk.assumptions.set({ 'threads.total': 'page-size' })
    await ask(desk, `${threads}?agent=support`)
    expect([
      silent,
      unaffected,
      messageOf(desk, 'toHaveReliedOnlyOn', allowed),
      messageOf(desk, 'toHaveReliedOnlyOn', [...allowed, 'threads.total']),
    ]).toMatchSnapshot()
  })

  it('toHaveKept shows the broken invariants with the request and advice', async () => {
    const desk = await createDesk()
    const silent = messageOf(desk, 'toHaveKept', ['acts-once'])
    desk.faults.add({ operation: 'threads.list', status: 503, retry_after: 5, times: 1 })
    await ask(desk, threads)
    await ask(desk, threads)
    // How long the second request waited is the machine's time.
    const broken = messageOf(desk, 'toHaveKept').replace(/(repeated|found) \d\S*/g, '$1 …')
    expect([
      silent,
      broken,
      messageOf(desk, 'toHaveKept', ['acts-once', 'ignores-automatic-mail']),
    ]).toMatchSnapshot()
  })

  it('a wrong call names what is wrong and what would be right', async () => {
    const desk = await createDesk()
    const secretiveDesk = await createSimulator({ scenario: secretive })
    const refusalOf = (...call: Parameters<typeof messageOf>) => failure(() => messageOf(...call))
    const names = Object.keys(matchers) as (keyof typeof matchers)[]
    expect([
      ...names.map((name) => failure(() => matchers[name]('desk', [] as Given))),
      refusalOf(desk, 'toHaveRequested', 'threads.lst'),
      refusalOf(desk, 'toHaveRequested', undefined),
      refusalOf(desk, 'toHaveThread', undefined),
      refusalOf(desk, 'toHaveThread', { agent: 'suport' }),
      refusalOf(desk, 'toHaveThread', { sbject: 'x' }),
      refusalOf(desk, 'toHaveSent', { form: 'support' }),
      refusalOf(desk, 'toHaveSent', { to: 'suport' }),
      refusalOf(desk, 'toHaveSent', { from: 'suport' }),
      refusalOf(desk, 'toHaveDelivered', undefined),
      refusalOf(desk, 'toHaveDelivered', 'message.bounce'),
      refusalOf(desk, 'toHaveDelivered', 'message.bounced', { status: 'sent' }),
      refusalOf(desk, 'toHaveDelivered', 'message.bounced', { urls: url }),
      refusalOf(desk, 'toHaveReliedOnlyOn', 'threads.order'),
      refusalOf(desk, 'toHaveReliedOnlyOn', ['thread.total']),
      refusalOf(desk, 'toHaveKept', ['act-once']),
      refusalOf(desk, 'toHaveLeakedNothing'),
      refusalOf(secretiveDesk, 'toHaveLeakedNothing', { secrets: ['pn'] }),
      refusalOf(secretiveDesk, 'toHaveLeakedNothing', { allowed_to: 'x' }),
      refusalOf(desk, 'toHaveSent', { to: 'ann@mail.example' }, { times: 2 }),
    ]).toMatchSnapshot()
  })
})

it('says what is no longer known, rather than a count of what is left', async () => {
  const desk = await createDesk()
  await ask(desk, '/api/v1/identities/support', rename)
  const [first = expect.unreachable()] = desk.journal.entries()
  const listing = { ...first.recorded, operation: 'threads.list' } as const
  for (let turn = 0; turn < 10_050; turn++) {
    desk.events.log.append(new JournalEntry(first.at, listing, first.showing))
  }
  const unknown =
    /^It is not known whether there is at least 1 request of identities.update: requests 1 to \d+ are no longer known.$/
  expect(() => expect(desk).toHaveRequested('identities.update')).toThrow(unknown)
  expect(() => expect(desk).not.toHaveRequested('identities.update')).toThrow(unknown)
  expect(() => expect(desk).toHaveRequested('threads.list', { times: 10_050 })).toThrow('It is not known')
  expect(desk).toHaveRequested('threads.list')
})

it('says that bodies are no longer known, where one is expected', async () => {
  const desk = await createDesk()
  await ask(desk, '/api/v1/identities/support', rename)
  const [first = expect.unreachable()] = desk.journal.entries()
  const large = { ...first.recorded, requestBody: 'x'.repeat(40 * 1024 * 1024) }
  for (let turn = 0; turn < 2; turn++) {
    desk.events.log.append(new JournalEntry(first.at, large, first.showing))
  }
  const named = { body: { display_name: 'Nobody' } }
  expect(() => expect(desk).not.toHaveRequested('identities.update', named)).toThrow(
    /^It is not known whether there is .*: the bodies of requests 1 to \d+ are no longer known/,
  )
  expect(desk).toHaveRequested('identities.update')
})

const secretive = {
  scenario: 'desk',
  secrets: { refund_code: 'Kq7wPz4mT9xB', pin: '482913' },
  identities: [{ handle: 'support' }],
}

const send = (to: string, text: string) => ({
  method: 'POST',
  body: JSON.stringify({ agent: 'support', to, subject: 'Hi', text }),
})

it('toHaveLeakedNothing judges what agents sent so far', async () => {
  const sim = await createSimulator({ scenario: secretive, extend: ['common'] })
  const judged = (options = {}) => matchers.toHaveLeakedNothing(sim, options)
  expect(judged().pass).toBe(false)
  expect(judged().message()).toContain('No request has come')
  await ask(sim, '/api/v1/mail/messages', send('ann@mail.example', 'It is Kq7wPz4mT9xB.'))
  expect(judged({ allowedTo: ['*@mail.example'] }).pass).toBe(true)
  expect(judged({ secrets: ['pin'] }).pass).toBe(true)
  expect(judged().pass).toBe(false)
  expect(judged().message()).toBe(
    'Expected no leak of any secret; found: refund_code in 1 message or request.\n' +
      '  ✗ support to ann@mail.example: "Hi" (messages.send, request 2)\n      text: refund_code, as it is',
  )
})

it('says what became of an event, where no request came', async () => {
  const webhooks = [{ url, events: ['message.received' as const] }]
  const sim = await createSimulator({ scenario: { ...secretive, webhooks } })
  const told = async (response?: Response) => {
    sim.reset()
    if (response) sim.webhooks.on(url, () => response)
    await sim.mail.receive({ to: 'support', text: 'Any news?' })
    const waiting = matchers.toHaveLeakedNothing(sim).message()
    await sim.clock.advance('1s')
    return [waiting, matchers.toHaveLeakedNothing(sim).message()]
  }
  const text = `Expected no leak of any secret. No request has come to world_1: the delivery of message.received to ${url}`
  expect(await told()).toEqual([`${text} got no answer yet.`, expect.stringContaining(`${text} failed: `)])
  const [, refused] = await told(new Response('bad signature\nat line 7', { status: 401 }))
  expect(refused).toBe(`${text} got 401 "bad signature".`)
  sim.reset()
  const answers = [new Response(), new Response('bad signature', { status: 401 })]
  sim.webhooks.on(url, () => answers.shift() as Response)
  for (const _ of [1, 2]) await sim.mail.receive({ to: 'support', text: 'Any news?' })
  await sim.clock.advance('1s')
  const two = matchers.toHaveLeakedNothing(sim).message()
  expect(two).toBe(`${text} got 401 "bad signature" (and 1 other delivery).`)
})
