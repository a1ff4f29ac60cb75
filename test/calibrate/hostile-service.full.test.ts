import { expect, it } from 'vitest'
import { calibrate } from '../../src/live/calibrate/calibrate.js'
import { documentOf } from '../../src/live/calibrate/report.js'
import type { Fetch } from '../../src/live/calibrate/service-client.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import { importing } from './importing.js'
import { instanceOf } from './instance.js'

const message = { from: 'Ann <ann@mail.example>', text: 'Hello', at: '-1h', attachments: ['invoice.pdf'] }
const reply = { from: 'Support <support@agents.example>', text: 'Good morning', at: '-30m' }
const desk = {
  scenario: 'desk',
  identities: [
    {
      handle: 'support',
      mailbox_address: 'support@agents.example',
      threads: [{ messages: [message, reply] }, { messages: [message] }],
    },
    { handle: 'sales', threads: [{ messages: [message] }] },
  ],
  webhooks: [{ url: 'http://127.0.0.1:9/a', events: ['message.received'], agent_handle: 'support' }],
}

/** Returns all values of JSON with their paths; those of a list have the same one. */
function* valuesIn(value: unknown, path = ''): Generator<[path: string, value: unknown]> {
  yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    yield* valuesIn(one, `${path}/${Array.isArray(value) ? '*' : name}`)
  }
}

function otherThan(value: unknown): unknown {
  return Array.isArray(value) ? [null] : typeof value === 'object' ? null : { a: null }
}

/** Puts something else at a path of JSON. */
function replaced(value: unknown, path: string, by: unknown, here = ''): unknown {
  if (here === path) return by
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => {
    return [name, replaced(one, path, by, `${here}/${Array.isArray(value) ? '*' : name}`)] as const
  })
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** Returns a service whose responses of success are changed; the responses of the original one are kept. */
function changing(fetch: Fetch, change: (json: unknown) => unknown): Fetch {
  return async (request) => {
    const { status, text } = await fetch(request).then(async (response) => ({
      status: response.status,
      text: await response.text(),
    }))
    return status === 200 && text.startsWith('{')
      ? Response.json(change(JSON.parse(text)), { status })
      : new Response(text, { status })
  }
}

/** Returns a service that gives the same response to the same request without answering it again. */
function remembering(fetch: Fetch): Fetch {
  const kept = new Map<string, Promise<Response>>()
  return async (request) => {
    const key = [request.method, request.url, ...request.headers].join(' ')
    const response = kept.get(key) ?? fetch(request)
    kept.set(key, response)
    return (await response).clone()
  }
}

const wait = async () => undefined

async function calibrating(fetch: Fetch, apiKey: string): Promise<void> {
  const baseUrl = 'http://mail.test'
  const found = await calibrate({ baseUrl, apiKey, rate: 1_000_000, maxRequests: 300, wait, fetch })
  documentOf(found, { baseUrl, needs: new Set(['reads'] as const), before: undefined, secrets: [] })
}

it('explains what a service returns in place of any value', async () => {
  const { fetch, apiKey } = await instanceOf(desk, 'default', 'test-key')
  const service = remembering(fetch)
  // In place of a list one of nothing, of an object nothing, and of anything else an object.
  const others = new Map<string, unknown>()
  await importing({
    apiKey,
    fetch: changing(service, (json) => {
      for (const [path, value] of valuesIn(json)) others.set(path, otherThan(value))
      return json
    }),
  })
  expect(others.keys()).toContain('/messages/*/attachments/*/size_bytes')
  const failures: string[] = []
  for (const [path, other] of others) {
    const hostile = changing(service, (json) => replaced(json, path, other))
    const alike = Array.isArray(other) || other === null ? [calibrating(hostile, apiKey)] : []
    const runs = [importing({ fetch: hostile, apiKey }), ...alike]
    for (const outcome of await Promise.allSettled(runs)) {
      const error = outcome.status === 'rejected' ? (outcome.reason as Error) : undefined
      if (error && error.name !== 'CalibrationError') failures.push(`${path}: ${error.stack}`)
    }
  }
  expect(failures).toEqual([])
}, 120_000)

it('reads no list without an end', async () => {
  const { fetch, apiKey } = await instanceOf(desk, 'default', 'test-key')
  let count = 0
  const endless: Fetch = async (request) => {
    const offset = Number(new URL(request.url).searchParams.get('offset') ?? 0)
    if (!request.url.includes('/mail/messages')) return fetch(request)
    count++
    // One new row on each page.
    const messages = Array.from({ length: 100 }, (_, index) => ({ id: `${index || offset}` }))
    return Response.json({ messages })
  }
  const assumptions = { ...profileAssumptions('default'), 'messages.limit-maximum': '100' } as const
  await expect(importing({ fetch: endless, apiKey }, { assumptions })).rejects.toThrow(
    'The list of messages has more than 2000 pages or 1000000 rows, and no more are read.',
  )
  expect(count).toBe(2000)
})
