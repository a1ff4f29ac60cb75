import { escapedJson, spacedJson } from '../../base/json.js'
import { version } from '../../base/package.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import type { Settle } from '../assumptions/settle.js'
import type { WebhookRow } from '../model/rows.js'
import type { RenderContext } from '../rendering/renderer.js'
import { renderMessage, shownDirection, timestamp } from '../rendering/resources.js'
import { hashText } from '../time/random.js'
import {
  type DeliveryFormat,
  encoded,
  formattedSignature,
  formattedToken,
  hmacSha256,
  type SignedContent,
  toSeconds,
} from './delivery-format.js'
import type { MailEvent } from './subscriptions.js'
import type { OutgoingRequest } from './transport.js'

/** Renders the body of a delivery as JSON, once for all attempts. @see interface 6 */
export function renderPayload(event: MailEvent, context: RenderContext): string {
  const { settle } = context
  const { id, type } = event
  const at = timestamp(event.at, settle)
  const data = renderData(event, context)
  const payload = settle(
    'events.envelope',
    {
      'id-event-data': (): object => ({ id, event: type, created_at: at, data }),
      'type-timestamp-data': (): object => ({ type, timestamp: at, data }),
      flat: (): object => ({ event: type, ...data }),
    },
    'certain',
  )
  return settle(
    'events.body-bytes',
    {
      compact: () => JSON.stringify(payload),
      spaced: () => spacedJson(payload),
      escaped: () => escapedJson(payload),
    },
    'certain',
  )
}

function renderData(event: MailEvent, context: RenderContext): object {
  const { agentHandle, message, recipient } = event
  const outcome = recipient === null ? {} : { recipient }
  return context.settle(
    'events.data',
    {
      flat: (): object => ({ ...messageFields(event, context), ...outcome }),
      nested: (): object => {
        return { agent_handle: agentHandle, message: renderMessage(message, context), ...outcome }
      },
      'flat-full': (): object => ({ ...wholeMessage(event, context), ...outcome }),
    },
    'certain',
  )
}

/** Returns all fields of the message, for receivers that read it without a request to the service. */
function wholeMessage({ message, agentHandle }: MailEvent, context: RenderContext): object {
  const { id, ...fields } = renderMessage(message, context) as { readonly id: string }
  const mailbox = context.store.get('identity', message.identity_id)?.mailbox_address
  return { message_id: id, agent_handle: agentHandle, mailbox_address: mailbox, ...fields }
}

function messageFields({ message, agentHandle }: MailEvent, { settle }: RenderContext): object {
  const { id, thread_id, from, to, subject, created_at } = message
  return {
    message_id: id,
    thread_id,
    agent_handle: agentHandle,
    direction: shownDirection(message, settle),
    from,
    to,
    subject,
    created_at: timestamp(created_at, settle),
  }
}

/** The contents of one attempt. */
interface AttemptContent {
  readonly webhook: WebhookRow
  readonly eventId: string
  readonly body: string
  readonly at: number
  readonly seed: number
  /** The published format; by default, the assumptions decide. */
  readonly format?: DeliveryFormat | undefined
}

/** Creates the request of one attempt, signed with the attempt's own time. @see interface 6 */
export async function createDeliveryRequest(
  { webhook, eventId, body, at, seed, format = {} }: AttemptContent,
  settle: Settle,
): Promise<OutgoingRequest> {
  const token = tokenHeaders(webhook, settle, format)
  const signed = { eventId, at, body, secret: secretOf(seed, webhook.id) }
  const signature = format.signature_header ? {} : await signatureHeaders(signed, settle)
  const published = await formattedSignature(format, signed)
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': `agent-mailbox-sim/${version}`,
      ...token,
      ...signature,
      ...published,
    },
    body,
  }
}

/** Returns the header that carries the token of a subscription. @see interface 2.4 */
function tokenHeaders(
  { auth_token: token }: WebhookRow,
  settle: Settle,
  { token_header }: DeliveryFormat,
): Record<string, string> {
  if (token === null) return {}
  if (token_header) return formattedToken(token_header, token)
  return settle(
    'events.token-placement',
    {
      'authorization-bearer': (): Record<string, string> => ({ authorization: `Bearer ${token}` }),
      'x-auth-token': (): Record<string, string> => ({ 'x-auth-token': token }),
      'not-sent': (): Record<string, string> => ({}),
    },
    'certain',
  )
}

/** Returns the headers that sign a delivery. @see interface 6 */
function signatureHeaders(content: SignedContent, settle: Settle): Promise<Record<string, string>> {
  const scheme = settle(
    'events.signature',
    {
      none: () => unsigned,
      'standard-webhooks': () => standardWebhooks,
      'timestamped-hmac': () => timestampedHmac,
    },
    'certain',
  )
  return scheme(content)
}

async function unsigned(): Promise<Record<string, string>> {
  return {}
}

async function standardWebhooks(content: SignedContent): Promise<Record<string, string>> {
  const { eventId, at, body, secret } = content
  // Loaded only here, since most worlds sign nothing.
  const { Webhook } = await import('standardwebhooks')
  return {
    'webhook-id': eventId,
    'webhook-timestamp': toSeconds(at),
    'webhook-signature': new Webhook(secret).sign(eventId, new Date(at), body),
  }
}

async function timestampedHmac({ at, body, secret }: SignedContent): Promise<Record<string, string>> {
  const time = toSeconds(at)
  const hex = encoded(await hmacSha256(secret, `${time}.${body}`), 'hex')
  return { 'x-webhook-signature': `t=${time},v1=${hex}` }
}

/**
 * Returns the secret that deliveries of a subscription are signed with: `whsec_` and 24 bytes in base64, the same for
 * the same seed and subscription.
 */
export function secretOf(seed: number, webhookId: string): string {
  const words = ['a', 'b'].flatMap((half) => hashText(`secret ${half} ${webhookId}`, seed)).slice(0, 6)
  const bytes = words.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255))
  return `whsec_${toBase64(Uint8Array.from(bytes))}`
}
