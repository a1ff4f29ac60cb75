import type { Settle } from '../assumptions/settle.js'
import type { WebhookRow } from '../model/rows.js'
import { renderWebhook } from '../rendering/resources.js'
import { findFilteredAgent } from './identities.js'
import { defineOperation, type OperationContext } from './operation.js'
import { listReply } from './reply.js'

/** The names of the two filters, by assumption. */
export const filterNames = {
  'agent+event': ['agent', 'event'],
  'agent_handle+event_type': ['agent_handle', 'event_type'],
  'handle+type': ['handle', 'type'],
} as const

/** `GET /api/v1/webhooks`: lists the subscriptions of the caller's organization. @see interface 4.5 */
export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  queryNames: (query, settle) => (query.isEmpty ? [] : filterNamesIn(settle)),
  perform(context) {
    const webhooks = allWebhooks(context)
    const matches = context.query.isEmpty ? webhooks : filtered(context, webhooks)
    return listReply('webhooks', context.render.many(matches, renderWebhook), matches.length)
  },
})

/** Returns the names of the filters for an agent and for an event type, under the assumption in force. */
function filterNamesIn(settle: Settle): readonly [string, string] {
  return settle('webhooks.filter-names', {
    'agent+event': () => filterNames['agent+event'],
    'agent_handle+event_type': () => filterNames['agent_handle+event_type'],
    'handle+type': () => filterNames['handle+type'],
  })
}

function allWebhooks(context: OperationContext): WebhookRow[] {
  const { store, organization } = context
  const webhooks = store.webhooks(organization.id)
  const all = { offset: 0, limit: webhooks.count }
  const ids = context.settle('webhooks.order', {
    'created-asc': () => webhooks.page({ ...all, order: 'created' }),
    'created-desc': () => webhooks.page({ ...all, order: 'created', descending: true }),
    unspecified: () => webhooks.page({ ...all, order: 'shuffle' }),
  })
  return store.rows('webhook', ids)
}

function filtered(context: OperationContext, webhooks: readonly WebhookRow[]): readonly WebhookRow[] {
  const [agentName, eventName] = filterNamesIn(context.settle)
  const agent = context.query.text(agentName)
  const event = context.query.text(eventName)
  const subscribed =
    event === undefined ? webhooks : webhooks.filter(({ events }) => events.some((type) => type === event))
  return agent === undefined ? subscribed : scopedTo(context, agent, subscribed)
}

function scopedTo(
  context: OperationContext,
  agent: string,
  webhooks: readonly WebhookRow[],
): readonly WebhookRow[] {
  const handle = findFilteredAgent(context, agent)?.agent_handle
  return context.settle('webhooks.agent-filter-unscoped', {
    excluded: () => webhooks.filter(({ agent_handle }) => agent_handle !== null && agent_handle === handle),
    included: () => webhooks.filter(({ agent_handle }) => agent_handle === null || agent_handle === handle),
  })
}
