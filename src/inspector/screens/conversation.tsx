import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { counted, formatBytes } from '../../base/text.js'
import { ActionButton } from '../actions.js'
import type { AttachmentInfo, DataSource, MessageInfo } from '../data.js'
import { source } from '../live-state.js'
import { MailFrame } from '../mail-html.js'
import { Field, FieldList, Folded, Loaded, Source, saveFile, Time } from '../parts.js'
import { useResource, useStable } from '../resource.js'
import { requestHref } from '../router.js'

/** Renders the messages of a thread, oldest first, and scrolls to one of them. */
export function ConversationView({ id, message: target }: { id: string; message: string | null }) {
  const conversation = useResource((from) => from.conversation(id), [id])
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
            <ActionButton
              request={{ method: 'POST', path: `/threads/${id}/${thread.unread ? 'read' : 'unread'}` }}
            >
              {thread.unread ? 'Mark read' : 'Mark unread'}
            </ActionButton>
          </header>
          <Messages messages={messages} target={target} />
          {source.value.live && <ReplyForm message={messages.at(-1)} agent={thread.agent_handle} />}
        </>
      )}
    </Loaded>
  )
}

function Messages({ messages, target }: { messages: readonly MessageInfo[]; target: string | null }) {
  useEffect(() => {
    if (target !== null) document.getElementById(target)?.scrollIntoView()
  }, [])
  return (
    <>
      {messages.map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </>
  )
}

function Message({ message }: { message: MessageInfo }) {
  const { id, direction, from, to, created_at, text, html, headers, attachments, exchange } = message
  const isBare = (text ?? '') === ''
  const isOutcomeOpen = direction === 'outbound' && source.value.live
  return (
    <article id={id} class={`message ${direction}`} aria-label={`Message from ${from}`}>
      <header>
        <strong dir="auto">{from}</strong>
        {direction === 'outbound' && <span class="badge sent">sent</span>}
        {exchange !== null && <a href={requestHref(exchange)}>sent by request {exchange}</a>}
        <Time at={created_at} exact />
        <div class="quiet" dir="auto">
          to {to.join(', ')}
        </div>
      </header>
      {!isBare && (
        <pre class="text" dir="auto">
          {text}
        </pre>
      )}
      {html !== null && html !== '' ? (
        <Folded summary="HTML" open={isBare}>
          {() => <HtmlView html={html} attachments={attachments} />}
        </Folded>
      ) : (
        isBare && <p class="quiet">This message has no body.</p>
      )}
      <Folded summary="Headers">
        {() => <FieldList rows={headers.map(({ name, value }) => [name, value] as const)} />}
      </Folded>
      {source.value.live && <Folded summary="Source">{() => <RawSource id={id} />}</Folded>}
      {attachments.length > 0 && (
        <ul class="attachments" aria-label="Attachments">
          {attachments.map((attachment) => (
            <Attachment key={attachment.id} attachment={attachment} />
          ))}
        </ul>
      )}
      {isOutcomeOpen && (
        <div class="actions">
          <ActionButton request={{ method: 'POST', path: `/messages/${id}/delivered` }}>
            Report as delivered
          </ActionButton>
          <ActionButton request={{ method: 'POST', path: `/messages/${id}/bounced` }}>
            Report as bounced
          </ActionButton>
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
  const images = useStable((from) => imagesOf(attachments, from), [html])
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
  const raw = useStable((from) => from.raw(id), [id])
  return <Loaded of={raw}>{(text) => <Source text={text} />}</Loaded>
}

/** The types with a preview: images that cannot contain scripts, and text, which is shown as plain text. */
const shownAsImage = /^image\/(png|jpeg|gif|webp|avif|bmp)$/
const shownAsText = /^(text\/|application\/(json|xml))/

function Attachment({ attachment }: { attachment: AttachmentInfo }) {
  const { id, filename, content_type, size_bytes } = attachment
  const from = source.value
  const type = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const save = async (): Promise<void> => {
    // Always a download, never a page: the file came from a stranger.
    saveFile(new Blob([await from.attachment(id)], { type: 'application/octet-stream' }), filename)
  }
  return (
    <li>
      <span dir="auto">{filename}</span>{' '}
      <small>
        {content_type}, {formatBytes(size_bytes)}
      </small>
      {from.live && (
        <button type="button" class="small" onClick={save}>
          Save
        </button>
      )}
      {from.live && (shownAsImage.test(type) || shownAsText.test(type)) && (
        <Folded summary="Preview">{() => <Preview attachment={attachment} type={type} />}</Folded>
      )}
    </li>
  )
}

function Preview({ attachment: { id, filename }, type }: { attachment: AttachmentInfo; type: string }) {
  const isImage = shownAsImage.test(type)
  const content = useStable(
    async (from) => {
      const blob = await from.attachment(id)
      return isImage ? dataUrl(new Blob([blob], { type })) : (await blob.text()).slice(0, 100_000)
    },
    [id],
  )
  return (
    <Loaded of={content}>
      {(shown) => (isImage ? <img src={shown} alt={`Preview of ${filename}`} /> : <Source text={shown} />)}
    </Loaded>
  )
}

/** Renders the form that adds another message to the thread. */
function ReplyForm({ message, agent }: { message: MessageInfo | undefined; agent: string }) {
  const text = useSignal('')
  if (!message) return null
  const from = message.direction === 'inbound' ? message.from : (message.to[0] ?? '')
  const body = { to: agent, from, text: text.value, in_reply_to: message.id }
  return (
    <form>
      <Field
        label={`Simulate a reply from ${from}`}
        rows={3}
        required
        value={text.value}
        onInput={(to) => (text.value = to)}
      />
      <ActionButton
        kind="submit"
        request={{ method: 'POST', path: '/messages', body }}
        onDone={() => {
          text.value = ''
        }}
      >
        Receive reply
      </ActionButton>
    </form>
  )
}
