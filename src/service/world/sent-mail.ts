import type { AnyOperationName } from '../../contract/operations.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { AttachmentRow, MessageRow } from '../model/rows.js'
import { addressesOf } from '../rendering/header-fields.js'
import { formatInstant } from '../time/time.js'

/** Mail that an agent sent by a request. */
export interface SentMail {
  /** The message in the agent's mailbox. */
  readonly message: MessageRow
  /**
   * The id or Message-ID of the message that the request replied to; null if it named none, whatever its
   * thread.
   */
  readonly answered: string | null
  readonly operation: AnyOperationName
  /** The number of the request. */
  readonly exchange: number
}

/** A file of a message, without its content. */
export type ShownFile = Omit<AttachmentRow, 'ordinal' | 'message_id' | 'content'>

/** Returns the files of a message as users see them. */
export function showFiles({ attachment_ids }: MessageRow, store: Pick<MailboxStore, 'rows'>): ShownFile[] {
  return store.rows('attachment', attachment_ids).map((file) => {
    const { id, filename, content_type, size_bytes, content_id } = file
    return { id, filename, content_type, size_bytes, content_id }
  })
}

/** Mail that an agent sent by a request, as the world knows it. */
export interface SentMessage {
  readonly id: string
  readonly thread_id: string
  /** The handle of the agent that sent it. */
  readonly agent_handle: string
  readonly from: string
  /** Bare addresses, as in the other fields. */
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly reply_to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  readonly attachments: readonly ShownFile[]
  /**
   * The id of the message that it replies to, or its Message-ID if it is in no mailbox; null if it is not a
   * reply.
   */
  readonly in_reply_to: string | null
  readonly created_at: string
  readonly operation: AnyOperationName
  /** The number of the request that sent it. */
  readonly exchange: number
}

/** A message that an agent sent, apart from the request by which it did. */
export type StoredMessage = Omit<SentMessage, 'operation' | 'exchange'>

/** Returns sent mail as users see it. */
export function showSent({ message, operation, exchange }: SentMail, store: MailboxStore): SentMessage {
  return { ...showMessage(message, store), operation, exchange }
}

/** Returns a message that an agent sent as users see it. */
export function showMessage(
  message: MessageRow,
  store: Pick<MailboxStore, 'get' | 'rows' | 'bodyOf' | 'messageNamed'>,
): StoredMessage {
  const { id, thread_id, identity_id, from, subject, in_reply_to, created_at } = message
  const { to, cc, bcc, reply_to } = addressesOf(message)
  const { text, html } = store.bodyOf(message)
  const attachments = showFiles(message, store)
  const answered = in_reply_to === null ? undefined : store.messageNamed(identity_id, in_reply_to)
  return {
    ...{ id, thread_id, agent_handle: store.get('identity', identity_id)?.agent_handle ?? '' },
    ...{ from, to, cc, bcc, reply_to, subject, text, html, attachments },
    ...{ in_reply_to: answered?.id ?? in_reply_to, created_at: formatInstant(created_at) },
  }
}

/** Selects mail that agents send. */
export interface SentSelector {
  /** Returns whether a message of a world is selected. */
  fits(mail: SentMessage, store: Pick<MailboxStore, 'get' | 'rows'>): boolean
  /** Returns why the latest message could not be compared; undefined if it could. */
  problem?(): string | undefined
}
