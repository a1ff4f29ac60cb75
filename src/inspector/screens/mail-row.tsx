import { counted } from '../../base/text.js'
import { Time } from '../parts.js'

/** The height of a row of mail, in pixels. */
export const rowHeight = 76

/** Returns the name in an address, or the address without a name: `Ann Lee <ann@example.com>` → `Ann Lee`. */
function nameOf(address: string): string {
  return /^\s*"?([^"<]*[^"<\s])"?\s*</.exec(address)?.[1] ?? address
}

interface MailRowProps {
  readonly from: string
  readonly to: readonly string[]
  readonly isSent: boolean
  readonly unread?: boolean
  /** The number of messages; shown if there are several. */
  readonly count?: number
  /** The number of attachments. */
  readonly files: number
  readonly at: string
  readonly subject: string
  readonly snippet: string
}

/** Renders a thread or a message in a list: who wrote to whom and when, the subject, and how the text begins. */
export function MailRow({
  from,
  to,
  isSent,
  unread = false,
  count = 1,
  files,
  at,
  subject,
  snippet,
}: MailRowProps) {
  return (
    <div class={`mail-row${unread ? ' unread' : ''}`}>
      <div class="line">
        <span class="fit" dir="auto">
          {unread && <span class="dot" role="img" aria-label="Unread" />}
          <span class="name">{nameOf(from)}</span>
          {to.length > 0 && (
            <span class="quiet">
              {' '}
              <span role="img" aria-label="to">
                →
              </span>{' '}
              {to.map(nameOf).join(', ')}
            </span>
          )}
          {count > 1 && <span class="quiet" title={counted(count, 'message')}>{` (${count})`}</span>}
        </span>
        {files > 0 && <PaperClip title={counted(files, 'attachment')} />}
        <Time at={at} />
      </div>
      <div class="line">
        <span class="fit subject" dir="auto">
          {subject === '' ? '(no subject)' : subject}
        </span>
        {isSent && <span class="badge sent">sent</span>}
      </div>
      <div class="snippet" dir="auto">
        {snippet}
      </div>
    </div>
  )
}

function PaperClip({ title }: { title: string }) {
  return (
    <svg class="clip" viewBox="0 0 16 16" role="img" aria-label={title}>
      <title>{title}</title>
      <path d="M13 7 7.5 12.5a3.2 3.2 0 0 1-4.5-4.5l6-6a2.1 2.1 0 0 1 3 3l-6 6a1 1 0 0 1-1.5-1.5l5.5-5.5" />
    </svg>
  )
}
