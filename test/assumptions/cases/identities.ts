import type { Identity, Webhook } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { identityPath, type Mailbox, webhooksPath } from '../../conformance/mailbox.js'
import type { Answer } from '../../conformance/transport.js'
import { type Asked, eva, type GapCases, given, rowsIn, same, update } from '../gap-case.js'

const name = { display_name: 'Eva L.' }

/** An update of eva an hour after the start; shows which fields it has changed, and that later answers have them. */
const laterOn = {
  prepare: async ({ simulator }) => simulator.clock.advance('1h'),
  before: eva,
  shows: async (answer: Answer, mailbox: Mailbox, before: Answer | undefined) => {
    const [earlier, updated] = [given<Identity>(before as Answer), given<Identity>(answer)]
    expect(await mailbox.identity('eva')).toEqual(updated)
    expect(Object.keys(updated)).toEqual(Object.keys(earlier))
    const entries = Object.entries(updated) as [keyof Identity, string][]
    return Object.fromEntries(entries.filter(([key, value]) => earlier[key] !== value))
  },
} satisfies Partial<GapCases['identities.patch-null']>

const updated_at = '2026-03-02T11:00:00.000Z'

const webhooks: Asked = { path: webhooksPath() }
/** The only subscription of eva, with a scope and a token. */
const webhooksOfEva: Asked = { path: webhooksPath({ agent: 'eva' }) }

const namesIn = (answer: Answer) => rowsIn<Webhook>(answer).map(({ url }) => url.replace(/^.*\//, ''))
const fieldOf = (name: string, field: keyof Webhook) => (answer: Answer) =>
  rowsIn<Webhook>(answer).find(({ url }) => url.endsWith(`/${name}`))?.[field]

/** Silent points of identities and webhooks. */
export const identityCases = {
  'identities.handle-case': {
    before: eva,
    request: { path: identityPath('EVA') },
    sees: { exact: 404, insensitive: same },
    quiet: [eva, { path: identityPath('nobody') }],
  },
  'identities.handle-format': {
    request: { path: identityPath('e%20v%20a') },
    sees: { 'not-found': 404, rejected: 400 },
    quiet: [eva, { path: identityPath('nobody') }],
  },
  'identities.patch-at-handle': {
    ...laterOn,
    request: update('@eva', name),
    sees: { 'same-identity': { ...name, updated_at }, 'not-found': 404, rejected: 400 },
    quiet: [update('eva', name), { path: identityPath('@eva') }],
  },
  'identities.patch-empty-body': {
    ...laterOn,
    request: update('eva', {}),
    sees: { unchanged: same, touched: { updated_at }, rejected: 400 },
    quiet: [update('eva', name)],
  },
  'identities.patch-unknown-fields': {
    ...laterOn,
    request: update('eva', { ...name, mood: 'fine' }),
    sees: { ignored: { ...name, updated_at }, rejected: 400 },
    quiet: [update('eva', { ...name, description: 'Fine' })],
  },
  'identities.patch-null': {
    ...laterOn,
    request: update('eva', { description: null }),
    sees: {
      rejected: 400,
      'empty-string': { description: '', updated_at },
      null: { description: null, updated_at },
    },
    quiet: [update('eva', { description: '' })],
  },
  'identities.patch-content-type': {
    ...laterOn,
    request: update('eva', name, 'text/plain'),
    sees: { rejected: 400, 'unsupported-media-type': 415, parsed: { ...name, updated_at } },
    quiet: [update('eva', name, 'Application/JSON; charset=utf-8')],
  },
  'webhooks.filter-names': {
    request: { path: webhooksPath({ agent: 'eva', agent_handle: 'max', type: 'message.delivered' }) },
    shows: namesIn,
    sees: {
      'agent+event': ['eva'],
      'agent_handle+event_type': ['max'],
      'handle+type': ['outcomes', 'everything'],
    },
    quiet: [webhooks],
  },
  'webhooks.agent-filter-unscoped': {
    request: webhooksOfEva,
    shows: namesIn,
    sees: { excluded: ['eva'], included: ['eva', 'outcomes', 'everything'] },
    quiet: [webhooks, { path: webhooksPath({ event: 'message.received' }) }],
  },
  'webhooks.auth-token-absent': {
    request: webhooks,
    shows: fieldOf('max', 'auth_token'),
    sees: { absent: undefined, null: null, 'empty-string': '' },
    quiet: [webhooksOfEva],
  },
  'webhooks.unscoped-handle': {
    request: webhooks,
    shows: fieldOf('everything', 'agent_handle'),
    sees: { null: null, absent: undefined, 'empty-string': '' },
    quiet: [webhooksOfEva],
  },
  'webhooks.order': {
    request: webhooks,
    shows: namesIn,
    sees: {
      'created-asc': ['eva', 'outcomes', 'max', 'everything'],
      'created-desc': ['everything', 'max', 'outcomes', 'eva'],
      unspecified: ['outcomes', 'everything', 'eva', 'max'],
    },
    quiet: [webhooksOfEva],
  },
} satisfies Partial<GapCases>
