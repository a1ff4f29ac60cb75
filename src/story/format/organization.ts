import { z } from '../../base/schema.js'
import { authTokenSchema, eventTypes, webhookUrlSchema } from '../../contract/resources.js'
import { identity } from './identity.js'
import { handle, moment, template } from './values.js'

const webhook = z
  .strictObject({
    url: webhookUrlSchema().describe('Where events are sent.'),
    events: z.array(z.enum(eventTypes)).min(1).describe('The event types it subscribes to.'),
    agent_handle: handle.optional().describe('Only events of this agent; by default of every agent.'),
    auth_token: authTokenSchema().optional().describe('The token that deliveries carry.'),
    created_at: moment.optional().describe('When it was created; by default thirty days before the start.'),
  })
  .meta({ id: 'webhook', title: 'Webhook', description: 'A subscription to events.' })

const organizationFields = {
  name: template.default('Agents Example').describe("The organization's name."),
  api_keys: z
    .array(z.string().regex(/^\S+$/, 'expected a key without spaces'))
    .default(['test-key'])
    .describe('Bearer keys that belong to it.'),
}

/** The keys for everything an organization owns. */
export const ownedFields = {
  identities: z.array(identity).default([]).describe('The agents, each with a mailbox.'),
  webhooks: z.array(webhook).default([]).describe('Webhook subscriptions.'),
}

/** The organization whose agents the scenario is about. */
export const organization = z.strictObject(organizationFields).meta({
  id: 'organization',
  title: 'Organization',
  description: 'The name of an organization and its API keys.',
})

/** An additional organization, with everything it owns. */
export const furtherOrganization = z.strictObject({ ...organizationFields, ...ownedFields }).meta({
  id: 'further_organization',
  title: 'Additional organization',
  description:
    'Another organization of the same service, to test that no client sees the mail of another organization.',
})

/** An organization of a scenario. */
export type ScenarioOrganization = z.output<typeof furtherOrganization>
/** A webhook subscription of a scenario. */
export type ScenarioWebhook = ScenarioOrganization['webhooks'][number]
