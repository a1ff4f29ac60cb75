import { counted } from '../../base/text.js'
import type { SentInfo, ThreadInfo } from '../data.js'
import { Time } from '../parts.js'

/** Returns the name in an address, or the address without a name: `Ann Lee <ann@example.com>` → `Ann Lee`. */
function nameOf(address: string): string {
  return /^\s*"?([^"<]*[^"<\s])"?\s*</.exec(address)?.[1] ?? address
}

/** Renders a thread by its latest message; `agent` is the agent whose mailbox it is listed in, '' for all. */
export function ThreadRow({ thread, agent }: { thread: ThreadInfo; agent: string }) {
  const { last_message, agent_handle } = thread
  const isSent = last_message?.direction === 'outbound'
  return (
    <MailRow
      from={isSent ? agent_handle : (last_message?.from ?? '')}
      // In the mailbox of an agent, the agent is the one who receives.
      to={isSent ? last_message.to : agent === '' ? [agent_handle] : []}
      isSent={isSent}
      unread={thread.unread}
      count={thread.message_count}
      files={thread.attachment_count}
      at={thread.last_message_at}
      subject={thread.subject}
      snippet={thread.snippet}
    />
  )
}

/** Renders a message that an agent sent. */
export function SentRow({ message }: { message: SentInfo }) {
  const { agent_handle, to, subject, text, attachments, created_at } = message
  return (
    <MailRow
      from={agent_handle}
      to={to}
      isSent
      unread={false}
      count={1}
      files={attachments.length}
      at={created_at}
      subject={subject}
      snippet={(text ?? '').slice(0, 200)}
    />
  )
}

/** Renders who wrote to whom and when, the subject, and how the text begins. */
function MailRow({
  from,
  to,
  isSent,
  unread,
  count,
  files,
  at,
  subject,
  snippet,
}: {
  readonly from: string
  readonly to: readonly string[]
  readonly isSent: boolean
  readonly unread: boolean
  /** The number of messages. */
  readonly count: number
  /** The number of attachments. */
  readonly files: number
  readonly at: string
  readonly subject: string
  readonly snippet: string
}) {
  return (
    <div class={unread ? 'unread' : ''}>
      <div class="line">
        <span class="fit" dir="auto">
          {unread && <span class="dot" role="img" aria-label="Unread" />}
          <span class="name">{nameOf(from)}</span>
          {to.length > 0 && <span class="quiet"> → {to.map(nameOf).join(', ')}</span>}
          {count > 1 && <span class="quiet" title={counted(count, 'message')}>{` (${count})`}</span>}
        </span>
        {files > 0 && <small>{counted(files, 'file')}</small>}
        <Time at={at} />
      </div>
      <div class="line">
        <span class="fit name" dir="auto">
          {subject === '' ? '(no subject)' : subject}
        </span>
        {isSent && <span class="badge sent">sent</span>}
      </div>
      <div class="line quiet">
        <span class="fit" dir="auto">
          {snippet}
        </span>
      </div>
    </div>
  )
}
