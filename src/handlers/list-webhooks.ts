import type { WebhookRow } from '../model/index.js'
import { renderWebhook } from '../world/index.js'
import type { Call } from './call.js'
import { findFilteredAgent } from './find-identity.js'
import { listReply, type Reply } from './reply.js'

/** The names the two filters may have, by reading. */
const filterNames = {
  'agent+event': ['agent', 'event'],
  'agent_handle+event_type': ['agent_handle', 'event_type'],
  'handle+type': ['handle', 'type'],
} as const

/** `GET /api/v1/webhooks`: all subscriptions of the caller's organization. @see interface 4.5 */
export function listWebhooks(call: Call): Reply {
  const matches = filtered(call, allWebhooks(call))
  return listReply('webhooks', call.render.many(matches, renderWebhook), matches.length)
}

/** Names of the query parameters that are filters under the reading in force. */
export function webhookFilterNames(
  settle: Call['settle'],
  given: (name: string) => boolean,
): readonly string[] {
  const names = Object.values(filterNames).flat()
  if (!names.some(given)) return []
  return settle('webhooks.filter-names', {
    'agent+event': (): readonly string[] => filterNames['agent+event'],
    'agent_handle+event_type': (): readonly string[] => filterNames['agent_handle+event_type'],
    'handle+type': (): readonly string[] => filterNames['handle+type'],
  })
}

function allWebhooks(call: Call): WebhookRow[] {
  const { store, organization } = call
  const webhooks = store.webhooks(organization.id)
  const whole = { offset: 0, limit: webhooks.count }
  const ids = call.settle('webhooks.order', {
    'created-asc': () => webhooks.page({ ...whole, order: 'created' }),
    'created-desc': () => webhooks.page({ ...whole, order: 'created', descending: true }),
    unspecified: () => webhooks.page({ ...whole, order: 'shuffle' }),
  })
  return store.rows('webhook', ids)
}

function filtered(call: Call, webhooks: readonly WebhookRow[]): readonly WebhookRow[] {
  const [agentName, eventName] = webhookFilterNames(call.settle, (name) => call.query.has(name))
  const agent = agentName === undefined ? undefined : call.query.text(agentName)
  const event = eventName === undefined ? undefined : call.query.text(eventName)
  const subscribed = event === undefined ? webhooks : webhooks.filter(({ events }) => events.includes(event))
  return agent === undefined ? subscribed : scopedTo(call, agent, subscribed)
}

function scopedTo(call: Call, agent: string, webhooks: readonly WebhookRow[]): readonly WebhookRow[] {
  const handle = findFilteredAgent(call, agent)?.agent_handle
  return call.settle('webhooks.agent-filter-unscoped', {
    excluded: () => webhooks.filter(({ agent_handle }) => agent_handle !== null && agent_handle === handle),
    included: () => webhooks.filter(({ agent_handle }) => agent_handle === null || agent_handle === handle),
  })
}
