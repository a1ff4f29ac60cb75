import { createHmac } from 'node:crypto'

/** The event of a handmade delivery. */
export interface HandMade {
  readonly type: string
  readonly messageId: string
  readonly threadId?: string
}

/** The envelopes of a delivery by the assumptions of `events.envelope`. */
export const envelopes: Readonly<Record<string, (type: string, data: object) => object>> = {
  'id-event-data': (event, data) => ({ id: 'evt_1', event, created_at: '2026-01-05T09:00:00.000Z', data }),
  'type-timestamp-data': (type, data) => ({ type, timestamp: '2026-01-05T09:00:00.000Z', data }),
  flat: (event, data) => ({ event, ...data }),
}

/** The data itself, by the assumptions of `events.data`. */
export const dataShapes: Readonly<Record<string, (about: HandMade) => object>> = {
  flat: ({ messageId, threadId = 'thrd_1' }) => ({ message_id: messageId, thread_id: threadId }),
  nested: ({ messageId, threadId = 'thrd_1' }) => ({ message: { id: messageId, thread_id: threadId } }),
  'flat-full': ({ messageId, threadId = 'thrd_1' }) => ({
    message_id: messageId,
    thread_id: threadId,
    text: 'Hello',
    html: '',
    attachments: [],
  }),
}

/** The headers with a token, by the assumptions of `events.token-placement`. */
export const tokenPlacements: Readonly<Record<string, (token: string) => Record<string, string>>> = {
  'authorization-bearer': (token) => ({ Authorization: `Bearer ${token}` }),
  'x-auth-token': (token) => ({ 'X-Auth-Token': token }),
  'not-sent': () => ({}),
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
export function bodyOf({ type, messageId, threadId = 'thrd_1' }: HandMade): string {
  return JSON.stringify({ event: type, data: { message_id: messageId, thread_id: threadId } })
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
