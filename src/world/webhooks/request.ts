import { version } from '../../contract/version.js'
import type { WebhookRow } from '../../model/index.js'
import type { Settle } from '../settle.js'
import type { OutgoingRequest } from './outlet.js'
import { secretOf } from './secret.js'
import { type Signed, signatureHeaders } from './signature.js'

/** What one attempt sends. */
export interface RequestParts {
  readonly webhook: WebhookRow
  readonly eventId: string
  readonly body: string
  /** The world's time. */
  readonly at: number
  readonly seed: number
}

/** The request of one attempt; the signature is of its own time. @see interface 6 */
export async function requestOf(
  { webhook, eventId, body, at, seed }: RequestParts,
  settle: Settle,
): Promise<OutgoingRequest> {
  const token = tokenHeaders(webhook, settle)
  // Made where it is wanted: most worlds sign nothing.
  const signed: Signed = {
    eventId,
    at,
    body,
    get secret() {
      return secretOf(seed, webhook.id)
    },
  }
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': `agent-mailbox-sim/${version}`,
      ...token,
      ...(await signatureHeaders(signed, settle)),
    },
    body,
  }
}

/** Where the token of a subscription travels. @see interface 2.4 */
function tokenHeaders({ auth_token: token }: WebhookRow, settle: Settle): Record<string, string> {
  if (token === null) return {}
  return settle(
    'events.token-placement',
    {
      'authorization-bearer': (): Record<string, string> => ({ authorization: `Bearer ${token}` }),
      'x-auth-token': (): Record<string, string> => ({ 'x-auth-token': token }),
      'not-sent': (): Record<string, string> => ({}),
    },
    'shown',
  )
}
