import { useSignal } from '@preact/signals'
import { counted } from '../../base/text.js'
import { Field, Loaded, Notice } from '../parts.js'
import { useResource } from '../resource.js'
import { href, place, setQuery } from '../router.js'
import { listStep, RowList } from '../row-list.js'
import { ConversationView } from './conversation.js'
import { SentRow, ThreadRow } from './mail-row.js'

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
  const message = query.get('message')
  const listAgent = shown === 'agent' ? agent : ''
  return (
    <div class={`mailbox${threadId === undefined ? '' : ' open'}`}>
      <Folders shown={shown} agent={agent} search={search} />
      <section class="list-pane" aria-label={shown === 'sent' ? 'Sent messages' : 'Threads'}>
        {shown === 'sent' ? (
          <SentList open={message ?? threadId} />
        ) : (
          <>
            <Field
              label="Search subjects and senders"
              type="search"
              value={search}
              onInput={(text) => setQuery({ search: text })}
            />
            <ThreadList key={`${listAgent}\n${search}`} agent={listAgent} search={search} open={threadId} />
          </>
        )}
      </section>
      <section key={`${threadId} ${message}`} class="pane conversation" aria-label="Conversation">
        {threadId === undefined ? (
          <Notice>Choose a message to read it.</Notice>
        ) : (
          <>
            <a
              class="back"
              href={href('mailbox', listAgent === '' ? [] : [agent], {
                search,
                show: shown === 'agent' ? '' : shown,
              })}
            >
              ← Back to the list
            </a>
            <ConversationView id={threadId} message={message} />
          </>
        )}
      </section>
    </div>
  )
}

/** Renders the lists to choose from: all mail, sent mail, and the mailbox of each agent. */
function Folders({ shown, agent, search }: { shown: Shown; agent: string; search: string }) {
  const world = useResource((from) => from.world())
  const agents = useResource((from) => from.agents())
  return (
    <nav class="agents" aria-label="Agents">
      <a href={href('mailbox', [], { search })} aria-current={shown === 'all' ? 'page' : undefined}>
        All mail
        {world.value && <small>{counted(world.value.counts.threads, 'thread')}</small>}
      </a>
      <a href={href('mailbox', [], { show: 'sent' })} aria-current={shown === 'sent' ? 'page' : undefined}>
        Sent
        <small>by requests</small>
      </a>
      <h2>Agents</h2>
      <Loaded of={agents} empty="This world has no agents. Add one with POST /_sim/identities.">
        {(list) =>
          list.map(({ id, agent_handle, display_name, mailbox_address }) => (
            <a
              key={id}
              href={href('mailbox', [agent_handle], { search })}
              aria-current={shown === 'agent' && agent === agent_handle ? 'page' : undefined}
              title={mailbox_address}
            >
              {agent_handle}
              <small dir="auto">{display_name ?? mailbox_address}</small>
            </a>
          ))
        }
      </Loaded>
    </nav>
  )
}

/** Renders the newest threads of an agent, or of all agents. */
function ThreadList({ agent, search, open }: { agent: string; search: string; open: string | undefined }) {
  const shown = useSignal(listStep)
  const pages = useResource(
    (from) => {
      const offsets = Array.from({ length: shown.value / listStep }, (_, page) => page * listStep)
      return Promise.all(offsets.map((offset) => from.threads({ agent, search, offset, limit: listStep })))
    },
    [shown.value],
  )
  return (
    <Loaded of={pages}>
      {(read) => {
        const total = read[0]?.total ?? 0
        if (total === 0)
          return <Notice>{search === '' ? 'No threads here yet.' : `No thread matches "${search}".`}</Notice>
        return (
          <RowList
            label="Threads"
            of={total === 1 ? 'thread' : 'threads'}
            items={read.flatMap(({ threads }) => threads)}
            total={total}
            shown={shown}
            row={(thread) => ({
              key: thread.id,
              address: href('mailbox', [thread.agent_handle, thread.id], {
                search,
                show: agent === '' ? 'all' : '',
              }),
              open: thread.id === open,
              content: <ThreadRow thread={thread} agent={agent} />,
            })}
          />
        )
      }}
    </Loaded>
  )
}

/** Renders the messages that agents sent by requests, newest first. */
function SentList({ open }: { open: string | undefined }) {
  const shown = useSignal(listStep)
  const sent = useResource((from) => from.sent())
  return (
    <Loaded
      of={sent}
      empty="No agent has sent a message by a request. Operations that send come from extensions, such as --extend common."
    >
      {(list) => (
        <RowList
          label="Sent messages"
          of={list.length === 1 ? 'message' : 'messages'}
          items={list}
          shown={shown}
          row={(message) => ({
            key: message.id,
            address: href('mailbox', [message.agent_handle, message.thread_id], {
              show: 'sent',
              message: message.id,
            }),
            open: message.id === open,
            content: <SentRow message={message} />,
          })}
        />
      )}
    </Loaded>
  )
}
