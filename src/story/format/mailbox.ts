import { z } from '../../base/schema.js'
import { authTokenSchema, eventTypes, webhookUrlSchema } from '../../contract/resources.js'
import { newFileFields, newMessageFields } from '../../mail/new-message.js'
import { authenticationInput } from '../../service/model/authentication.js'
import { letterFormNames } from '../compile/forms.js'
import { mailCategories } from '../letters/schema.js'
import {
  address,
  duration,
  fileMark,
  handle,
  having,
  key,
  locale,
  moment,
  oneOrMore,
  path,
  rule,
  template,
} from './values.js'

const { filename, ...content } = newFileFields()

const fileFields = {
  file: path.optional().describe('A file relative to the scenario, or the name of a shipped one.'),
  filename: filename.optional().describe("The name in the message; by default the file's own."),
  ...content,
}

/** An attachment of a message. */
const attachment = z.union([
  path,
  z
    .strictObject(fileFields)
    .check(
      rule(({ file, content, text }) => {
        const isEmpty = (file ?? content ?? text) === undefined
        return isEmpty ? 'an attachment has a file, a content in base64, or a text' : undefined
      }),
    )
    .meta({
      id: 'attachment',
      title: 'Attachment',
      description: 'An attachment of a message.',
      anyOf: ['file', 'content', 'text'].map(having),
    }),
])

/** The keys that all messages of a scenario share. */
export const mailFields = {
  key: key.optional().describe('Names the message for the timeline and the expectations.'),
  eml: path
    .optional()
    .describe(
      'A file in RFC 5322 format or, if it has several lines, the message itself; the other keys override it.',
    ),
  ...newMessageFields(template),
  attachments: z.array(attachment).optional().describe('Files, after those of the .eml file.'),
}

/** A form in which mail programs write a message. */
const letterForm = z.enum(letterFormNames)

/** The keys of a message that comes from outside. */
export const incomingFields = {
  ...mailFields,
  forms: z
    .array(letterForm)
    .min(1)
    .optional()
    .describe(
      'The forms in which it is written, such as `html-only` or `outlook`; what it says stays the same.',
    ),
  authentication: authenticationInput()
    .optional()
    .describe(
      'What the receiving server finds about its sender: `pass`, `fail`, `none`, or the results of spf, dkim and dmarc; by default what fits the sender.',
    ),
}

const message = z
  .strictObject({
    ...incomingFields,
    maildir: path
      .optional()
      .describe(
        'A directory or an mbox: every .eml file in it is a message of this thread, in the order of their dates.',
      ),
    direction: z
      .enum(['inbound', 'outbound'])
      .optional()
      .describe('Whether the agent received it (the default) or sent it.'),
    at: moment.optional().describe('When: before the start, e.g. `-2d`, or an ISO 8601 instant.'),
    from: template
      .optional()
      .describe('`Ann <ann@example.com>`; by default the same person throughout a thread.'),
    to: oneOrMore(template)
      .optional()
      .describe('The recipients; by default the agent, or the person who wrote.'),
  })
  .check(({ value, issues }) => {
    if (value.maildir === undefined) return
    const stray = Object.entries(value).filter(([name, given]) => {
      return given !== undefined && name !== 'maildir' && name !== 'direction'
    })
    for (const [name] of stray) {
      const message = `"${name}" does not go with "maildir", which allows only direction`
      issues.push({ code: 'custom', path: [name], input: value, message })
    }
  })
  .meta({ id: 'message', title: 'Message', description: 'A message of a written thread.' })

/** A written thread. */
export const thread = z
  .strictObject({
    key: key.optional().describe('Names the thread for the timeline and the expectations.'),
    subject: template.optional().describe('The subject; by default that of the first message.'),
    unread: z.boolean().optional().describe('Whether it is unread; by default if it has inbound messages.'),
    messages: z.array(message).min(1).describe('The messages, the oldest first.'),
  })
  .meta({ id: 'thread', title: 'Thread', description: 'A written thread.' })

/** A thread of a scenario. */
export type ScenarioThread = z.output<typeof thread>
/** A message of a scenario. */
export type ScenarioMessage = ScenarioThread['messages'][number]
/** An attachment of a scenario. */
export type ScenarioAttachment = NonNullable<ScenarioMessage['attachments']>[number]

