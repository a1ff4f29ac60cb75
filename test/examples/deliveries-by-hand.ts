import { createHmac } from 'node:crypto'

/** The event of a handmade delivery. */
export interface HandMade {
  readonly type: string
  readonly messageId: string
}

/** How a delivery is signed: with a secret, at a time in seconds. */
export interface Signing {
  readonly secret: string
  readonly at?: number
}

/** The headers that sign a body, by the assumptions of `events.signature`. */
export const signatures: Readonly<
  Record<string, (body: string, signing: Signing) => Record<string, string>>
> = {
  none: () => ({}),
  'standard-webhooks': (body, { secret, at = seconds() }) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64')
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': `${at}`, 'webhook-signature': `v1,${signature}` }
  },
  'timestamped-hmac': (body, { secret, at = seconds() }) => {
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
    return { 'x-webhook-signature': `t=${at},v1=${signature}` }
  },
}

/** The machine's time, in seconds. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** A body with the shapes of the defaults. */
export function bodyOf({ type, messageId }: HandMade): string {
  return JSON.stringify({ event: type, data: { message_id: messageId, thread_id: 'thrd_1' } })
}

/** Sends a delivery and returns the status of the answer. */
export async function deliver(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
  await answer.body?.cancel()
  return answer.status
}
