import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { SimulatorOptions } from '../../src/doors/simulator/options.js'
import type { DeliveryFormat } from '../../src/service/webhooks/delivery-format.js'

const url = 'http://agent.test/hook'
const webhook = { url, events: ['message.received' as const], auth_token: 'token-of-the-hook' }
const scenario = { scenario: 'desk', identities: [{ handle: 'eva' }], webhooks: [webhook] }

/** The first delivery that a receiver gets, and the secret of its subscription. */
async function deliveryWith(deliveryFormat: DeliveryFormat, more: SimulatorOptions = {}) {
  const simulator = await createSimulator({ scenario, deliveryFormat, ...more })
  const received: { headers: Headers; body: string }[] = []
  simulator.webhooks.on(url, async (request) => {
    received.push({ headers: request.headers, body: await request.text() })
  })
  await simulator.mail.receive({ to: 'eva', from: 'Ann <ann@example.com>', subject: 'Hi', text: 'Hello' })
  await simulator.clock.advance('1s')
  const [first] = received
  if (!first) throw new Error('Nothing was delivered.')
  const secret = simulator.webhooks.secret(simulator.webhooks.list()[0]?.id ?? '')
  return { ...first, secret, simulator }
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text)

describe('a delivery format', () => {
  it('signs as documented by the service', async () => {
    const format = {
      signature_header: 'X-Service-Signature',
      signed_text: '{request_id}.{timestamp}.{body}',
      timestamp_header: 'X-Service-Timestamp',
      request_id_header: 'X-Service-Request-Id',
      token_header: 'X-Service-Token',
      prefix: 'sha256=',
    }
    const { headers, body, secret } = await deliveryWith(format, {
      assume: { 'events.signature': 'standard-webhooks' },
    })
    const [time, id] = [headers.get('x-service-timestamp'), headers.get('x-service-request-id')]
    expect([time, id]).toEqual([expect.stringMatching(/^\d{10}$/), JSON.parse(body).id])
    const expected = hmac(secret, `${id}.${time}.${body}`).digest('hex')
    expect(headers.get('x-service-signature')).toBe(`sha256=${expected}`)
    expect(headers.get('x-service-token')).toBe('token-of-the-hook')
    for (const name of ['authorization', 'webhook-signature']) expect(headers.get(name)).toBeNull()
  })

  it('signs in base64 with a separate key', async () => {
    const format = {
      signature_header: 'x-sig',
      signed_text: '{body}',
      encoding: 'base64',
      secret: 'k',
    } as const
    const { headers, body } = await deliveryWith(format)
    expect(headers.get('x-sig')).toBe(hmac('k', body).digest('base64'))
    expect(headers.get('authorization')).toBe('Bearer token-of-the-hook')
  })

  it('shows its key with each subscription and masks it in records', async () => {
    const simulator = await createSimulator({
      scenario,
      deliveryFormat: { signature_header: 'x-sig', secret: 'key-of-the-receiver' },
    })
    simulator.webhooks.on(url, () => new Response('Not signed with key-of-the-receiver.', { status: 401 }))
    await simulator.mail.receive({ to: 'eva', text: 'Hello' })
    const [{ id = '' } = {}] = simulator.webhooks.list()
    expect(simulator.webhooks.secret(id)).toBe('key-of-the-receiver')
    await simulator.clock.advance(0)
    expect(simulator.deliveries.list()[0]?.attempts[0]?.response?.body).toBe('Not signed with ***.')
  })

  it('can be set in the scenario and masks the token everywhere', async () => {
    const own = { ...scenario, delivery_format: { token_header: 'x-hook-token', signature_header: 'x-sig' } }
    const { headers, simulator } = await deliveryWith({ prefix: 'v1=' }, { scenario: own })
    expect(headers.get('x-hook-token')).toBe('token-of-the-hook')
    expect(headers.get('x-sig')).toMatch(/^v1=[0-9a-f]{64}$/)
    expect(JSON.stringify(simulator.deliveries.list())).not.toContain('token-of-the-hook')
    expect(simulator.reliances().map(({ gap }) => gap)).not.toContain('events.signature')
  })

  it('applies to added worlds', async () => {
    const simulator = await createSimulator({ scenario })
    const other = await simulator.addWorld({ deliveryFormat: { token_header: 'x-hook-token' } })
    const derived = await other.addWorld({ extend: ['common'] })
    const tokens: (string | null)[] = []
    derived.webhooks.on(url, ({ headers }) => void tokens.push(headers.get('x-hook-token')))
    await derived.mail.receive({ to: 'eva', from: 'Ann <ann@example.com>', text: 'Hello' })
    await derived.clock.advance('1s')
    expect(tokens).toEqual(['token-of-the-hook'])
    simulator.close()
  })

  it.each([
    [{ signed_text: '{body}' }, /need a signature_header/],
    [{ signature_header: 'x y' }, /signature_header: expected the name of a header/],
    [{ signature_header: 'content-type' }, /deliveries do not already have/],
    [{ signature_header: 'x-s', signed_text: '{time}.{body}' }, /signed_text: expected \{body\}/],
    [
      { signature_header: 'Expect' },
      /signature_header: expected a header that does not control the connection/,
    ],
    [{ signature_header: 'x-s', timestamp_header: 'X-S' }, /each header needs a different name/],
    [{ signature_header: 'x-s', prefix: 'v1\n' }, /prefix: expected printable ASCII characters/],
    [{ signature: 'x-s' }, /deliveryFormat: .*signature/],
  ])('refuses %j', async (format, message) => {
    await expect(deliveryWith(format as DeliveryFormat)).rejects.toThrow(message)
  })
})
