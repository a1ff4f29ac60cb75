import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { secretOf } from './secret.js'
import { settled } from './settled.fixture.js'
import { type Signed, signatureHeaders } from './signature.js'

const signed: Signed = {
  eventId: 'evt_1',
  at: Date.parse('2026-01-05T09:00:00.999Z'),
  body: '{"text": "Grüße, \\u2028 👋"}',
  secret: secretOf(7, 'whk_1'),
}

afterEach(() => {
  vi.useRealTimers()
})

async function headersUnder(reading: string, more: Partial<Signed> = {}) {
  const parts = { ...signed, ...more }
  const { result, noted } = settled({ 'events.signature': reading }, (settle) =>
    signatureHeaders(parts, settle),
  )
  return { headers: await result, noted: noted['events.signature'] }
}

describe('the signature of a delivery', () => {
  it('is none where a reading says so', async () => {
    const { headers, noted } = await headersUnder('none')
    expect(headers).toEqual({})
    expect(noted).toEqual(['standard-webhooks', 'timestamped-hmac'])
  })

  it('is one that the verifier of Standard Webhooks accepts, at the time of the attempt', async () => {
    const { headers, noted } = await headersUnder('standard-webhooks')
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1767603600' })
    expect(noted).toEqual(['none', 'timestamped-hmac'])
    vi.useFakeTimers({ now: signed.at })
    expect(new Webhook(signed.secret).verify(signed.body, headers)).toEqual(JSON.parse(signed.body))
    const wrong = [
      () => new Webhook(secretOf(7, 'whk_2')).verify(signed.body, headers),
      () => new Webhook(signed.secret).verify(`${signed.body} `, headers),
      () => new Webhook(signed.secret).verify(signed.body, { ...headers, 'webhook-id': 'evt_2' }),
    ]
    for (const verify of wrong) expect(verify).toThrow()
  })

  it('is one that anybody can check who has the secret: time, a dot and the body', async () => {
    const { headers, noted } = await headersUnder('timestamped-hmac')
    const check = createHmac('sha256', signed.secret).update(`1767603600.${signed.body}`).digest('hex')
    expect(headers).toEqual({ 'x-webhook-signature': `t=1767603600,v1=${check}` })
    expect(noted).toEqual(['none', 'standard-webhooks'])
  })

  it.each(['standard-webhooks', 'timestamped-hmac'])(
    '%s is the same for the same attempt, and another at another time',
    async (reading) => {
      const first = await headersUnder(reading)
      expect(await headersUnder(reading)).toEqual(first)
      const later = await headersUnder(reading, { at: signed.at + 1000 })
      for (const name of Object.keys(first.headers).filter((header) => header !== 'webhook-id')) {
        expect(later.headers[name]).not.toBe(first.headers[name])
      }
    },
  )
})
