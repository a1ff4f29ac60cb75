import type { Webhook } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { webhooksPath } from '../../conformance/mailbox.js'
import type { Answer } from '../../conformance/transport.js'
import type { Asked, GapCases } from '../gap-case.js'
import { webhooksIn } from '../seen.js'

const all: Asked = { path: webhooksPath() }
/** The only subscription of eva, with a scope and a token. */
const ofEva: Asked = { path: webhooksPath({ agent: 'eva' }) }

const namesIn = (answer: Answer) => webhooksIn(answer).map(({ url }) => url.replace(/^.*\//, ''))

/** Asserts which webhooks are listed, in any order. */
const showing =
  (...names: readonly string[]) =>
  (answer: Answer) =>
    expect(namesIn(answer).toSorted()).toEqual(names.toSorted())

/** Asserts which webhooks are listed, in this order. */
const inOrder =
  (...names: readonly string[]) =>
  (answer: Answer) =>
    expect(namesIn(answer)).toEqual(names)

/** Asserts that a field of the webhook of a name is what is expected. */
const withField = (name: string, check: (webhook: Webhook) => void) => (answer: Answer) => {
  const webhook = webhooksIn(answer).find(({ url }) => url.endsWith(`/${name}`))
  check(webhook as Webhook)
}

/** Silent points of webhook subscriptions and their list. */
export const webhookCases = {
  'webhooks.filter-names': {
    request: { path: webhooksPath({ agent: 'eva', agent_handle: 'max', type: 'message.delivered' }) },
    sees: {
      'agent+event': showing('eva'),
      'agent_handle+event_type': showing('max'),
      'handle+type': showing('outcomes', 'everything'),
    },
    quiet: [all],
  },
  'webhooks.agent-filter-unscoped': {
    request: ofEva,
    sees: { excluded: showing('eva'), included: showing('eva', 'outcomes', 'everything') },
    quiet: [all, { path: webhooksPath({ event: 'message.received' }) }],
  },
  'webhooks.auth-token-absent': {
    request: all,
    sees: {
      absent: withField('max', (webhook) => expect(webhook).not.toHaveProperty('auth_token')),
      null: withField('max', (webhook) => expect(webhook.auth_token).toBe(null)),
      'empty-string': withField('max', (webhook) => expect(webhook.auth_token).toBe('')),
    },
    quiet: [ofEva],
  },
  'webhooks.unscoped-handle': {
    request: all,
    sees: {
      null: withField('everything', (webhook) => expect(webhook.agent_handle).toBe(null)),
      absent: withField('everything', (webhook) => expect(webhook).not.toHaveProperty('agent_handle')),
      'empty-string': withField('everything', (webhook) => expect(webhook.agent_handle).toBe('')),
    },
    quiet: [ofEva],
  },
  'webhooks.order': {
    request: all,
    sees: {
      'created-asc': inOrder('eva', 'outcomes', 'max', 'everything'),
      'created-desc': inOrder('everything', 'max', 'outcomes', 'eva'),
      unspecified: async (answer, { mailbox }) => {
        showing('eva', 'max', 'everything', 'outcomes')(answer)
        for (const order of ['created-asc', 'created-desc']) {
          mailbox.simulator.readings.set({ 'webhooks.order': order })
          expect(namesIn(await mailbox.get(webhooksPath()))).not.toEqual(namesIn(answer))
        }
      },
    },
    quiet: [ofEva],
  },
} satisfies Partial<GapCases>
