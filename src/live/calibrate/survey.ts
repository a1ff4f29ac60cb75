import {
  type Answer,
  describeExchange,
  type Fields,
  get,
  identityRequest,
  LiveError,
  type LiveRequest,
  objectOf,
  rowsOf,
  uniqueRows,
  words,
} from '../service-client.js'

/** An agent of the service. */
export interface KnownAgent {
  readonly handle: string
  readonly mailbox: string
  readonly description?: unknown
}

/** Sends a request, once: later equal ones get the same answer. */
export type Ask = (request: LiveRequest) => Promise<Answer>

/** Names that no service has. */
export const nobody = {
  handle: 'nobody_c41ibrat3',
  mailbox: 'nobody_c41ibrat3@calibration.invalid',
  thread: 'thrd_c41ibrat3nobody',
  event: 'calibration.none',
} as const

/** The page of all messages, and that of an agent. */
export const allMessages = get('mail/messages', { limit: 100 })
export const messagesOf = ({ handle }: KnownAgent): LiveRequest => {
  return get('mail/messages', { agent: handle, limit: 100 })
}

/** As many messages as a service with no lower bound lists. */
export const manyMessages = get('mail/messages', { limit: 501 })

/** The page of the threads of an agent. */
export const threadsOf = ({ handle }: KnownAgent): LiveRequest => {
  return get('mail/threads', { agent: handle, limit: 100 })
}

export const allWebhooks = get('webhooks')

/** What a service holds, as far as requests are made from it. */
export class Survey {
  /** The agent that most probes are about, and another one. */
  readonly agent: KnownAgent | undefined
  readonly other: KnownAgent | undefined
  readonly threads: readonly Fields[]
  readonly messages: readonly Fields[]
  /** The oldest unread thread of the agent. */
  readonly unread: Fields | undefined

  constructor(agents: readonly KnownAgent[], answers: readonly Answer[]) {
    const [agent, other] = agents
    this.agent = agent
    this.other = other
    this.threads = uniqueRows(answers, 'threads')
    this.messages = uniqueRows(answers, 'messages')
    const own = answers.find(({ request }) => agent && request.target === threadsOf(agent).target)
    const unread = ((own && rowsOf(own, 'threads')) ?? []).filter((one) => one['unread'] === true)
    this.unread = unread.toSorted((a, b) =>
      words(a['last_message_at']) < words(b['last_message_at']) ? -1 : 1,
    )[0]
  }

  /** The requests for all messages that are looked at for what they contain. */
  get mail(): LiveRequest[] {
    return [allMessages, manyMessages, ...this.agents.map(messagesOf)]
  }

  /** The same, and a whole thread if one can be listed unchanged. */
  get mailAndThread(): LiveRequest[] {
    return [...this.mail, ...(this.readThread ? [this.readThread] : [])]
  }

  get agents(): KnownAgent[] {
    return [this.agent, this.other].filter((one) => one !== undefined)
  }

  /**
   * The messages of a thread that listing does not change: one that is read and whose newest message is inbound, since a
   * thread with a reply may only appear to be read. Undefined if none is known.
   */
  get readThread(): LiveRequest | undefined {
    const newest = new Map(this.messages.map((one) => [`${one['thread_id']} ${one['created_at']}`, one]))
    const found = this.threads.find(({ id, unread, created_at, last_message_at }) => {
      const isRead = unread === false && newest.get(`${id} ${last_message_at}`)?.['direction'] === 'inbound'
      return isRead && created_at !== last_message_at
    })
    return found && get('mail/messages', { thread_id: words(found['id']), limit: 100 })
  }
}

/**
 * Looks at what a service holds: its mail, its webhooks and two of its agents. @throws LiveError `refused`, `not-the-service`,
 * `unknown-agent`
 */
export async function lookAround(ask: Ask, named: string | undefined): Promise<Survey> {
  const first = await ask(allMessages)
  refuseWrongKey(first)
  const lists = [first, await ask(allWebhooks)]
  if (!rowsOf(first, 'messages')) {
    const seen = describeExchange(first)
    throw new LiveError('not-the-service', `No list of messages is at --base-url, without /api/v1: ${seen}.`)
  }
  lists.push(await ask(manyMessages))
  const agents: KnownAgent[] = []
  const handles = [...(named === undefined ? [] : [named.replace(/^@/, '')]), ...handlesIn(lists)]
  for (const handle of new Set(handles.slice(0, 6))) {
    if (agents.length === 2) break
    const answer = await ask(identityRequest(handle))
    const { agent_handle, mailbox_address, description } = objectOf(answer) ?? {}
    if (agent_handle === handle && typeof mailbox_address === 'string') {
      agents.push({ handle, mailbox: mailbox_address, description })
    } else if (named !== undefined && agents.length === 0) {
      throw new LiveError(
        'unknown-agent',
        `--agent ${handle}: ${describeExchange(answer)}; name another one.`,
      )
    }
  }
  for (const agent of agents) lists.push(await ask(threadsOf(agent)), await ask(messagesOf(agent)))
  return new Survey(agents, lists)
}

/** Refuses to continue if an answer shows that the key is wrong. @throws LiveError `refused` */
export function refuseWrongKey({ request: { target }, status }: Answer): void {
  if (status !== 401 && status !== 403) return
  const remedy = '--api-key-env names the variable that holds it'
  throw new LiveError('refused', `The service refuses the key: ${target} returns ${status}; ${remedy}.`)
}

/** Returns handles that agents may have, the most likely first: those of webhooks, and what mailboxes begin with. */
function handlesIn(lists: readonly Answer[]): string[] {
  const counts = new Map<string, number>()
  const count = (handle: string): void => void counts.set(handle, (counts.get(handle) ?? 0) + 1)
  for (const list of lists) {
    for (const { direction, from, to } of rowsOf(list, 'messages') ?? []) {
      for (const address of [direction === 'inbound' ? to : from].flat()) {
        const [, handle] = /([^\s<@]+)@[^\s<>@]+>?$/.exec(String(address)) ?? []
        if (handle !== undefined) count(handle)
      }
    }
    for (const { agent_handle } of rowsOf(list, 'webhooks') ?? []) {
      if (typeof agent_handle === 'string' && agent_handle !== '') count(agent_handle)
    }
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([handle]) => handle)
}
