import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import { createSimulator } from '../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../src/doors/simulator/simulator.js'
import { folderOf } from './support/temporary-folder.js'

/** Keys that clients write in other ways: with what JSON or an address escapes, and with what a pattern means. */
const keys = ['plain-key-7', 'a"b\\c{d}%41$&', 'x?y=z&k/;#<"~>', '+.*^|[(]_,:@!']

/** Writes each character percent-encoded where an address needs it, every other one of the rest too. */
const encoded = (key: string): string =>
  [...key]
    .map((character, index) => {
      const hex = character.charCodeAt(0).toString(16)
      const plain = /[A-Za-z0-9._~-]/.test(character) && index % 2 === 0
      return plain ? character : `%${index % 3 ? hex : hex.toUpperCase()}`
    })
    .join('')

/** Writes a key as a client writes it into a string of JSON. */
const inJson = (key: string): string => JSON.stringify(key).slice(1, -1)

interface Sent {
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

const listing = '/api/v1/mail/threads'
const identity = '/api/v1/identities/eva'

/**
 * Requests with a key in them. The masker knows the key by its place, as the request's own key, or because a scenario or a
 * fork lists it: a change made by a request is kept without the request.
 */
const places: Readonly<Record<'place' | 'own' | 'listed', readonly ((key: string) => Sent)[]>> = {
  place: [
    ...[
      ['authorization', ''],
      ['PROXY-AUTHORIZATION', 'BEARER  '],
      ['Authorization', 'Basic '],
      ['x-api-key', 'token '],
      ['X-Auth-Token', ''],
    ].map(([name = '', scheme]) => (key: string) => ({ path: listing, headers: { [name]: scheme + key } })),
    (key) => ({
      path: `${listing}?token=${encodeURIComponent(key)}`,
      headers: { 'user-agent': `agent (${key})` },
    }),
    (key) => ({ path: listing, headers: { cookie: `a=b; session=${encodeURIComponent(key)}` } }),
    ...['api_key', 'API-Key', 'authToken', 'key', '%74oken'].flatMap((name) => [
      (key: string) => ({ path: `${listing}?agent=eva&${name}=${encoded(key)}` }),
      (key: string) => ({ path: listing, headers: { referer: `http://x.test/?${name}=${encoded(key)}` } }),
    ]),
    ...['auth_token', 'api_key', 'password'].flatMap((name) => [
      (key: string) => ({ path: identity, body: `{"a":[1,{"${name}": "${inJson(key)}"}]}` }),
      (key: string) => ({ path: identity, body: `[ {"b" : {"${name}": "${inJson(key)}"} , "c":"\\""} ]` }),
    ]),
  ],
  own: [
    ...['/api/v1/identities/', '/api/v1/', '/v1/identities/', '/api/v1/webhooks?agent=', `${listing}?x&`].map(
      (at) => (key: string) => ({ path: at + encodeURIComponent(key) }),
    ),
    (key) => ({ path: listing, headers: { 'user-agent': `agent (${key})` } }),
  ],
  listed: [(key) => ({ path: identity, body: `{"display_name": "I am ${inJson(key)}!"}` })],
}

async function ask(sim: Simulator, { path, headers = {}, body }: Sent): Promise<void> {
  const init = { headers: { 'content-type': 'application/json', ...headers } }
  const change = body === undefined ? {} : { method: 'PATCH', body }
  await getResponse(sim.handlers, new Request(`http://mailbox.test${path}`, { ...init, ...change }))
}

/** Every text in the records of a world. */
function* textsIn(written: unknown): IterableIterator<string> {
  if (typeof written === 'string') yield written
  if (typeof written !== 'object' || written === null) return
  for (const [name, value] of Object.entries(written)) {
    yield name
    yield* textsIn(value)
  }
}

/** The possible decodings of a text. */
function decodingsOf(text: string): string[] {
  const attempts = [() => decodeURIComponent(text), () => JSON.parse(text), () => JSON.parse(`"${text}"`)]
  const read = attempts.flatMap((attempt) => {
    try {
      return [...textsIn(attempt())]
    } catch {
      return []
    }
  })
  return [text, ...read.flatMap((inner) => (inner === text ? [] : decodingsOf(inner)))]
}

function expectHidden({ journal, events }: Simulator, key: string, trace = ''): void {
  const records = [journal.exchanges(), journal.commands(), events.after(0), trace]
  const shown = [...textsIn(records)].filter((text) => decodingsOf(text).some((read) => read.includes(key)))
  expect(shown).toEqual([])
}

it.each([
  ...(['place', 'own', 'listed'] as const).map((known) => ['listed', known] as const),
  ...(['place', 'own', 'listed'] as const).map((known) => ['forked', known] as const),
  ['brought', 'place'],
  ['brought', 'own'],
] as const)('shows no %s key of a request, known by "%s", in any output', async (owner, known) => {
  const trace = join(await folderOf({ 'trace.jsonl': '' }), 'trace.jsonl')
  vi.stubEnv('MAILBOX_SIM_TRACE', trace)
  for (const given of keys) {
    const scenario = {
      scenario: 'desk',
      organization: { api_keys: ['first-key', ...(owner === 'listed' ? [given] : [])] },
      identities: [{ handle: 'eva', threads: [{ messages: [{ at: '-1h' as const, text: 'Hello' }] }] }],
    }
    for (const send of places[known]) {
      const first = await createSimulator({ scenario })
      const sim = owner === 'forked' ? first.fork() : first
      const key = owner === 'forked' ? sim.apiKey : given
      const { headers, ...sent } = send(key)
      const bearer = known !== 'place' || owner === 'forked' ? { authorization: `Bearer ${key}` } : {}
      await ask(sim, { ...sent, headers: { ...bearer, ...headers } })
      for (const world of first.worlds()) expectHidden(world, key, readFileSync(trace, 'utf8'))
      expect(first.worlds().flatMap(({ journal }) => journal.exchanges())).toHaveLength(1)
      first.close()
    }
  }
  vi.unstubAllEnvs()
})

it.each(keys)('shows no token of a webhook and no listed key that a mail contains: %s', async (key) => {
  const token = `${key.slice(2)}-of-the-hook`
  const identities = [{ handle: 'eva' }]
  const sim = await createSimulator({
    scenario: { scenario: 'desk', organization: { api_keys: [key] }, identities },
  })
  const url = 'http://127.0.0.1:9/hook?token=x'
  sim.webhooks.create({ url, events: ['message.received'], authToken: token })
  await sim.mail.receive({ to: 'eva', text: `Your key is ${key}, your token none of my business.` })
  const body = { nested: [{ auth_token: token, key }] }
  sim.faults.add({ operation: 'webhooks.list', times: 1, status: 500, body })
  for (const path of ['webhooks', 'webhooks', 'mail/messages', 'mail/threads']) {
    await ask(sim, { path: `/api/v1/${path}`, headers: { authorization: `Bearer ${key}` } })
  }
  expectHidden(sim, key)
  expectHidden(sim, token)
})
