import { z } from '../../../base/schema.js'
import { listOf } from '../../../base/text.js'
import type { EventType } from '../../../contract/resources.js'
import { parseMailbox, sameAddress } from '../../../mail/address.js'
import { WorldError } from '../../model/errors.js'
import type { MessageRow } from '../../model/rows.js'
import { type AddressedMail, recipientsOf } from '../../rendering/header-fields.js'
import { type CommandContext, defineCommand, existing } from './command.js'
import { eventFields } from './mail-fields.js'

/** Reports that mail from an agent bounced. @see interface 6 */
export const bounceMessage = defineCommand({
  schema: () => z.strictObject({ type: z.literal('bounce-message'), ...outcomeFields() }),
  apply: (world, command): MessageRow => emitOutcome(world, 'message.bounced', command),
})

/** Reports that mail from an agent was delivered. @see interface 6 */
export const deliverMessage = defineCommand({
  schema: () => z.strictObject({ type: z.literal('deliver-message'), ...outcomeFields() }),
  apply: (world, command): MessageRow => emitOutcome(world, 'message.delivered', command),
})

/**
 * The fields of both commands: the message, or a thread whose latest outbound message is meant, and the
 * recipient.
 */
const outcomeFields = () => ({
  message_id: z.string().optional(),
  /** Stands for the thread's latest outbound message. */
  thread_id: z.string().optional(),
  /** One of the message's recipients; optional. */
  recipient: z.string().min(1).nullable().default(null),
  ...eventFields(),
})

type Outcome = z.output<z.ZodObject<ReturnType<typeof outcomeFields>>>

/** Emits the outcome of an outbound message; the mailbox does not change. @throws WorldError */
function emitOutcome(world: CommandContext, type: EventType, outcome: Outcome): MessageRow {
  const message = messageOf(world, outcome)
  if (message.direction !== 'outbound') {
    throw new WorldError(
      'invalid',
      `The message "${message.id}" is inbound; only mail that an agent sent is delivered or bounces.`,
    )
  }
  const { agent_handle: agentHandle } = existing(world, 'identity', message.identity_id)
  const recipient = recipientOf(message, outcome)
  world.emit({ type, message, agentHandle, recipient, delay: outcome.event_delay })
  return message
}

/**
 * Returns the recipient of an outcome, spelled as in the message. @throws WorldError `unknown-recipient`
 */
function recipientOf(message: MessageRow, { recipient }: Outcome): string | null {
  if (recipient === null) return null
  const named = recipientNamed(message, recipient)
  if (named !== undefined) return named
  throw new WorldError(
    'unknown-recipient',
    `The message "${message.id}" ${whyNoRecipient(message, recipient)}.`,
  )
}

function messageOf(world: CommandContext, { message_id, thread_id }: Outcome): MessageRow {
  if ((message_id === undefined) === (thread_id === undefined)) {
    throw new WorldError('invalid', 'Name the message by message_id, or its thread by thread_id.')
  }
  if (message_id !== undefined) return existing(world, 'message', message_id)
  const thread = existing(world, 'thread', thread_id ?? '')
  const newestFirst = world.store.messages(thread.id).page({ order: 'created', descending: true })
  for (const id of newestFirst) {
    const message = existing(world, 'message', id)
    if (message.direction === 'outbound') return message
  }
  throw new WorldError(
    'not-found',
    `Nothing was sent in the thread "${thread.id}" yet; have the agent send a message there first.`,
  )
}

/**
 * Returns the recipient that a text means, spelled as in the message; a message without recipients allows
 * any.
 */
export function recipientNamed(mail: AddressedMail, text: string): string | undefined {
  const wanted = parseMailbox(text)?.address ?? text
  const recipients = recipientsOf(mail)
  return recipients.length === 0 ? wanted : recipients.find((address) => sameAddress(address, wanted))
}

/**
 * Returns why an outcome cannot concern that recipient, as the predicate of a sentence about the message;
 * undefined if it can.
 */
export function whyNoRecipient(mail: AddressedMail, text: string): string | undefined {
  if (recipientNamed(mail, text) !== undefined) return undefined
  const recipients = recipientsOf(mail)
  return `has no recipient "${text}"; it goes to ${listOf(recipients)}`
}
