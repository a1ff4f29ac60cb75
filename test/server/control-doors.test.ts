import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { expect, it, onTestFinished } from 'vitest'
import { gapIds } from '../../src/contract/gaps.js'
import { changesIn } from '../../src/doors/controls/log.js'
import { ask, operations } from './control-client.js'
import { desk, serveDesk } from './desk.js'

/** What earlier steps noted: ids by name. */
type Ids = Readonly<Record<string, string>>

/** A request to the control API, and what does the same in the process. */
interface Step {
  /** Method and path; `{name}` stands for an id that an earlier step noted. */
  readonly route: string
  readonly body?: object | string
  readonly own: (simulator: Simulator, ids: Ids) => unknown
  /** What the answer shows. */
  readonly shows?: object
  /** Returns ids by name, for later steps. */
  // biome-ignore lint/suspicious/noExplicitAny: any answer.
  readonly notes?: (answer: any) => Ids
}

const scenario = {
  ...desk,
  organizations: [
    {
      name: 'Rival',
      api_keys: ['rival-key'],
      identities: [{ handle: 'support', mailbox_address: 'help@rival.example' }],
      webhooks: [{ url: 'http://127.0.0.1:9/rival', events: ['message.bounced' as const] }],
    },
  ],
  timeline: [
    {
      key: 'mail',
      after: '30s' as const,
      receive: { to: 'support', from: 'Ann <ann@mail.example>', subject: 'News?' },
    },
    { key: 'gone', after: '1h' as const, read: { thread: 'order' } },
  ],
}

const mail = {
  ...{ to: 'support', from: 'Ann Lee <ann@example.com>', subject: 'Refund?', at: '2026-01-05T08:30:00Z' },
  ...{ text: 'Any news?', html: '<p>Any news?</p>' },
}
const file = { filename: 'a b.txt', content: 'aGVsbG8=' }
const raw =
  'From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>\r\nTo: support@agents.example\r\nSubject: Grüße\r\n\r\nGröße 7'
const fault = { operation: 'threads.list', status: 503, retry_after: '30s', times: 2 } as const
const changed = { 'threads.total': 'all-threads', 'threads.unscoped': 'empty' } as const
const hook = { url: 'http://agent.test/hook', events: ['message.received' as const] }
const clockOf = ({ clock }: Simulator) => ({ now: clock.now(), mode: clock.mode })
const assumptionsOf = ({ assumptions }: Simulator) => ({
  assumptions: assumptions.current(),
  origins: assumptions.origins(),
})

