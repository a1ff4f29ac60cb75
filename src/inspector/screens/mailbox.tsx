import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { counted } from '../../contract/text.js'
import type { ThreadInfo } from '../data.js'
import { changes, source } from '../live-state.js'
import { Field, Loaded, Notice, Time } from '../parts.js'
import { messageOf, useResource } from '../resource.js'
import { href, navigate, place, setQuery } from '../router.js'
import { VirtualList } from '../virtual-list.js'
import { ConversationView } from './conversation.js'

/** The number of threads in a page that is read. */
const pageSize = 100

/** Renders the mailbox: the agents, their threads, and the open conversation. */
export function MailboxScreen() {
  const { path, query } = place.value
  const [agent = '', threadId] = path
  const search = query.get('search') ?? ''
  const world = useResource((from) => from.world(), [], changes.mailbox)
  const agents = useResource((from) => from.agents(), [], changes.mailbox)
  return (
    <div class={`mailbox${threadId === undefined ? '' : ' reading'}`}>
      <nav class="agents" aria-label="Agents">
        <h2>Agents</h2>
        <Loaded of={agents} empty="This world has no agents. Add one with POST /_sim/identities.">
          {(list) => (
            <ul>
              <li>
                <a href={href('mailbox', [], { search })} aria-current={agent === '' ? 'page' : undefined}>
                  All mail
                  {world.value && <small>{counted(world.value.counts.threads, 'thread')}</small>}
                </a>
              </li>
              {list.map(({ id, agent_handle, display_name, mailbox_address }) => (
                <li key={id}>
                  <a
                    href={href('mailbox', [agent_handle], { search })}
                    aria-current={agent === agent_handle ? 'page' : undefined}
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
      <section class="threads" aria-label="Threads">
        <Field
          label="Search subjects and senders"
          type="search"
          value={search}
          onInput={(text) => setQuery({ search: text })}
        />
        <ThreadList key={`${agent}\n${search}`} agent={agent} search={search} open={threadId} />
      </section>
      <section class="conversation" aria-label="Conversation">
        {threadId === undefined ? (
          <Notice>Choose a thread to read it. Arrow keys move in the list, Enter opens.</Notice>
        ) : (
          <>
            <a class="back" href={href('mailbox', agent === '' ? [] : [agent], { search })}>
              ← Threads
            </a>
            <ConversationView key={threadId} id={threadId} />
          </>
        )}
      </section>
    </div>
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
  const pending = useSignal<number | undefined>(undefined)
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
  const openAt = (index: number): void => {
    const thread = rows.get(index)
    pending.value = thread ? undefined : index
    if (thread) navigate(href('mailbox', [agent === '' ? thread.agent_handle : agent, thread.id], { search }))
  }
  useEffect(() => {
    if (pending.value !== undefined) openAt(pending.value)
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
        rowHeight={64}
        selected={selected}
        onRange={(first, end) => {
          range.value = { first, end }
        }}
        onOpen={openAt}
        row={(index) => {
          const thread = rows.get(index)
          return thread ? <ThreadRow thread={thread} /> : <span class="waiting">…</span>
        }}
      />
    </>
  )
}

function ThreadRow({ thread }: { thread: ThreadInfo }) {
  const { subject, snippet, unread, message_count, last_message_at, agent_handle } = thread
  return (
    <div class={`thread${unread ? ' unread' : ''}`}>
      <span class="subject" dir="auto">
        {unread && <span class="dot" role="img" aria-label="Unread" />}
        {subject === '' ? '(no subject)' : subject}
      </span>
      <Time at={last_message_at} />
      <span class="snippet" dir="auto">
        {snippet}
      </span>
      <small>
        {agent_handle} · {message_count}
      </small>
    </div>
  )
}
