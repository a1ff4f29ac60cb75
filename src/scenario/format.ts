import { eventTypes } from '../contract/events.js'
import { z } from '../contract/schema.js'
import { isAddress } from '../mail/index.js'
import { handlePattern, parseDuration, parseInstant } from '../world/index.js'
import { scenarioReadingsSchema } from './reading-choices.js'

/** Where a time is wanted: a duration before or after the start, or an instant. */
const moment = z
  .string()
  .refine((text) => parseDuration(text) !== undefined || parseInstant(text) !== undefined, {
    error: 'expected a time such as -2d, -3h30m or 2026-01-05T09:00:00Z',
  })
  .describe('A time relative to the start, e.g. -2d, or an ISO 8601 instant')

const duration = z
  .string()
  .refine((text) => (parseDuration(text) ?? -1) > 0, { error: 'expected a duration such as 90d or 12h' })

const template = z.string().describe('Text; {{person.fullName}} and other Faker templates are filled in')

const attachment = z.union([
  z.string().describe('A file, relative to the scenario, or the name of a shipped one'),
  z.strictObject({
    file: z.string().optional(),
    filename: z.string().min(1).optional(),
    content_type: z.string().optional(),
    content_id: z.string().optional(),
    /** Base64. */
    content: z.base64().optional(),
    text: z.string().optional(),
  }),
])

const message = z.strictObject({
  key: z.string().optional().describe('Names the message within its thread'),
  eml: z.string().optional().describe('A file in RFC 5322 form; the other keys override what it says'),
  direction: z.enum(['inbound', 'outbound']).optional(),
  at: moment.optional(),
  from: template.optional(),
  to: z.union([template, z.array(template).min(1)]).optional(),
  subject: template.optional(),
  text: template.optional(),
  html: template.optional(),
  attachments: z.array(attachment).optional(),
})

const thread = z.strictObject({
  key: z.string().optional().describe('Names the thread for timeline and expectations'),
  subject: template.optional(),
  unread: z.boolean().optional(),
  messages: z.array(message).min(1),
})

const share = z.number().min(0).max(1)

const generate = z.strictObject({
  threads: z.int().min(0).max(10_000_000),
  messages: z
    .union([
      z.int().min(1).max(1000),
      z.tuple([z.int().min(1).max(1000), z.int().min(1).max(1000)]).refine(([low, high]) => low <= high, {
        error: 'expected the smaller number first',
      }),
    ])
    .default([1, 8])
    .describe('Messages in a thread: a number, or the least and the most'),
  over: duration.default('90d').describe('How far back the latest messages of the threads reach'),
  unread: share.default(0.3).describe('Share of the threads waiting for an answer that are unread'),
  attachments: share.default(0.05).describe('Share of the messages from outside that may carry a file'),
})

const identity = z.strictObject({
  handle: z.string().regex(handlePattern, 'expected 1 to 64 letters, digits, "_", "." or "-"'),
  display_name: template.optional(),
  description: template.optional(),
  mailbox_address: z.string().refine(isAddress, { error: 'expected an email address' }).optional(),
  created_at: moment.optional(),
  threads: z.array(thread).default([]),
  generate: generate.optional(),
})

const webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/, normalize: true, error: 'expected an http(s) URL' }),
  events: z.array(z.enum(eventTypes)).min(1),
  agent_handle: z.string().optional(),
  auth_token: z.string().min(1).optional(),
  created_at: moment.optional(),
})

const organization = z.strictObject({
  name: template.default('Agents Example'),
  api_keys: z.array(z.string().regex(/^\S+$/, 'expected a key without spaces')).default(['test-key']),
})

const household = { identities: z.array(identity).default([]), webhooks: z.array(webhook).default([]) }

/** The format of scenario files. */
export const scenarioSchema = z.strictObject({
  scenario: z.string().min(1).describe('The name of the scenario'),
  describe: z.string().optional().describe('What happens, in a sentence'),
  seed: z.int().min(0).default(1),
  start: z
    .string()
    .refine((text) => parseInstant(text) !== undefined, { error: 'expected an ISO 8601 instant' })
    .default('2026-01-05T09:00:00Z')
    .describe('The instant the story begins'),
  readings: scenarioReadingsSchema.optional(),
  organization: organization.prefault({}),
  ...household,
  organizations: z
    .array(organization.extend(household))
    .default([])
    .describe('Further organizations, each with its own keys, identities and webhooks'),
})

/** A scenario as people write it. */
export type ScenarioInput = z.input<typeof scenarioSchema>
/** A scenario with its defaults filled in. */
export type Scenario = z.output<typeof scenarioSchema>
/** An organization of a scenario. */
export type ScenarioOrganization = Scenario['organizations'][number]
/** An identity of a scenario. */
export type ScenarioIdentity = Scenario['identities'][number]
/** A thread of a scenario. */
export type ScenarioThread = ScenarioIdentity['threads'][number]
/** A message of a scenario. */
export type ScenarioMessage = ScenarioThread['messages'][number]
/** An attachment of a scenario. */
export type ScenarioAttachment = NonNullable<ScenarioMessage['attachments']>[number]
/** How a mailbox is filled with generated threads. */
export type ScenarioGenerate = NonNullable<ScenarioIdentity['generate']>
/** A webhook subscription of a scenario. */
export type ScenarioWebhook = Scenario['webhooks'][number]

/** Declares a scenario in TypeScript, with its types checked. */
export function defineScenario(scenario: ScenarioInput): ScenarioInput {
  return scenario
}
