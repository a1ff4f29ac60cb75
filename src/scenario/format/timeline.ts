import { z } from '../../contract/schema.js'
import { faultSchema } from '../../world/index.js'
import { exactlyOne } from './exactly-one.js'
import { mailFields } from './mail.js'
import { readingChoicesSchema } from './reading-choices.js'
import { delay, duration, handle, instant, key, oneOrMore, template } from './values.js'

const threadOf = key.describe('The key of a thread.')
const identityOf = handle.optional().describe('Whose thread it is, where two mailboxes have one of that key.')
const threadFields = { thread: threadOf, identity: identityOf }

const receive = z.strictObject({
  to: oneOrMore(z.string().min(1))
    .optional()
    .describe('Handles or addresses; the owner of the thread otherwise.'),
  thread: key
    .optional()
    .describe('The thread it joins, or, with a subject, the key of the thread it begins.'),
  from: template.optional().describe('`Ann <ann@example.com>`; whoever wrote in that thread otherwise.'),
  ...mailFields,
})

const send = z.strictObject({
  from: handle.optional().describe('The agent; the owner of the thread otherwise.'),
  thread: key
    .optional()
    .describe('The thread it joins, or, with a subject, the key of the thread it begins.'),
  to: oneOrMore(template).optional().describe('Recipients; whoever wrote in that thread otherwise.'),
  ...mailFields,
})

const outcome = z
  .strictObject({
    thread: key.optional().describe('The key of a thread; its latest outbound message, without `message`.'),
    identity: handle
      .optional()
      .describe('Whose thread or message it is, where two mailboxes have one of that key.'),
    message: key.optional().describe('The key of the message, or of the entry that sends it.'),
    recipient: oneOrMore(template)
      .optional()
      .describe(
        'The address it is about, one that the mail goes to; of a list, each repetition takes the next one.',
      ),
  })
  .refine(({ thread, message }) => (thread ?? message) !== undefined, {
    error: 'which mail it is: expected thread or message; found neither',
  })

const update = z.strictObject({
  identity: handle.describe('The agent.'),
  display_name: template.optional().describe('The new display name.'),
  description: template.optional().describe('The new description.'),
})

const actions = {
  receive: receive.optional().describe('Mail comes in.'),
  send: send.optional().describe('An agent sends mail: somebody else answers, or an auto-reply goes out.'),
  read: z.strictObject(threadFields).optional().describe('A thread is marked read.'),
  unread: z.strictObject(threadFields).optional().describe('A thread is marked unread.'),
  update: update.optional().describe('An identity changes.'),
  deliver: outcome.optional().describe('Mail the agent sent reaches its recipient.'),
  bounce: outcome.optional().describe('Mail the agent sent comes back.'),
  fault: faultSchema().optional().describe('Answers are disturbed from now on.'),
  clear_faults: z.literal(true).optional().describe('Answers are disturbed no more.'),
  readings: readingChoicesSchema.optional().describe('Silent points are read otherwise from now on.'),
}

const repeat = z.strictObject({
  times: z.int().min(2).max(10_000).describe('How often it happens in all.'),
  every: duration.describe('The time from one to the next.'),
})

/** What happens at one moment of the story. */
export const timelineEntry = z
  .strictObject({
    key: key.optional().describe('Names the entry, and mail that it brings, for the expectations.'),
    describe: z.string().optional().describe('What happens, in a sentence.'),
    after: delay.optional().describe("How long after the story's start."),
    at: instant.optional().describe('The instant, instead of `after`.'),
    repeat: repeat.optional().describe('Has it happen several times.'),
    ...actions,
  })
  .check(exactlyOne('when it happens', ['after', 'at']))
  .check(exactlyOne('what happens', Object.keys(actions)))

/** What an entry of a timeline may have happen. */
export type TimelineAction = keyof typeof actions

/** What an entry may have happen, of which it has one. */
export const timelineActions = Object.keys(actions) as readonly TimelineAction[]
