import type { Settle } from '../settle.js'

/** What a signature is made over and with. */
export interface Signed {
  readonly eventId: string
  /** The world's time, in milliseconds since the epoch; signatures carry whole seconds. */
  readonly at: number
  readonly body: string
  /** The subscription's secret, `whsec_…`. */
  readonly secret: string
}

/** The headers that sign a delivery. @see interface 6 */
export function signatureHeaders(signed: Signed, settle: Settle): Promise<Record<string, string>> {
  const scheme = settle(
    'events.signature',
    {
      none: () => unsigned,
      'standard-webhooks': () => standardWebhooks,
      'timestamped-hmac': () => timestampedHmac,
    },
    'shown',
  )
  return scheme(signed)
}

async function unsigned(): Promise<Record<string, string>> {
  return {}
}

async function standardWebhooks({ eventId, at, body, secret }: Signed): Promise<Record<string, string>> {
  // Loaded here, since most worlds sign nothing.
  const { Webhook } = await import('standardwebhooks')
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(secondsOf(at)),
    'webhook-signature': new Webhook(secret).sign(eventId, new Date(at), body),
  }
}

async function timestampedHmac({ at, body, secret }: Signed): Promise<Record<string, string>> {
  const time = secondsOf(at)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, bytesOf(`${time}.${body}`))
  const hex = [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { 'x-webhook-signature': `t=${time},v1=${hex}` }
}

function secondsOf(instant: number): number {
  return Math.floor(instant / 1000)
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
