import { quoted } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import type { Compilation } from '../compile/compilation.js'
import type { KeyedMessage } from '../compile/names.js'
import { fieldAt, type Place } from '../compile/parts.js'
import { handle, having, key, oneOrMore, template } from '../format/values.js'
import { type ActionContext, type CompileAction, defineAction } from './action.js'

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

type Outcome = z.output<typeof outcome>

export const deliver = defineOutcome('A message that the agent sent is delivered.', 'deliver-message')

export const bounce = defineOutcome('A message that the agent sent bounces.', 'bounce-message')

function defineOutcome(describe: string, type: 'deliver-message' | 'bounce-message') {
  return defineAction({
    describe,
    schema: outcome,
    hasEvent: true,
    resolve: (context, action) => resolveOutcome(context, action, type),
  })
}

/**
 * Resolves the delivery or bounce of a message that an agent sent: a given one, or the latest of a thread.
 */
function resolveOutcome(
  context: ActionContext,
  action: Outcome,
  type: 'deliver-message' | 'bounce-message',
): CompileAction | undefined {
  checkTurns(context, action.recipient)
  if (action.message === 'sent' && context.resolvedEntry.entry.when?.sent) {
    return async (compilation, place, turn) => {
      const recipient = await recipientOf(compilation, fieldAt(place, 'recipient'), action, turn)
      return { commands: [{ type, ...(recipient !== undefined && { recipient }) }], answers: true }
    }
  }
  const { thread, message } = context.lookups.target(action, context.path, context.resolvedEntry) ?? {}
  const mail = message ?? thread
  if (!mail) return undefined
  if (message) checkSent(context, message)
  return async (compilation, place, turn) => {
    const own = fieldAt({ ...place, locale: mail.owner.locale }, 'recipient')
    const to = await recipientOf(compilation, own, action, turn)
    const named = message ? { message_id: message.id } : { thread_id: mail.id }
    return { commands: [{ type, ...named, ...(to !== undefined && { recipient: to }) }] }
  }
}

/** Returns the recipient for a repetition. */
async function recipientOf(
  { texts }: Compilation,
  place: Place,
  { recipient }: Outcome,
  turn: number,
): Promise<string | undefined> {
  const recipients = [recipient ?? []].flat()
  const index = turn % recipients.length
  const template = recipients[index]
  if (template === undefined) return undefined
  const path = Array.isArray(recipient) ? [...place.path, index] : place.path
  return texts.address(await texts.fill(template, { ...place, path }), path)
}

/** Adds a problem if there are more recipients than repetitions. */
function checkTurns({ lookups, resolvedEntry, path }: ActionContext, recipient: Outcome['recipient']): void {
  const { times = 1 } = resolvedEntry.entry.repeat ?? {}
  const { length } = [recipient ?? []].flat()
  if (length <= times) return
  const message = `lists ${length} recipients, and it happens ${times === 1 ? 'once' : `${times} times`}`
  const remedy = `"repeat: { times: ${length}, every: … }" uses each of them once`
  lookups.problem([...path, 'recipient'], `${message}; ${remedy}`)
}

/** Adds a problem if a message is not sent by an agent, or only later. */
function checkSent(context: ActionContext, { key, isSent, broughtBy }: KeyedMessage): void {
  const { lookups, resolvedEntry } = context
  const path = [...context.path, 'message']
  if (isSent === false) {
    const what = `the message ${quoted(key)} is inbound`
    lookups.problem(path, `${what}; only mail that an agent sends is delivered or bounces`)
  } else lookups.checkNotLater(resolvedEntry, broughtBy, () => `the message ${quoted(key)} is sent`, path)
}
