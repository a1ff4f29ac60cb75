import fc from 'fast-check'
import { expect } from 'vitest'
import { lineOf } from './real.js'
import { faultOf, type World } from './state.js'
import { at, type Hand, steps } from './step.js'

const world = fc.nat(50)
const handle = fc.constantFrom('eva', 'tom', 'joe')

/** One request to the service, and which operation it is. */
interface Asked {
  readonly operation: string
  readonly method?: string
  readonly path: string
  readonly query?: string
  readonly handle?: string | undefined
  readonly body?: object
}

/** Asks the service, and notes what the journal will say; the body, unless a fault answered. */
async function request(
  { server, world: one }: Pick<Hand, 'server' | 'world'>,
  { operation, method = 'GET', path, query = '', handle: about, body }: Asked,
  expected: number,
) {
  const rule = faultOf(one.state, operation, about)
  const status = rule?.fault.status ?? expected
  const headers = { authorization: `Bearer ${one.key}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${server.url}${path}${query}`, { method, headers, ...sent })
  expect(answer.status).toBe(status)
  one.journal.push(lineOf({ operation, method, path, status, fault: rule ?? null }))
  const json = await answer.json()
  return rule ? undefined : json
}

const listThreads = steps(
  'list threads',
  fc.record({ world, handle: fc.option(handle, { nil: undefined }), limit: fc.integer({ min: 1, max: 4 }) }),
  async ({ handle: agent, limit }, hand) => {
    const { threads, total: meaning } = hand.world.state
    const query = `?limit=${limit}${agent === undefined ? '' : `&agent=${agent}`}`
    const asked = { operation: 'threads.list', path: '/api/v1/mail/threads', query, handle: agent }
    const answer = await request(hand, asked, 200)
    if (!answer) return
    const matches = threads.filter((thread) => agent === undefined || thread.handle === agent)
    // Of those whose last message is as old, the one that was begun later comes first.
    const shown = matches
      .toReversed()
      .sort((one, other) => other.last - one.last)
      .slice(0, limit)
    const totals = { 'all-matches': matches, 'page-size': shown, 'all-threads': threads }
    expect(answer.threads.map(({ id }: { id: string }) => id)).toEqual(shown.map(({ id }) => id))
    expect(answer.total).toBe(totals[meaning as keyof typeof totals].length)
  },
)

const listMessages = steps(
  'list messages',
  fc.record({ world, thread: fc.nat(50) }),
  async ({ thread }, hand) => {
    const { threads, messages } = hand.world.state
    const id = at(threads, thread)?.id ?? 'thrd_none'
    const asked = { operation: 'messages.list', path: '/api/v1/mail/messages', query: `?thread_id=${id}` }
    const answer = await request(hand, asked, 200)
    if (!answer) return
    const shown = answer.messages.map((message: { id: string }) => message.id)
    expect(shown.toSorted()).toEqual(
      messages
        .filter((message) => message.thread === id)
        .map((message) => message.id)
        .toSorted(),
    )
  },
)

const getIdentity = steps('get an agent', fc.record({ world, handle }), async (given, hand) => {
  const known = hand.world.state.identities.find((identity) => identity.handle === given.handle)
  const asked = {
    operation: 'identities.get',
    path: `/api/v1/identities/${given.handle}`,
    handle: given.handle,
  }
  const answer = await request(hand, asked, known ? 200 : 404)
  if (answer && known) expect(answer.display_name).toBe(known.name)
})

const rename = steps(
  'rename',
  fc.record({ world, handle, name: fc.string({ maxLength: 5 }) }),
  async (given, hand) => {
    const { identities } = hand.world.state
    const known = identities.find((identity) => identity.handle === given.handle)
    const path = `/api/v1/identities/${given.handle}`
    const body = { display_name: given.name }
    const asked = { operation: 'identities.update', method: 'PATCH', path, handle: given.handle, body }
    const answer = await request(hand, asked, known ? 200 : 404)
    if (!answer || !known) return
    known.name = given.name
    expect(answer.display_name).toBe(given.name)
  },
)

const listWebhooks = steps('list webhooks', fc.record({ world }), async (_, hand) => {
  const answer = await request(hand, { operation: 'webhooks.list', path: '/api/v1/webhooks' }, 200)
  if (answer) expect(answer.total).toBe(hand.world.state.webhooks.length)
})

const askWithLostKey = steps(
  'ask with a lost key',
  fc.record({ world, key: fc.nat(50) }),
  async (given, hand) => {
    const key = at(hand.model.lostKeys, given.key)
    if (key === undefined) return
    const path = '/api/v1/mail/threads'
    const answer = await fetch(`${hand.server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(401)
    const first = hand.model.worlds[0] as World
    first.journal.push(lineOf({ operation: 'threads.list', method: 'GET', path, status: 401, fault: null }))
  },
)

/** Every kind of step that asks the service. */
export const serviceSteps = [
  listThreads,
  listThreads,
  listMessages,
  getIdentity,
  rename,
  listWebhooks,
  askWithLostKey,
]