// One story, step by step: the world behind the server and the one in the process go the same way.
const steps: readonly Step[] = [
  { route: 'GET /clock', own: clockOf, shows: { now: '2026-01-05T09:00:00.000Z', mode: 'frozen' } },
  {
    route: 'POST /messages',
    body: { ...mail, attachments: [{ ...file, content_type: 'text/plain' }] },
    own: (sim) =>
      sim.mail.receive({
        ...mail,
        attachments: [{ filename: file.filename, text: 'hello', contentType: 'text/plain' }],
      }),
    shows: {
      message: {
        direction: 'inbound',
        to: ['support@agents.example'],
        created_at: '2026-01-05T08:30:00.000Z',
      },
    },
    notes: ({ message, thread }) => ({ message: message.id, thread: thread.id }),
  },
  ...['support', '@support', 'support@agents.example', ['support', 'ann@example.com']].map(
    (to): Step => ({
      route: 'POST /messages',
      body: { to },
      own: (sim) => sim.mail.receive({ to }),
      shows: { message: { to: expect.arrayContaining(['support@agents.example']) } },
    }),
  ),
  {
    route: 'POST /messages',
    body: { to: 'support', thread_id: '{thread}', in_reply_to: null, text: null },
    own: (sim, { thread = '' }) => sim.mail.receive({ to: 'support', thread }),
    shows: { message: { subject: 'Re: Refund?' }, thread: { message_count: 2 } },
  },
  {
    route: 'POST /messages',
    body: { to: 'support', in_reply_to: '{message}', thread_id: null, html: null },
    own: (sim, { message = '' }) => sim.mail.receive({ to: 'support', inReplyTo: message }),
    shows: { message: { subject: 'Re: Refund?' }, thread: { message_count: 3 } },
  },
  {
    route: 'POST /messages?to=support',
    body: raw,
    own: (sim) => sim.mail.receive({ to: 'support', eml: raw }),
    shows: { message: { from: 'Jürgen <j@example.com>', subject: 'Grüße', text: 'Größe 7' } },
  },
  {
    route: 'POST /messages',
    body: {
      direction: 'outbound',
      from: 'support',
      to: ['ann@example.com'],
      subject: 'Your refund',
      text: 'Done.',
    },
    own: (sim) =>
      sim.mail.send({ from: 'support', to: ['ann@example.com'], subject: 'Your refund', text: 'Done.' }),
    shows: {
      message: { direction: 'outbound', from: 'Support <support@agents.example>', to: ['ann@example.com'] },
      thread: { unread: false },
    },
    notes: ({ message }) => ({ sent: message.id }),
  },
  { route: 'POST /messages/{sent}/delivered', own: (sim, { sent = '' }) => sim.mail.delivered(sent) },
  { route: 'POST /messages/{sent}/bounced', own: (sim, { sent = '' }) => sim.mail.bounced(sent) },
  {
    route: 'POST /threads/{thread}/read',
    own: (sim, { thread = '' }) => sim.threads.markRead(thread),
    shows: { unread: false },
  },
  {
    route: 'POST /threads/{thread}/unread',
    own: (sim, { thread = '' }) => sim.threads.markUnread(thread),
    shows: { unread: true },
  },
  { route: 'GET /threads', own: (sim) => sim.mailbox.threads() },
  {
    route: 'GET /threads?agent=support&search=REFUND&offset=1&limit=1',
    own: (sim) => sim.mailbox.threads({ agent: 'support', search: 'REFUND', offset: 1, limit: 1 }),
    shows: { total: 2, threads: [{ subject: expect.stringMatching(/refund/i) }] },
  },
  { route: 'GET /threads/{thread}', own: (sim, { thread = '' }) => sim.mailbox.conversation(thread) },
  {
    route: 'POST /identities',
    body: {
      ...{ handle: 'eva', display_name: 'Eva', description: 'Reads' },
      mailbox_address: 'eva@desk.example',
    },
    own: (sim) =>
      sim.identities.create({
        ...{ handle: 'eva', displayName: 'Eva', description: 'Reads' },
        mailboxAddress: 'eva@desk.example',
      }),
    shows: { agent_handle: 'eva', display_name: 'Eva', mailbox_address: 'eva@desk.example' },
  },
  { route: 'GET /identities/eva', own: (sim) => sim.identities.get('eva') },
  {
    route: 'GET /identities',
    own: (sim) => ({ identities: sim.identities.list({ everywhere: true }) }),
    shows: {
      identities: [
        { mailbox_address: 'support@agents.example' },
        { mailbox_address: 'help@rival.example' },
        { agent_handle: 'eva' },
      ],
    },
    notes: ({ identities }) => ({ rival: identities[1].id }),
  },
  // By its id, since its handle is that of another organization as well.
  { route: 'GET /identities/{rival}', own: (_, { rival }) => ({ id: rival }) },
  { route: 'DELETE /identities/@eva', own: (sim) => sim.identities.delete('eva') },
  {
    route: 'POST /webhooks',
    body: { ...hook, agent_handle: 'support', auth_token: 'hush' },
    own: (sim) => void sim.webhooks.create({ ...hook, agentHandle: 'support', authToken: 'hush' }),
    shows: { ...hook, agent_handle: 'support', auth_token: '***', has_auth_token: true },
    notes: ({ id }) => ({ webhook: id }),
  },
  {
    route: 'GET /webhooks',
    own: () => ({}),
    shows: {
      webhooks: [
        { url: 'http://127.0.0.1:9/hook', auth_token: '***' },
        { url: 'http://127.0.0.1:9/rival', has_auth_token: false },
        { url: 'http://agent.test/hook', auth_token: '***' },
      ],
    },
  },
  { route: 'DELETE /webhooks/{webhook}', own: (sim, { webhook = '' }) => sim.webhooks.delete(webhook) },
  {
    route: 'POST /faults',
    body: fault,
    own: (sim) => sim.faults.add(fault),
    shows: { id: 'fault_1', hit: 0, fault },
  },
  ...[500, 502].map(
    (status): Step => ({ route: 'POST /faults', body: { status }, own: (sim) => sim.faults.add({ status }) }),
  ),
  { route: 'DELETE /faults/fault_2', own: (sim) => void sim.faults.remove('fault_2') },
  {
    route: 'GET /faults',
    own: (sim) => ({ faults: sim.faults.list() }),
    shows: { faults: [{ id: 'fault_1' }, { id: 'fault_3' }] },
  },
  { route: 'DELETE /faults', own: (sim) => sim.faults.clear() },
  { route: 'GET /faults', own: (sim) => ({ faults: sim.faults.list() }), shows: { faults: [] } },
  {
    route: 'PATCH /assumptions',
    body: changed,
    own: (sim) => {
      sim.assumptions.set(changed)
      return assumptionsOf(sim)
    },
    shows: {
      assumptions: changed,
      origins: { 'threads.total': 'set while running', 'threads.order': 'default' },
    },
  },
  {
    route: 'GET /assumptions',
    own: assumptionsOf,
    shows: { gaps: gapIds.map((gap) => expect.objectContaining({ gap })) },
  },
  { route: 'GET /timeline', own: () => ({}), shows: { played: [], left: 2 } },
  ...(['30s', '0s', '5m'] as const).map(
    (advance): Step => ({
      route: 'POST /clock',
      body: { advance },
      own: async (sim) => {
        await sim.clock.advance(advance)
        return clockOf(sim)
      },
    }),
  ),
  {
    route: 'POST /clock',
    body: { to: '2026-01-06T00:00:00+01:00' },
    own: async (sim) => {
      await sim.clock.advanceTo('2026-01-06T00:00:00+01:00')
      return clockOf(sim)
    },
    shows: { now: '2026-01-05T23:00:00.000Z' },
  },
  {
    route: 'GET /timeline',
    own: ({ timeline: { played, left } }) => ({ played, left }),
    shows: {
      played: [{ name: 'mail', at: '2026-01-05T09:00:30.000Z', problem: null }, { name: 'gone' }],
      left: 0,
    },
  },
  {
    route: 'GET /deliveries',
    own: (sim) => ({ deliveries: sim.deliveries.list() }),
    notes: ({ deliveries }) => ({ delivery: deliveries[0].id }),
  },
  {
    route: 'GET /deliveries?event=message.received&status=succeeded&since={delivery}&limit=1',
    own: (sim, { delivery }) => ({
      deliveries: sim.deliveries.list({
        ...{ event: 'message.received', status: 'succeeded' },
        ...{ since: delivery, limit: 1 },
      }),
    }),
    shows: { deliveries: [{ status: 'succeeded' }] },
  },
  {
    route: 'GET /deliveries?message={message}&url=http://127.0.0.1:9/hook',
    own: (sim, { message }) => ({
      deliveries: sim.deliveries.list({ message, url: 'http://127.0.0.1:9/hook' }),
    }),
    shows: { deliveries: [{ agent_handle: 'support' }] },
  },
  {
    route: 'POST /deliveries/{delivery}/redeliver',
    own: (sim, { delivery = '' }) => sim.deliveries.redeliver(delivery),
    shows: { attempts: [{ cause: 'event' }, { cause: 'redelivery', response: { status: 200 } }] },
  },
  { route: 'GET /deliveries/{delivery}', own: (sim, { delivery = '' }) => sim.deliveries.get(delivery) },
  { route: 'GET /reliances', own: (sim) => ({ reliances: sim.reliances() }) },
  { route: 'GET /sent', own: (sim) => ({ sent: sim.sent() }) },
  { route: 'GET /journal', own: (sim) => ({ exchanges: sim.journal.exchanges() }) },
  { route: 'GET /journal/changes', own: (sim) => changesIn(sim) },
  { route: 'GET /journal/commands', own: (sim) => ({ commands: sim.journal.commands() }) },
  { route: 'GET /snapshot', own: (sim) => sim.snapshot() },
  { route: 'DELETE /journal', own: (sim) => sim.journal.clear() },
  { route: 'POST /reset', own: (sim) => sim.reset() },
]

