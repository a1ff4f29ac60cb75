import fc from 'fast-check'
import { expect } from 'vitest'
import { addFault, addMail, dismiss, remove, type StatusFault } from './state.js'
import { at, steps } from './step.js'

const world = fc.nat(50)
const some = fc.nat(50)
const handle = fc.constantFrom('eva', 'tom', 'joe')

const receive = steps(
  'mail',
  fc.record({
    world,
    to: handle,
    inbound: fc.boolean(),
    answers: fc.option(some, { nil: undefined }),
    thread: fc.option(some, { nil: undefined, freq: 3 }),
  }),
  async ({ to, inbound, answers, thread }, { world: { state }, control }) => {
    const into = thread === undefined ? undefined : at(state.threads, thread)
    const answered = answers === undefined ? undefined : at(state.messages, answers)
    const other = 'ann@mail.example'
    const body = {
      ...(inbound ? { to, from: `Ann <${other}>` } : { direction: 'outbound', from: to, to: other }),
      subject: 'New',
      ...(into && { thread_id: into.id }),
      ...(answered && { in_reply_to: answered.id }),
    }
    const { status, body: stored } = await control('POST', '/messages', { body })
    if (!state.identities.some((identity) => identity.handle === to)) {
      expect([status, stored.error.code]).toEqual([400, 'unknown_recipient'])
      return
    }
    if (into && into.handle !== to) {
      expect([status, stored.error.code]).toEqual([404, 'not_found'])
      return
    }
    expect(status).toBe(201)
    const joined =
      into?.id ?? state.threads.find(({ id, handle: of }) => id === answered?.thread && of === to)?.id
    if (joined !== undefined) expect(stored.thread.id).toBe(joined)
    else expect(state.threads.map(({ id }) => id)).not.toContain(stored.thread.id)
    const begun = { id: stored.thread.id, handle: to, subject: 'New', unread: false, last: 0 }
    const grown = addMail(state, { id: stored.message.id, inbound, thread: begun })
    expect([stored.thread.unread, stored.thread.message_count]).toEqual([grown.unread, grown.count])
  },
)

const mark = steps(
  'mark',
  fc.record({ world, thread: some, unread: fc.boolean() }),
  async ({ thread, unread }, { world: { state }, control }) => {
    const marked = at(state.threads, thread)
    const path = `/threads/${marked?.id ?? 'thrd_none'}/${unread ? 'unread' : 'read'}`
    const { status, body } = await control('POST', path)
    expect([status, body.unread]).toEqual(marked ? [200, unread] : [404, undefined])
    if (marked) marked.unread = unread
  },
)

const hire = steps('hire', fc.record({ world, handle }), async (given, { world: { state }, control }) => {
  const { status } = await control('POST', '/identities', { body: { handle: given.handle } })
  const taken = state.identities.some((identity) => identity.handle === given.handle)
  expect(status).toBe(taken ? 409 : 201)
  if (!taken) state.identities.push({ handle: given.handle, name: given.handle })
})

const fire = steps('fire', fc.record({ world, handle }), async (given, { world: { state }, control }) => {
  const { status } = await control('DELETE', `/identities/${given.handle}`)
  expect(status).toBe(state.identities.some((identity) => identity.handle === given.handle) ? 204 : 404)
  dismiss(state, given.handle)
})

const subscribe = steps(
  'subscribe',
  fc.record({ world, handle: fc.option(handle) }),
  async (given, { world: { state }, control }) => {
    const body = { url: 'http://127.0.0.1:9/x', events: ['message.bounced'], agent_handle: given.handle }
    const { status, body: made } = await control('POST', '/webhooks', { body })
    const known =
      given.handle === null || state.identities.some((identity) => identity.handle === given.handle)
    expect(status).toBe(known ? 201 : 404)
    if (known) state.webhooks.push({ id: made.id, handle: given.handle })
  },
)

const unsubscribe = steps(
  'unsubscribe',
  fc.record({ world, webhook: some }),
  async ({ webhook }, { world: { state }, control }) => {
    const ended = at(state.webhooks, webhook)
    const { status } = await control('DELETE', `/webhooks/${ended?.id ?? 'whk_none'}`)
    expect(status).toBe(ended ? 204 : 404)
    remove(state.webhooks, (one) => one === ended)
  },
)

const fault: fc.Arbitrary<StatusFault> = fc.record(
  {
    operation: fc.constantFrom('threads.list', 'identities.get', 'webhooks.list'),
    handle,
    status: fc.constantFrom(429, 503),
    after: fc.nat(1),
    times: fc.integer({ min: 1, max: 2 }),
  },
  { requiredKeys: ['status'] },
)

const disturb = steps(
  'disturb',
  fc.record({ world, fault }),
  async (given, { world: { state }, control }) => {
    const { status, body } = await control('POST', '/faults', { body: given.fault })
    const { handle: of = 'eva' } = given.fault
    const possible =
      given.fault.handle === undefined || state.identities.some((identity) => identity.handle === of)
    expect(status).toBe(possible ? 201 : 400)
    if (possible) expect(body).toEqual(addFault(state, given.fault))
  },
)

const calm = steps(
  'calm',
  fc.record({ world, fault: fc.option(some) }),
  async (given, { world: { state }, control }) => {
    const one = given.fault === null ? undefined : at(state.faults, given.fault)
    const path = given.fault === null ? '/faults' : `/faults/${one?.id ?? 'fault_99'}`
    const { status } = await control('DELETE', path)
    expect(status).toBe(given.fault === null || one ? 204 : 404)
    remove(state.faults, (rule) => given.fault === null || rule === one)
  },
)

/** Every kind of step that puts something into a world, or takes it out. */
export const setupSteps = [receive, receive, mark, hire, fire, subscribe, unsubscribe, disturb, calm]
