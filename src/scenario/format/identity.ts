import { z } from '../../contract/schema.js'
import { storyCategories } from '../stories/categories.js'
import { thread } from './mail.js'
import { address, duration, handle, locale, moment, oneOrMore, path, template } from './values.js'

/** The most threads one mailbox generates. */
const mostThreads = 10_000_000
const messageCount = z.int().min(1).max(1000)
const share = z.number().min(0).max(1)
const category = z.enum(storyCategories)

const kinds = z
  .union([
    z.array(category).min(1),
    z
      .partialRecord(category, z.number().min(0))
      .refine((weights) => Object.values(weights).some((weight) => weight > 0), {
        error: 'expected at least one weight above 0',
      }),
  ])
  .optional()
  .describe(
    'What the threads are about: a list, or weights such as `{ support: 3, spam: 1 }`; everything otherwise. Threads that nobody answers, as newsletters, have one or two messages.',
  )

const generate = z.strictObject({
  threads: z.int().min(0).max(mostThreads).describe('How many threads.'),
  messages: z
    .union([
      messageCount,
      z.tuple([messageCount, messageCount]).refine(([low, high]) => low <= high, {
        error: 'expected the smaller number first',
      }),
    ])
    .default([1, 8])
    .describe('Messages in a thread: a number, or the least and the most.'),
  over: duration.default('90d').describe('How far back the latest messages of the threads reach.'),
  unread: share.default(0.3).describe('Share of the threads waiting for an answer that are unread.'),
  attachments: share.default(0.05).describe('Share of the messages from outside that may carry a file.'),
  kinds,
})

/** An agent's identity with its mailbox. */
export const identity = z.strictObject({
  handle: handle.describe('The handle, without a leading @.'),
  display_name: template.optional().describe('The name people see; the handle otherwise.'),
  description: template.optional().describe('What the agent does.'),
  mailbox_address: address.optional().describe('The mailbox; `<handle>@agents.example` otherwise.'),
  created_at: moment.optional().describe('When it was made; a year before the start otherwise.'),
  locale: locale.optional().describe("The language of this mailbox; the scenario's otherwise."),
  threads: z.array(thread).default([]).describe('Written threads.'),
  maildir: oneOrMore(path)
    .optional()
    .describe('A directory, or several: every .eml file in it is a message, threaded by what the mails say.'),
  generate: generate.optional().describe('Fills the mailbox with correspondence.'),
})
