import type { AssumptionsInput } from 'agent-mailbox-sim'
import type { ServerOptions } from 'agent-mailbox-sim/server'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { playRetries, receiveMail, serve, settledDeliveries, subscribe } from './desk.js'
import { answering, type Received, startReceiver } from './receiver.js'

/** Delivers a mail with non-ASCII text; returns the receiver and the secret of its subscription. */
async function signed(
  assumptions: AssumptionsInput,
  { status = 200, ...options }: ServerOptions & { status?: number } = {},
) {
  const receiver = await startReceiver({ '/hook': answering(status) })
  const { simulator } = await serve({ assume: assumptions, ...options })
  const { id } = subscribe(simulator, `${receiver.origin}/hook`)
  await receiveMail(simulator, 'support', 'Größe 42 – “bitte” 📦')
  await settledDeliveries(simulator)
  return { receiver, simulator, secret: simulator.webhooks.secret(id) }
}

function standardHeaders({ headers }: Received): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]))
}

describe('standard-webhooks', () => {
  const assumptions = { 'events.signature': 'standard-webhooks', 'events.data': 'nested' } as const

  it('is accepted by the official verifier', async () => {
    // On a real clock: the verifier refuses deliveries older than five minutes.
    const { receiver, secret } = await signed(assumptions, { clock: 'real' })
    const [received] = receiver.received as [Received]
    const verified = new Webhook(secret).verify(received.body, standardHeaders(received))
    expect(verified).toEqual(JSON.parse(received.body))
    expect(received.headers['webhook-id']).toBe(JSON.parse(received.body).id)
  })

  it('is rejected with another body, id, time or secret', async () => {
    const { receiver, secret } = await signed(assumptions, { clock: 'real' })
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

  it('has story time, a time for each attempt and one id', async () => {
    const { receiver, simulator, secret } = await signed(
      { ...assumptions, 'events.retries': 'svix' },
      { status: 500 },
    )
    const delivery = await playRetries(simulator)
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