/** The maximum number of threads that are generated for one mailbox. */
const mostThreads = 10_000_000
const messageCount = z.int().min(1).max(1000)
const share = z.number().min(0).max(1)
const category = z.enum(mailCategories)

/** Distinguishes files, which are allowed among the categories of mail, from misspelt categories. */
const kindFilePattern = /\.(?:yaml|yml|json)$/
const kindFile = z
  .string()
  .regex(kindFilePattern, { abort: true })
  .meta({
    title: 'file',
    description: 'A file with a kind of mail.',
    examples: ['./claims.yaml'],
    [fileMark]: kindFilePattern.source,
  })
// For TypeScript, names of files end like one, so that a misspelt category is none.
const kind = z.union([category, kindFile as z.ZodType<string, `${string}.${'yaml' | 'yml' | 'json'}`>])

const kinds = z
  .union([
    z.array(kind).min(1),
    z
      .record(kind, z.number().min(0))
      .refine((weights) => Object.values(weights).some((weight) => weight > 0), {
        error: 'expected at least one weight above 0',
      }) as z.ZodType<Record<string, number>, { readonly [Kind in z.input<typeof kind>]?: number }>,
  ])
  .optional()
  .describe(
    'The topics of the threads, as a list or with weights such as `{ support: 3, ./claims.yaml: 1 }`: categories, and files with your own kinds of mail; by default, all categories. Threads without replies, such as newsletters, have one or two messages.',
  )

const forms = z
  .union([
    z.array(letterForm).min(1),
    z
      .partialRecord(letterForm, share)
      .refine((shares) => Object.values(shares).reduce((sum, one) => sum + (one ?? 0), 0) <= 1 + 1e-9, {
        error: 'expected shares that add up to at most 1',
      }),
  ])
  .optional()
  .describe(
    'The forms in which messages from outside are written: a list, of which each message has one, or forms with the shares of the messages that have them, such as `{ outlook: 0.3, html-only: 0.1 }`; by default none has one.',
  )

const generate = z
  .strictObject({
    threads: z.int().min(0).max(mostThreads).describe('The number of threads.'),
    messages: z
      .union([
        messageCount,
        z.tuple([messageCount, messageCount]).refine(([low, high]) => low <= high, {
          error: 'expected the smaller number first',
        }),
      ])
      .default([1, 8])
      .describe('Messages in a thread: a number, or the minimum and the maximum.'),
    over: duration.default('90d').describe('How far back the latest messages of the threads reach.'),
    unread: share.default(0.3).describe('Share of the threads waiting for a reply that are unread.'),
    attachments: share.default(0.05).describe('Share of the messages from outside that may carry a file.'),
    kinds,
    forms,
  })
  .meta({
    id: 'generate',
    title: 'Generated mail',
    description: 'How a mailbox is filled with correspondence.',
  })

/** An agent's identity with its mailbox. */
export const identity = z
  .strictObject({
    handle: handle.describe('The handle, without a leading @.'),
    display_name: template.optional().describe('The name that people see; by default the handle.'),
    description: template.optional().describe('What the agent does.'),
    mailbox_address: address
      .optional()
      .describe('The address of the mailbox; by default `<handle>@agents.example`.'),
    created_at: moment.optional().describe('When it was created; by default a year before the start.'),
    locale: locale.optional().describe("The language of this mailbox; by default the scenario's."),
    threads: z.array(thread).default([]).describe('Written threads.'),
    maildir: oneOrMore(path)
      .optional()
      .describe(
        'A directory or an mbox, or several: every .eml file in it is a message, threaded by the headers of the messages.',
      ),
    generate: generate.optional().describe('Fills the mailbox with correspondence.'),
  })
  .meta({ id: 'identity', title: 'Identity', description: 'An agent with its mailbox.' })

/** An identity of a scenario. */
export type ScenarioIdentity = z.output<typeof identity>
/** How a mailbox is filled with generated threads. */
export type ScenarioGenerate = NonNullable<ScenarioIdentity['generate']>

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
