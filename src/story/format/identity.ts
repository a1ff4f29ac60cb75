import { z } from '../../base/schema.js'
import { mailCategories } from '../letters/schema.js'
import { letterForm, thread } from './mail.js'
import { address, duration, fileMark, handle, locale, moment, oneOrMore, path, template } from './values.js'

/** The maximum number of threads that are generated for one mailbox. */
const mostThreads = 10_000_000
const messageCount = z.int().min(1).max(1000)
const share = z.number().min(0).max(1)
const category = z.enum(mailCategories)

/** Distinguishes files, which are allowed among the categories of mail, from misspelt categories. */
export const kindFilePattern = /\.(?:yaml|yml|json)$/
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