/** Of other tests: what only a server has, and what needs a story of its own. */
const elsewhere =
  /\/(?:health|control\.json|openapi\.json|worlds?|events|expectations|leaks|attacks|raw|attachments)\b|repeat|judge|PUT /

/** Returns a value as JSON says it, without the wall time that attempts took. */
function timeless(value: object = {}): object {
  return JSON.parse(JSON.stringify(value, (key, part) => (key === 'duration_ms' ? 0 : part)))
}

it('a route of the control API does what a simulator does in the process', async () => {
  const receiver = () => new Response()
  const server = await serveDesk({ scenario, receiver })
  const own = await createSimulator({ scenario, clock: 'frozen', baseUrl: server.url, receiver })
  onTestFinished(() => own.close())
  let ids: Ids = {}
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all)
  for (const { route, body, own: perform, shows = {}, notes } of steps) {
    const [method = '', path = ''] = filled(route).split(' ')
    const isRaw = typeof body === 'string'
    const sent = isRaw ? new TextEncoder().encode(body) : body && JSON.parse(filled(JSON.stringify(body)))
    const headers = isRaw ? { 'content-type': 'message/rfc822' } : {}
    const answer = await ask(server, method, path, { headers, ...(body && { body: sent }) })
    expect([route, answer.status < 300]).toEqual([route, true])
    const result = (await perform(own, ids)) ?? {}
    expect({ route, ...timeless(answer.body) }).toMatchObject(timeless(result))
    expect({ route, ...answer.body }).toMatchObject(shows)
    ids = { ...ids, ...notes?.(answer.body) }
    // Deliveries end in their own time.
    for (const { clock } of [server.simulator, own]) await clock.advance(0)
    expect([route, own.digest()]).toEqual([route, server.simulator.digest()])
  }
  const taken = new Set(steps.map(({ route }) => route.replace(/\?.*|@/g, '').replace(/\{\w+\}/g, '{id}')))
  const missing = operations
    .map(({ method, path }) => `${method} ${path.replace('/_sim', '')}`)
    .filter(
      (route) => !taken.has(route.replace('{handle}', 'eva').replace('/faults/{id}', '/faults/fault_2')),
    )
    .filter((route) => !elsewhere.test(route.replace(' /', ' /_sim/')))
  expect(missing).toEqual([])
})
