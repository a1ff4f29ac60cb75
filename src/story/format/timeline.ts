import { z } from '../../base/schema.js'
import { eventTypes } from '../../contract/resources.js'
import { effectsOf, faultSchema } from '../../service/world/index.js'
import { entryFields, exactlyOne, problemWithTime, times } from './entry.js'
import { mailFields } from './mail.js'
import { handle, having, key, moment, oneOrMore, readingChoicesSchema, rule, template } from './values.js'

const threadOf = key.describe('The key of a thread.')
const identityOf = handle
  .optional()
  .describe('The owner of the thread, if two mailboxes have a thread with that key.')
const threadFields = { thread: threadOf, identity: identityOf }

/** A message that comes in. */
export const incomingMail = z
  .strictObject({
    to: oneOrMore(z.string().min(1))
      .optional()
      .describe('Handles or addresses; by default the owner of the thread.'),
    thread: key
      .optional()
      .describe('The thread it joins, or, with a subject, the key of the thread it begins.'),
    from: template
      .optional()
      .describe('`Ann <ann@example.com>`; by default the person who wrote in that thread.'),
    place: z
      .int()
      .optional()
      .describe(
        'The thread it joins, by its position in the mailbox: 1 for the one with the latest message, -1 for the oldest.',
      ),
    again: z
      .literal(true)
      .optional()
      .describe(
        'With `place`: the latest inbound message of that thread arrives again, with its Message-ID.',
      ),
    in_reply_to: z
      .literal('sent')
      .optional()
      .describe(
        'It replies to the message for which the entry waits: in its thread, to the agent that sent it, and from the first recipient.',
      ),
    at: moment
      .optional()
      .describe('When it was sent, if earlier: for a message that was delayed on its way, e.g. `-2d`.'),
    ...mailFields,
  })
  .meta({ id: 'receive', title: 'receive', description: 'A message that comes in.' })

const send = z
  .strictObject({
    from: handle.optional().describe('The agent; by default the owner of the thread.'),
    thread: key
      .optional()
      .describe('The thread it joins, or, with a subject, the key of the thread it begins.'),
    to: oneOrMore(template)
      .optional()
      .describe('Recipients; by default the person who wrote in that thread.'),
    ...mailFields,
  })
  .meta({ id: 'send', title: 'send', description: 'A message that an agent sends.' })

const outcome = z
  .strictObject({
    thread: key.optional().describe('The key of a thread; its latest outbound message, without `message`.'),
    identity: handle
      .optional()
      .describe('The owner of the thread or message, if two mailboxes have one with that key.'),
    message: key
      .optional()
      .describe(
        'The key of the message, or of the entry that sends it; `sent` for the message for which the entry waits.',
      ),
    recipient: oneOrMore(template)
      .optional()
      .describe('The recipient concerned; each repetition takes the next one of a list.'),
  })
  .refine(({ thread, message }) => (thread ?? message) !== undefined, {
    error: 'which message it is: expected thread or message; found neither',
  })
  .meta({
    id: 'outcome',
    title: 'deliver and bounce',
    description: 'The outcome of a message that an agent sent.',
    anyOf: ['thread', 'message'].map(having),
  })

const update = z
  .strictObject({
    identity: handle.describe('The agent.'),
    display_name: template.optional().describe('The new display name.'),
    description: template.optional().describe('The new description.'),
  })
  .meta({ id: 'update', title: 'update', description: 'A change of an identity.' })

const fault = faultSchema().meta({
  id: 'fault',
  title: 'fault',
  description: 'A rule that disturbs responses: which requests, and how.',
  anyOf: effectsOf(faultSchema().shape).map(having),
})

const redeliver = z
  .strictObject({
    event: z.enum(eventTypes).describe('The event type.'),
    nth: z.int().min(1).default(1).describe('Which of its deliveries, from 1 for the first.'),
  })
  .meta({ id: 'redeliver', title: 'redeliver', description: 'A delivery that is sent again.' })

const actions = {
  receive: incomingMail.optional().describe('A message comes in.'),
  send: send
    .optional()
    .describe('An agent sends a message: for example, a colleague replies, or an auto-reply is sent.'),
  read: z.strictObject(threadFields).optional().describe('A thread is marked read.'),
  unread: z.strictObject(threadFields).optional().describe('A thread is marked unread.'),
  update: update.optional().describe('An identity changes.'),
  deliver: outcome.optional().describe('A message that the agent sent is delivered.'),
  bounce: outcome.optional().describe('A message that the agent sent bounces.'),
  fault: fault.optional().describe('Responses are disturbed from now on.'),
  clear_faults: z.literal(true).optional().describe('Responses are no longer disturbed.'),
  redeliver: redeliver.optional().describe('A delivery is sent again.'),
  readings: readingChoicesSchema.optional().describe('Other readings apply from now on.'),
}

/** The keys that say what happens; an entry has exactly one of them. */
export type ActionName = keyof typeof actions

export const actionNames = Object.keys(actions) as ActionName[]

/** Something that happens in the story, with its time. */
export const timelineEntry = z
  .strictObject({
    ...entryFields,
    ...actions,
  })
  .check(rule(problemWithTime))
  .check(rule(exactlyOne('what happens', actionNames)))
  .check(rule(problemWith))
  .meta({
    id: 'timeline_entry',
    title: 'Timeline entry',
    description:
      'Something that happens after the start: at a time, `after` or `at`, or `when` something else does, and one thing ' +
      'that happens.',
    anyOf: times.map(having),
    not: { required: ['after', 'at'] },
    oneOf: actionNames.map(having),
  })

/** Returns what is wrong with an entry that is about the message for which it waits. */
function problemWithAnswer(entry: Partial<Record<string, unknown>>): string | undefined {
  const mail = Object(entry['receive']) as Partial<Record<string, unknown>>
  const isAnswer = mail['in_reply_to'] !== undefined
  const stray = ['to', 'thread', 'place'].find((name) => mail[name] !== undefined)
  if (isAnswer && stray !== undefined)
    return `"${stray}" is derived from the message that it replies to; leave it out`
  const isWaiting = Object(entry['when']).sent !== undefined
  return isAnswer && !isWaiting
    ? '"in_reply_to: sent" needs "when: { sent: … }", which selects the message'
    : undefined
}

function problemWith(entry: Partial<Record<string, unknown>>): string | undefined {
  const { when, repeat, receive, send } = entry
  if (
    entry['event_delay'] !== undefined &&
    !['receive', 'send', 'deliver', 'bounce'].some((name) => entry[name])
  ) {
    return '"event_delay" is only for mail and its outcomes, which have events'
  }
  if (when && repeat) {
    if (!receive && !send) return '"repeat" with "when" is only for mail; write an entry for each "when"'
    if ((repeat as { every: string }).every !== '0s')
      return 'with "when", all repetitions happen simultaneously; leave out "every"'
  }
  const { place, thread, subject, again, text, html, eml } = (receive ?? {}) as Partial<
    Record<string, unknown>
  >
  const about = problemWithAnswer(entry)
  if (about !== undefined) return about
  if (again && place === undefined) return '"again" needs "place", which selects the thread'
  if (again && (text ?? html ?? eml) !== undefined)
    return 'what comes "again" has its own text; leave out text, html and eml'
  if (place === undefined) return undefined
  if (place === 0) return '"place" is 1 or more, or -1 or less'
  return (thread ?? subject) === undefined
    ? undefined
    : '"place" selects the thread; leave out "thread" and "subject"'
}
