import { defineGap } from './gap.js'

/** Silent points of webhook subscriptions and their list. @see interface 2.4, 4.5 */
export const webhookGaps = {
  'webhooks.filter-names': defineGap({
    question: 'What are the two filters of the list of webhooks called?',
    parts: ['4.5'],
    concerns: ['webhooks.list'],
    learnedBy: 'reads',
    assumptions: {
      'agent+event':
        '`agent` filters by agent handle and `event` by event type – for example GET /api/v1/webhooks?agent=eva&event=message.received → the matching webhooks',
      'agent_handle+event_type':
        '`agent_handle` filters by agent handle and `event_type` by event type – for example GET /api/v1/webhooks?agent_handle=eva&event_type=message.received → the matching webhooks',
      'handle+type':
        '`handle` filters by agent handle and `type` by event type – for example GET /api/v1/webhooks?handle=eva&type=message.received → the matching webhooks',
    },
    worst: 'handle+type',
    advice: 'Do not filter: list all webhooks, and choose by `agent_handle` and `events` in your own code.',
    evidence: 'wirebox-sh/docs: agent and event.',
  }),
  'webhooks.agent-filter-unscoped': defineGap({
    question: 'Does the filter by agent return subscriptions without an agent?',
    parts: ['4.5'],
    concerns: ['webhooks.list'],
    learnedBy: 'reads',
    assumptions: {
      excluded:
        'Only subscriptions scoped to that handle match – for example one webhook scoped to eva, one unscoped; filter eva → 1 webhook',
      included:
        'Subscriptions scoped to that handle match, and so do those without an agent – for example one webhook scoped to eva, one unscoped; filter eva → 2 webhooks',
    },
    worst: 'excluded',
    advice:
      'Do not filter: list all webhooks, and in your own code choose those of the agent and those without an agent.',
    evidence: 'none',
  }),
  'webhooks.auth-token-absent': defineGap({
    question: 'What does `auth_token` contain when `has_auth_token` is false?',
    parts: ['2.4'],
    concerns: ['webhooks.list', 'Webhook.auth_token'],
    learnedBy: 'reads',
    assumptions: {
      absent:
        'The field is left out – for example {"id": "whk_p4", …, "has_auth_token": false} without "auth_token"',
      null: 'The field is null – for example {"id": "whk_p4", …, "auth_token": null, "has_auth_token": false}',
      'empty-string':
        'The field is the empty string – for example {"id": "whk_p4", …, "auth_token": "", "has_auth_token": false}',
    },
    worst: 'absent',
    advice: 'Check `has_auth_token` first, and read `auth_token` only if it is true.',
    evidence: 'none',
  }),
  'webhooks.unscoped-handle': defineGap({
    question: 'What does `agent_handle` contain in a subscription without an agent?',
    parts: ['2.4', '6'],
    concerns: ['webhooks.list', 'Webhook.agent_handle'],
    learnedBy: 'reads',
    assumptions: {
      null: 'The field is null – for example {"id": "whk_p4", …, "agent_handle": null}',
      absent: 'The field is left out – for example {"id": "whk_p4", …} without "agent_handle"',
      'empty-string': 'The field is the empty string – for example {"id": "whk_p4", …, "agent_handle": ""}',
    },
    worst: 'absent',
    advice:
      'Test with `!webhook.agent_handle`, which is true for null, for an empty string and for a missing field.',
    evidence: 'The interface says that a subscription may be scoped to one handle (6).',
  }),
  'webhooks.order': defineGap({
    question: 'In which order are webhooks listed?',
    parts: ['4.5'],
    concerns: ['webhooks.list'],
    learnedBy: 'reads',
    assumptions: {
      'created-asc':
        'The subscription created first comes first – for example created on Monday and on Friday → Monday, Friday',
      'created-desc':
        'The subscription created last comes first – for example created on Monday and on Friday → Friday, Monday',
      unspecified:
        'The order is a seeded shuffle, the same for every request – for example created on Monday and on Friday → either may come first, but it is always the same one',
    },
    worst: 'unspecified',
    advice:
      'Find a webhook by its `id` or `url`, never by its position; sort by `created_at` if order matters.',
    evidence: 'none',
  }),
} as const
