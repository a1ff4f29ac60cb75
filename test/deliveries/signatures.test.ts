import { createHmac } from 'node:crypto'
import type { ReadingsInput } from 'agent-mailbox-sim'
import type { ServerOptions } from 'agent-mailbox-sim/server'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { atRest, mailComes, playedToTheEnd, restingDelivery, serve, subscribe } from './desk.js'
import { answering, type Received, startReceiver } from './receiver.js'

/** A mail whose text has more than ASCII in it, told to a receiver; what that got, and the secret both know. */
async function signed(
  readings: ReadingsInput,
  { status = 200, ...options }: ServerOptions & { status?: number } = {},
) {
  const receiver = await startReceiver({ '/hook': answering(status) })
  const { simulator } = await serve({ readings, ...options })
  const { id } = subscribe(simulator, `${receiver.origin}/hook`)
  await mailComes(simulator, 'support', 'Größe 42 – “bitte” 📦')
  await atRest(simulator)
  return { receiver, simulator, secret: simulator.webhooks.secret(id) }
}

function standardHeaders({ headers }: Received): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]))
}

describe('standard-webhooks', () => {
  const readings = { 'events.signature': 'standard-webhooks', 'events.data': 'nested' } as const

  it("is taken by the scheme's own verifier", async () => {
    // On a clock like the verifier's, which refuses what is older than five minutes.
    const { receiver, secret } = await signed(readings, { clock: 'real' })
    const [received] = receiver.received as [Received]
    const verified = new Webhook(secret).verify(received.body, standardHeaders(received))
    expect(verified).toEqual(JSON.parse(received.body))
    expect(received.headers['webhook-id']).toBe(JSON.parse(received.body).id)
  })

  it('is refused where the body, the id, the time or the secret is another', async () => {
    const { receiver, secret } = await signed(readings, { clock: 'real' })
    const [received] = receiver.received as [Received]
    const headers = standardHeaders(received)
    const refused = (body: string, changed: Record<string, string>, key = secret) => {
      expect(() => new Webhook(key).verify(body, { ...headers, ...changed })).toThrow('No matching signature')
    }
    refused(`${received.body} `, {})
    refused(received.body, { 'webhook-id': 'evt_other' })
    refused(received.body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })
    refused(received.body, {}, `whsec_${Buffer.alloc(24).toString('base64')}`)
  })

  it("carries the story's time, that of each attempt its own, and one id", async () => {
    const { receiver, simulator, secret } = await signed(
      { ...readings, 'events.retries': 'svix' },
      { status: 500 },
    )
    const delivery = await playedToTheEnd(simulator)
    expect(receiver.received).toHaveLength(8)
    try {
      for (const [index, received] of receiver.received.entries()) {
        const at = Date.parse(delivery.attempts[index]?.at ?? '')
        expect(received.headers['webhook-timestamp']).toBe(String(at / 1000))
        // A receiver within the story has the story's time.
        vi.useFakeTimers({ now: at, toFake: ['Date'] })
        new Webhook(secret).verify(received.body, standardHeaders(received))
      }
    } finally {
      vi.useRealTimers()
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(8)
  })
})

describe('timestamped-hmac', () => {
  /** Whether a delivery was signed with a secret, as a receiver finds out. */
  function isSigned({ headers, body }: Received, secret: string): boolean {
    const [, time, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature'])) ?? []
    return createHmac('sha256', secret).update(`${time}.${body}`).digest('hex') === given
  }

  const readings = { 'events.signature': 'timestamped-hmac' } as const

  it('is an HMAC of time, a dot and the body', async () => {
    const { receiver, secret } = await signed(readings)
    const [received] = receiver.received as [Received]
    expect(isSigned(received, secret)).toBe(true)
    expect(isSigned({ ...received, body: `${received.body} ` }, secret)).toBe(false)
    expect(isSigned(received, `${secret}x`)).toBe(false)
    const instant = Date.parse('2026-01-05T09:00:00Z') / 1000
    expect(received.headers['x-webhook-signature']).toMatch(`t=${instant},`)
  })
})

it('none: nothing is signed', async () => {
  const { receiver } = await signed({ 'events.signature': 'none' })
  const [received] = receiver.received as [Received]
  expect(Object.keys(received.headers).filter((name) => name.includes('webhook'))).toEqual([])
})

it('subscriptions have secrets of their own, and none of them is in the record', async () => {
  const receiver = await startReceiver({ '/a': answering(200), '/b': answering(200) })
  const { simulator } = await serve({ readings: { 'events.signature': 'standard-webhooks' } })
  const secrets = ['a', 'b'].map((path) => {
    return simulator.webhooks.secret(subscribe(simulator, `${receiver.origin}/${path}`).id)
  })
  expect(new Set(secrets).size).toBe(2)
  await mailComes(simulator)
  const record = JSON.stringify(await atRest(simulator))
  for (const secret of secrets) expect(record).not.toContain(secret)
})

describe('events.token-placement', () => {
  it.each([
    ['authorization-bearer', { authorization: 'Bearer hook-token-1' }],
    ['x-auth-token', { 'x-auth-token': 'hook-token-1' }],
    ['not-sent', {}],
  ] as const)('%s: the token arrives there alone', async (reading, headers) => {
    const receiver = await startReceiver({ '/hook': answering(200) })
    const { simulator } = await serve({ readings: { 'events.token-placement': reading } })
    simulator.webhooks.create({
      url: `${receiver.origin}/hook`,
      events: ['message.received'],
      authToken: 'hook-token-1',
    })
    await mailComes(simulator)
    const delivery = await restingDelivery(simulator)
    const arrived = Object.entries(receiver.received[0]?.headers ?? {})
    expect(Object.fromEntries(arrived.filter(([, value]) => String(value).includes('hook-token-1')))).toEqual(
      headers,
    )
    expect(JSON.stringify(delivery)).not.toContain('hook-token-1')
  })
})
