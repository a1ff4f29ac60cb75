import type { AnyOperationName } from '../contract/operations.js'
import type { MailboxStore, MessageRow } from '../model/index.js'
import type { Journal, JournalEntry } from './journal.js'

/** Mail that an agent sent by a request. */
export interface SentMail {
  /** The message in the agent's mailbox. */
  readonly message: MessageRow
  /** The id or Message-ID of the message that the request answered; null if it named none, whatever its thread. */
  readonly answered: string | null
  readonly operation: AnyOperationName
  /** The number of the request. */
  readonly exchange: number
}

/**
 * Returns the mail that agents sent by requests, in their order: by all that the journal keeps, or by these. Mail of the
 * timeline, the control API and deleted mailboxes is not among it.
 */
export function sentMail(
  { journal, store }: { readonly journal: Journal; readonly store: MailboxStore },
  entries: readonly JournalEntry[] = journal.entries(),
): SentMail[] {
  return entries.flatMap((entry) => {
    const { operation } = entry.recorded
    return journal.commandsOf(entry).flatMap(({ command, message: id }) => {
      if (command.type !== 'send-message' || operation === null) return []
      const message = store.get('message', id ?? '')
      return message
        ? [{ message, answered: command.in_reply_to ?? null, operation, exchange: entry.seq }]
        : []
    })
  })
}
