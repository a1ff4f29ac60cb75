import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { getResponse } from 'msw'
import { afterAll, expect, it, vi } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'

const trace = join(tmpdir(), `agent-mailbox-sim-masking-${process.pid}.jsonl`)
vi.stubEnv('MAILBOX_SIM_TRACE', trace)
// The first request may rely on nothing.
writeFileSync(trace, '')
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(trace, { force: true })
})

/** A key of visible characters without `*`, the character of masks, and without `'`, which only some clients encode. */
const anyKey = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
  })
  .filter((key) => !/[*']/.test(key) && key.toLowerCase() !== 'bearer')

/** Writes each character unchanged or percent-encoded, as chosen; always encodes those with a meaning in URLs. */
function encodedBy(choices: readonly boolean[]): (key: string) => string {
  return (key) =>
    [...key]
      .map((character, index) => {
        const hex = character.charCodeAt(0).toString(16)
        const plain = /[A-Za-z0-9._~-]/.test(character) && choices[index % choices.length]
        return plain ? character : `%${index % 2 ? hex : hex.toUpperCase()}`
      })
      .join('')
}

/** Writes a key as a client writes it into a string of JSON. */
const toJson = (key: string): string => JSON.stringify(key).slice(1, -1)

interface Sent {
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/**
 * A request with a key in it. The masker knows the key by its place, as the request's own key, or because a scenario
 * or a fork lists it: a change made by a request is kept without the request.
 */
interface Place {
  readonly known: 'place' | 'own' | 'listed'
  send(key: string): Sent
}

const secretHeaders = [
  'authorization',
  'Authorization',
  'PROXY-AUTHORIZATION',
  'x-api-key',
  'X-Auth-Token',
  'api-key',
]
const secretParameters = [
  'api_key',
  'token',
  'access_token',
  'API-Key',
  'apikey',
  'authToken',
  'key',
  '%74oken',
]
const secretNames = ['auth_token', 'authToken', 'api_key', 'password']

const listing = '/api/v1/mail/threads'
const choices = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })

const inHeader = fc.record({
  name: fc.constantFrom(...secretHeaders),
  scheme: fc.constantFrom('', 'Bearer ', 'BEARER  ', 'bearer ', 'Basic ', 'token '),
})

/** Objects and lists around a field. */
const depths = fc.array(
  fc.constantFrom<(inner: string) => string>(
    (inner) => `{"a":[1,${inner}]}`,
    (inner) => `[ {"b" : ${inner} , "c":"\\""} ]`,
  ),
  { maxLength: 3 },
)

const place: fc.Arbitrary<Place> = fc.oneof(
  inHeader.map(({ name, scheme }) => ({
    known: 'place' as const,
    send: (key: string) => ({ path: listing, headers: { [name]: scheme + key } }),
  })),
  fc.constant({
    known: 'place' as const,
    send: (key: string) => ({ path: listing, headers: { cookie: `a=b; session=${key}` } }),
  }),
  fc.record({ name: fc.constantFrom(...secretParameters), choices }).map(({ name, choices }) => ({
    known: 'place' as const,
    send: (key: string) => ({ path: `${listing}?agent=eva&${name}=${encodedBy(choices)(key)}` }),
  })),
  fc.record({ name: fc.constantFrom(...secretParameters), choices }).map(({ name, choices }) => ({
    known: 'place' as const,
    send: (key: string) => ({
      path: listing,
      headers: { referer: `http://x.test/?${name}=${encodedBy(choices)(key)}` },
    }),
  })),
  fc.record({ depths, name: fc.constantFrom(...secretNames) }).map(({ depths, name }) => ({
    known: 'place' as const,
    send: (key: string) => {
      const field = `{"${name}": "${toJson(key)}"}`
      return { path: '/api/v1/identities/eva', body: depths.reduce((inner, around) => around(inner), field) }
    },
  })),
  fc
    .record({
      at: fc.constantFrom(
        '/api/v1/identities/',
        '/api/v1/',
        '/v1/identities/',
        '/api/v1/webhooks?agent=',
        `${listing}?agent=eva&`,
      ),
    })
    .map(({ at }) => ({
      known: 'own' as const,
      send: (key: string) => ({ path: at + encodeURIComponent(key) }),
    })),
  fc.constant({
    known: 'listed' as const,
    send: (key: string) => ({
      path: '/api/v1/identities/eva',
      body: `{"display_name": "I am ${toJson(key)}!"}`,
    }),
  }),
  fc.constant({
    known: 'own' as const,
    send: (key: string) => ({ path: listing, headers: { 'user-agent': `agent (${key})` } }),
  }),
)

async function ask(sim: Simulator, { path, headers = {}, body }: Sent): Promise<void> {
  const init =
    body === undefined
      ? { headers }
      : { method: 'PATCH', body, headers: { 'content-type': 'application/json', ...headers } }
  await getResponse(sim.handlers, new Request(`http://mailbox.test${path}`, init))
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

function everyText(sim: Simulator): string[] {
  const { journal, events } = sim
  const written = [journal.exchanges(), journal.commands(), events.after(0), readFileSync(trace, 'utf8')]
  return [...textsIn(written)]
}

/** The possible decodings of a text. */
function decodingsOf(text: string): string[] {
  const attempts = [() => decodeURIComponent(text), () => JSON.parse(text), () => JSON.parse(`"${text}"`)]
  const read = attempts.flatMap((attempt) => {
    try {
      return [attempt()]
    } catch {
      return []
    }
  })
  return [
    text,
    ...read.flatMap((value) =>
      [...textsIn(value)].flatMap((inner) => (inner === text ? [] : decodingsOf(inner))),
    ),
  ]
}

function expectHidden(sim: Simulator, key: string): void {
  const shown = everyText(sim).filter((text) => decodingsOf(text).some((read) => read.includes(key)))
  expect(shown).toEqual([])
}

it('shows no key of a request in any output', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyKey,
      place,
      fc.constantFrom('listed', 'forked', 'brought'),
      async (key, where, whose) => {
        fc.pre(whose !== 'brought' || where.known !== 'listed')
        const scenario = {
          scenario: 'desk',
          organization: { api_keys: ['first-key', ...(whose === 'listed' ? [key] : [])] },
          identities: [{ handle: 'eva', threads: [{ messages: [{ at: '-1h' as const, text: 'Hello' }] }] }],
        }
        const first = await createSimulator({ scenario })
        const sim = whose === 'forked' ? first.fork() : first
        const hidden = whose === 'forked' ? sim.apiKey : key
        const sent = where.send(hidden)
        const bearer = { authorization: `Bearer ${hidden}` }
        const headers =
          where.known !== 'place' || whose === 'forked'
            ? { ...bearer, ...sent.headers }
            : (sent.headers ?? {})
        await ask(sim, { ...sent, headers })
        for (const world of first.worlds()) expectHidden(world, hidden)
        expect(first.worlds().flatMap(({ journal }) => journal.exchanges())).toHaveLength(1)
      },
    ),
  )
})

it('shows no token of a webhook and no listed key that a mail contains', async () => {
  await fc.assert(
    fc.asyncProperty(anyKey, anyKey, async (key, token) => {
      fc.pre(!key.includes(token) && !token.includes(key))
      const scenario = {
        scenario: 'desk',
        organization: { api_keys: [key] },
        identities: [{ handle: 'eva' }],
      }
      const sim = await createSimulator({ scenario })
      sim.webhooks.create({
        url: 'http://127.0.0.1:9/hook?token=x',
        events: ['message.received'],
        authToken: token,
      })
      await sim.mail.receive({ to: 'eva', text: `Your key is ${key}, your token none of my business.` })
      sim.faults.add({
        operation: 'webhooks.list',
        times: 1,
        status: 500,
        body: { nested: [{ auth_token: token, key }] },
      })
      for (const path of ['webhooks', 'webhooks', 'mail/messages', 'mail/threads']) {
        await ask(sim, { path: `/api/v1/${path}`, headers: { authorization: `Bearer ${key}` } })
      }
      expectHidden(sim, key)
      expectHidden(sim, token)
    }),
  )
})
