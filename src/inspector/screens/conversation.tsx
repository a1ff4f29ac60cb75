import { useSignal } from '@preact/signals'
import { counted, formatBytes } from '../../base/text.js'
import { ActionButton, controls } from '../actions.js'
import type { AttachmentInfo, DataSource, MessageInfo } from '../data.js'
import { KeptScroll } from '../kept-scroll.js'
import { changes, source } from '../live-state.js'
import { MailFrame } from '../mail-html.js'
import { Field, FieldList, Loaded, Source, saveFile, Tabs, Time } from '../parts.js'
import { messageOf, useResource } from '../resource.js'
import { href } from '../router.js'

/** Renders the messages of a thread, oldest first, and scrolls to one of them. */
export function ConversationView({ id, message: target }: { id: string; message: string | null }) {
  const conversation = useResource((from) => from.conversation(id), [id], changes.mailbox)
  return (
    <Loaded of={conversation}>
      {({ thread, messages }) => (
        <>
          <header class="title">
            <h2 dir="auto">{thread.subject === '' ? '(no subject)' : thread.subject}</h2>
            <p class="quiet">
              {thread.unread ? 'Unread' : 'Read'} · {counted(thread.message_count, 'message')} ·{' '}
              {thread.agent_handle} · <code>{thread.id}</code>
            </p>
            <ActionButton action={() => controls.markThread(thread.id, !thread.unread)}>
              {thread.unread ? 'Mark read' : 'Mark unread'}
            </ActionButton>
          </header>
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
          {source.value.live && <ReplyForm message={messages.at(-1)} agent={thread.agent_handle} />}
          <KeptScroll
            part="conversation"
            {...(target !== null && {
              otherwise: () => document.getElementById(target)?.scrollIntoView(),
            })}
          />
        </>
      )}
    </Loaded>
  )
}

function Message({ message }: { message: MessageInfo }) {
  const { id, direction, from, to, created_at, text, html, headers, attachments, exchange } = message
  const views: (readonly [string, () => preact.ComponentChildren])[] = []
  if (text !== null && text !== '')
    views.push([
      'Text',
      () => (
        <pre class="text" dir="auto">
          {text}
        </pre>
      ),
    ])
  if (html !== null && html !== '')
    views.push(['HTML', () => <HtmlView html={html} attachments={attachments} />])
  if (views.length === 0) views.push(['Text', () => <p class="quiet">This message has no body.</p>])
  views.push(['Headers', () => <FieldList rows={headers.map(({ name, value }) => [name, value] as const)} />])
  if (source.value.live) views.push(['Source', () => <RawSource id={id} />])
  return (
    <article id={id} class={`message ${direction}`} aria-label={`Message from ${from}`}>
      <header>
        <strong dir="auto">{from}</strong>
        {direction === 'outbound' && <span class="badge sent">sent</span>}
        {exchange !== null && <a href={href('traffic', [String(exchange)])}>sent by request {exchange}</a>}
        <Time at={created_at} exact />
        <div class="quiet" dir="auto">
          to {to.join(', ')}
        </div>
      </header>
      <Tabs label="Views of the message" tabs={views} />
      {attachments.length > 0 && (
        <ul class="attachments" aria-label="Attachments">
          {attachments.map((attachment) => (
            <Attachment key={attachment.id} attachment={attachment} />
          ))}
        </ul>
      )}
      {direction === 'outbound' && source.value.live && (
        <div class="actions">
          <ActionButton action={() => controls.outcome(id, 'delivered')}>Report as delivered</ActionButton>
          <ActionButton action={() => controls.outcome(id, 'bounced')}>Report as bounced</ActionButton>
        </div>
      )}
      <small>
        <code>{id}</code>
      </small>
    </article>
  )
}

/** Renders the HTML of a message with the images that are attached to it. */
function HtmlView({ html, attachments }: { html: string; attachments: readonly AttachmentInfo[] }) {
  const images = useResource((from) => imagesOf(attachments, from), [html])
  return <MailFrame html={html} images={images.value ?? new Map()} />
}

/** Returns the images of a message as data URLs, by content id, without those that cannot be read. */
async function imagesOf(
  attachments: readonly AttachmentInfo[],
  from: DataSource,
): Promise<ReadonlyMap<string, string>> {
  const inline = attachments.filter(({ content_id, content_type }) => {
    return content_id !== null && content_type.startsWith('image/')
  })
  const read = inline.map(async ({ id, content_id, content_type }) => {
    const blob = await from.attachment(id)
    return [content_id as string, await dataUrl(new Blob([blob], { type: content_type }))] as const
  })
  const results = await Promise.allSettled(read)
  return new Map(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

function RawSource({ id }: { id: string }) {
  const raw = useResource((from) => from.raw(id), [id])
  return <Loaded of={raw}>{(text) => <pre class="source">{text}</pre>}</Loaded>
}

/** The types with a preview: images that cannot contain scripts, and text, which is shown as plain text. */
const shownAsImage = /^image\/(png|jpeg|gif|webp|avif|bmp)$/
const shownAsText = /^(text\/|application\/(json|xml))/

function Attachment({ attachment }: { attachment: AttachmentInfo }) {
  const { id, filename, content_type, size_bytes } = attachment
  const preview = useSignal<{ image?: string; text?: string; error?: string } | undefined>(undefined)
  const type = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const from = source.value
  const toggle = async (): Promise<void> => {
    if (preview.value) {
      preview.value = undefined
      return
    }
    try {
      const blob = await from.attachment(id)
      if (shownAsImage.test(type)) preview.value = { image: await dataUrl(new Blob([blob], { type })) }
      else preview.value = { text: (await blob.text()).slice(0, 100_000) }
    } catch (error) {
      preview.value = { error: messageOf(error) }
    }
  }
  const save = async (): Promise<void> => {
    // Always a download, never a page: the file came from a stranger.
    saveFile(new Blob([await from.attachment(id)], { type: 'application/octet-stream' }), filename)
  }
  const canPreview = shownAsImage.test(type) || shownAsText.test(type)
  return (
    <li>
      <span dir="auto">{filename}</span>{' '}
      <small>
        {content_type}, {formatBytes(size_bytes)}
      </small>
      {from.live && (
        <>
          {canPreview && (
            <button type="button" class="small" aria-expanded={preview.value !== undefined} onClick={toggle}>
              Preview
            </button>
          )}
          <button type="button" class="small" onClick={save}>
            Save
          </button>
        </>
      )}
      {preview.value?.image !== undefined && <img src={preview.value.image} alt={`Preview of ${filename}`} />}
      {preview.value?.text !== undefined && <Source text={preview.value.text} />}
      {preview.value?.error !== undefined && <p role="alert">{preview.value.error}</p>}
    </li>
  )
}

/** Renders the form that adds another message to the thread. */
function ReplyForm({ message, agent }: { message: MessageInfo | undefined; agent: string }) {
  const text = useSignal('')
  if (!message) return null
  const from = message.direction === 'inbound' ? message.from : (message.to[0] ?? '')
  return (
    <form class="reply">
      <Field
        label={`Simulate a reply from ${from}`}
        rows={3}
        required
        value={text.value}
        onInput={(to) => (text.value = to)}
      />
      <ActionButton
        kind="submit"
        action={() => controls.receive({ to: agent, from, text: text.value, in_reply_to: message.id })}
        onDone={() => {
          text.value = ''
        }}
      >
        Receive reply
      </ActionButton>
    </form>
  )
}
