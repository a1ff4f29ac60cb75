import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { counted } from '../../base/text.js'
import type { SentInfo, ThreadInfo } from '../data.js'
import { changes, source } from '../live-state.js'
import { Field, Loaded, Notice } from '../parts.js'
import { messageOf, useResource } from '../resource.js'
import { href, navigate, place, setQuery } from '../router.js'
import { VirtualList } from '../virtual-list.js'
import { ConversationView } from './conversation.js'
import { MailRow, rowHeight } from './mail-row.js'

/** The number of threads in a page that is read. */
const pageSize = 100

/** The list beside the conversation: of all threads, of those of an agent, or of sent messages. */
type Shown = 'all' | 'agent' | 'sent'

function shownList(): Shown {
  const { path, query } = place.value
  const show = query.get('show')
  if (show === 'sent') return 'sent'
  return show === 'all' || path.length === 0 ? 'all' : 'agent'
}

/** Renders the mailbox: the agents, their threads or sent messages, and the open conversation. */
export function MailboxScreen() {
  const { path, query } = place.value
  const [agent = '', threadId] = path
  const shown = shownList()
  const search = query.get('search') ?? ''
  const listAgent = shown === 'agent' ? agent : ''
  const show = shown === 'agent' ? '' : shown
  return (
    <div class={`mailbox${threadId === undefined ? '' : ' assumption'}`}>
      <Folders shown={shown} agent={agent} search={search} />
      <section class="list-pane" aria-label={shown === 'sent' ? 'Sent messages' : 'Threads'}>
        {shown !== 'sent' && (
          <Field
            label="Search subjects and senders"
            type="search"
            value={search}
            onInput={(text) => setQuery({ search: text })}
          />
        )}
        {shown === 'sent' ? (
          <SentList open={query.get('message') ?? threadId} />
        ) : (
          <ThreadList key={`${listAgent}\n${search}`} agent={listAgent} search={search} open={threadId} />
        )}
      </section>
      <section class="pane conversation" aria-label="Conversation">
        {threadId === undefined ? (
          <Notice>Choose a message to read it. Arrow keys, j and k move in the list. Enter opens.</Notice>
        ) : (
          <>
            <a class="back" href={href('mailbox', shown === 'agent' ? [agent] : [], { search, show })}>
              ← Back to the list
            </a>
            <ConversationView
              key={`${threadId} ${query.get('message')}`}
              id={threadId}
              message={query.get('message')}
            />
          </>
        )}
      </section>
    </div>
  )
}

