import { describe, expect, it } from 'vitest'
import { hear } from './hear.js'

const readings = {
  'events.retries': 'svix',
  'events.retry-after': 'honoured',
  'events.success': '200-only',
  'events.gone': 'final',
  'events.timeout': '15s',
  'events.duplicates': 'occasional-duplicate',
  'events.order': 'shuffled',
  'events.bounced-sender': 'organization',
  'events.signature': 'timestamped-hmac',
  'events.token-placement': 'x-auth-token',
  'events.envelope': 'flat',
  'events.data': 'nested',
} as const

describe('calibrating with deliveries', () => {
  it('learns every reading and verifies signatures with the secret', async () => {
    const { candidates, misfits, evidence } = await hear(readings, { knowsSecret: true })
    const learned = Object.keys(readings).map((gap) => [gap, candidates[gap as keyof typeof readings].join()])
    expect(Object.fromEntries(learned)).toEqual(readings)
    expect(misfits).toEqual([])
    expect(evidence.get('events.signature')?.map(({ seen }) => seen)).toEqual([
      'x-webhook-signature is the HMAC-SHA256 of {timestamp}.{body} under the secret',
    ])
  })

  it('rejects a signature that the secret does not verify', async () => {
    const { candidates, misfits } = await hear(readings, {
      secrets: ['whsec_c29tZXRoaW5nIGVsc2U='],
      isShort: true,
    })
    expect(candidates['events.signature']).toEqual(['none', 'standard-webhooks', 'timestamped-hmac'])
    expect(candidates['events.envelope']).toEqual(['flat'])
    expect(misfits).toEqual([])
  })
})