/** Renders the lists to choose from: all mail, sent mail, and the mailbox of each agent. */
function Folders({ shown, agent, search }: { shown: Shown; agent: string; search: string }) {
  const world = useResource((from) => from.world(), [], changes.mailbox)
  const agents = useResource((from) => from.agents(), [], changes.mailbox)
  return (
    <nav class="agents" aria-label="Agents">
      <ul>
        <li>
          <a href={href('mailbox', [], { search })} aria-current={shown === 'all' ? 'page' : undefined}>
            All mail
            {world.value && <small>{counted(world.value.counts.threads, 'thread')}</small>}
          </a>
        </li>
        <li>
          <a
            href={href('mailbox', [], { show: 'sent' })}
            aria-current={shown === 'sent' ? 'page' : undefined}
          >
            Sent
            <small>by requests</small>
          </a>
        </li>
      </ul>
      <h2>Agents</h2>
      <Loaded of={agents} empty="This world has no agents. Add one with POST /_sim/identities.">
        {(list) => (
          <ul>
            {list.map(({ id, agent_handle, display_name, mailbox_address }) => (
              <li key={id}>
                <a
                  href={href('mailbox', [agent_handle], { search })}
                  aria-current={shown === 'agent' && agent === agent_handle ? 'page' : undefined}
                  title={mailbox_address}
                >
                  {agent_handle}
                  <small dir="auto">{display_name ?? mailbox_address}</small>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </nav>
  )
}

/** Renders the threads of an agent; only pages with visible threads are read. */
function ThreadList({ agent, search, open }: { agent: string; search: string; open: string | undefined }) {
  const state = useSignal<{
    total: number | undefined
    rows: ReadonlyMap<number, ThreadInfo>
    error?: string
  }>({
    total: undefined,
    rows: new Map(),
  })
  const range = useSignal({ first: 0, end: pageSize })
  const pending = useSignal<{ index: number; first: boolean } | undefined>(undefined)
  const from = source.value
  const version = changes.mailbox.value
  const firstPage = Math.floor(range.value.first / pageSize)
  const lastPage = Math.floor(Math.max(0, range.value.end - 1) / pageSize)
  useEffect(() => {
    let current = true
    // Waits a moment, so that typing and fast scrolling do not read pages that are never shown.
    const timer = setTimeout(() => void read(), state.value.total === undefined ? 0 : 120)
    const read = async (): Promise<void> => {
      try {
        const offset = firstPage * pageSize
        const limit = (lastPage - firstPage + 1) * pageSize
        const { threads, total } = await from.threads({ agent, search, offset, limit })
        if (current)
          state.value = { total, rows: new Map(threads.map((thread, at) => [offset + at, thread])) }
      } catch (error) {
        if (current) state.value = { ...state.value, error: messageOf(error) }
      }
    }
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [from, version, firstPage, lastPage])

  const { total, rows, error } = state.value
  /** Opens a thread; if its row has not been read yet, opens it afterwards. */
  const openAt = (index: number, first = false): void => {
    const thread = rows.get(index)
    pending.value = thread ? undefined : { index, first }
    const show = agent === '' ? 'all' : ''
    if (!thread) return
    navigate(href('mailbox', [thread.agent_handle, thread.id], { search, show }), first)
  }
  useEffect(() => {
    if (pending.value !== undefined) openAt(pending.value.index, pending.value.first)
  }, [rows])
  if (error !== undefined) return <Notice kind="error">{error}</Notice>
  if (total === undefined) return <Notice>Loading…</Notice>
  if (total === 0) {
    return <Notice>{search === '' ? 'No threads here yet.' : `No thread matches "${search}".`}</Notice>
  }
  const selected = [...rows].find(([, { id }]) => id === open)?.[0] ?? -1
  return (
    <>
      <p class="count" role="status">
        {counted(total, 'thread')}
      </p>
      <VirtualList
        label="Threads"
        count={total}
        rowHeight={rowHeight}
        open={open}
        selected={selected}
        onRange={(first, end) => {
          range.value = { first, end }
        }}
        onOpen={openAt}
        row={(index) => {
          const thread = rows.get(index)
          return thread ? <ThreadRow thread={thread} agent={agent} /> : <span class="quiet">…</span>
        }}
      />
    </>
  )
}

function ThreadRow({ thread, agent }: { thread: ThreadInfo; agent: string }) {
  const { subject, snippet, unread, message_count, last_message_at, last_message, agent_handle } = thread
  const isSent = last_message?.direction === 'outbound'
  return (
    <MailRow
      from={isSent ? agent_handle : (last_message?.from ?? '')}
      // In the mailbox of an agent, the agent is the one who receives.
      to={isSent ? last_message.to : agent === '' ? [agent_handle] : []}
      isSent={isSent}
      unread={unread}
      count={message_count}
      files={thread.attachment_count}
      at={last_message_at}
      subject={subject}
      snippet={snippet}
    />
  )
}

/** Renders the messages that agents sent by requests, newest first. */
function SentList({ open }: { open: string | undefined }) {
  const sent = useResource((from) => from.sent(), [], changes.mailbox)
  return (
    <Loaded
      of={sent}
      empty="No agent has sent a message by a request. Operations that send come from extensions, such as --extend common."
    >
      {(list) => {
        const at = (index: number): SentInfo => list[index] as SentInfo
        return (
          <>
            <p class="count" role="status">
              {counted(list.length, 'message')}
            </p>
            <VirtualList
              label="Sent messages"
              count={list.length}
              rowHeight={rowHeight}
              open={open}
              selected={list.findIndex(({ id }) => id === open)}
              onOpen={(index, first) => {
                const { agent_handle, thread_id, id } = at(index)
                navigate(href('mailbox', [agent_handle, thread_id], { show: 'sent', message: id }), first)
              }}
              row={(index) => {
                const { agent_handle, to, subject, text, attachments, created_at } = at(index)
                return (
                  <MailRow
                    from={agent_handle}
                    to={to}
                    isSent
                    files={attachments.length}
                    at={created_at}
                    subject={subject}
                    snippet={(text ?? '').slice(0, 200)}
                  />
                )
              }}
            />
          </>
        )
      }}
    </Loaded>
  )
}
