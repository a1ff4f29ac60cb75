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

/** The page of all messages, and as many as a service without a maximum lists. */
export const allMessages = get('mail/messages', { limit: 100 })
export const manyMessages = get('mail/messages', { limit: 501 })

/** The pages of the messages and of the threads of an agent. */
export const messagesOf = ({ handle }: KnownAgent) => get('mail/messages', { agent: handle, limit: 100 })
export const threadsOf = ({ handle }: KnownAgent) => get('mail/threads', { agent: handle, limit: 100 })

export const allWebhooks = get('webhooks')

/** What a service holds, as far as requests are made from it. */
export type Survey = ReturnType<typeof surveyOf>

/** Returns what answers show that a service holds; most probes are about the first of its agents, some about two. */
export function surveyOf(agents: readonly KnownAgent[], answers: readonly Answer[]) {
  const [agent, other] = agents
  const threads = uniqueRows(answers, 'threads')
  const messages = uniqueRows(answers, 'messages')
  const own = answers.filter(({ request }) => agent && request.target === threadsOf(agent).target)
  const unread = uniqueRows(own, 'threads').filter((thread) => thread['unread'] === true)
  const read = threads.find((thread) => isRead(thread, messages))
  /** The messages of a thread that listing does not change; undefined if none is known. */
  const readThread = read && get('mail/messages', { thread_id: words(read['id']), limit: 100 })
  /** All messages that are looked at for what they contain. */
  const mail = [allMessages, manyMessages, ...agents.map(messagesOf), ...(readThread ? [readThread] : [])]
  return { agents, agent, other, threads, messages, mail, readThread, unread: unread.at(-1) }
}

/** Returns whether a thread of several messages is read and ends with one that was received: one with a reply may only appear read. */
function isRead(
  { id, unread, created_at, last_message_at: last }: Fields,
  messages: readonly Fields[],
): boolean {
  const isLast = (one: Fields): boolean => one['thread_id'] === id && one['created_at'] === last
  return unread === false && created_at !== last && messages.find(isLast)?.['direction'] === 'inbound'
}

/** Returns requests about the agent, or that none is known. */
export function ofAgent(requests: (agent: KnownAgent, survey: Survey) => readonly LiveRequest[]) {
  return (survey: Survey): readonly LiveRequest[] | string => {
    return survey.agent ? requests(survey.agent, survey) : 'no agent is known; name one with --agent'
  }
}

/** Looks at what a service holds: its mail, its webhooks and two of its agents. @throws LiveError */
export async function lookAround(ask: Ask, named: string | undefined): Promise<Survey> {
  const first = await ask(allMessages)
  refuseWrongKey(first)
  const lists = [first, await ask(allWebhooks)]
  if (!rowsOf(first, 'messages')) {
    const seen = describeExchange(first)
    throw new LiveError('refused', `No list of messages is at --base-url, without /api/v1: ${seen}.`)
  }
  lists.push(await ask(manyMessages))
  const agents: KnownAgent[] = []
  const asked = named === undefined ? [] : [named.replace(/^@/, '')]
  for (const handle of new Set([...asked, ...handlesIn(lists)].slice(0, 6))) {
    if (agents.length === 2) break
    const answer = await ask(identityRequest(handle))
    const { agent_handle, mailbox_address, description } = objectOf(answer) ?? {}
    if (agent_handle === handle && typeof mailbox_address === 'string') {
      agents.push({ handle, mailbox: mailbox_address, description })
    } else if (named !== undefined && agents.length === 0) {
      throw new LiveError('refused', `--agent ${handle}: ${describeExchange(answer)}; name another one.`)
    }
  }
  for (const agent of agents) lists.push(await ask(threadsOf(agent)), await ask(messagesOf(agent)))
  return surveyOf(agents, lists)
}

/** Refuses to continue if an answer shows that the key is wrong. @throws LiveError `refused` */
export function refuseWrongKey({ request: { target }, status }: Answer): void {
  if (status !== 401 && status !== 403) return
  const remedy = '--api-key-env names the variable that holds it'
  throw new LiveError('refused', `The service refuses the key: ${target} returns ${status}; ${remedy}.`)
}

/** Returns handles that agents may have, the most frequent first: those of webhooks, and what mailboxes begin with. */
function handlesIn(lists: readonly Answer[]): string[] {
  const mailboxes = uniqueRows(lists, 'messages').flatMap(({ direction, from, to }) => {
    return direction === 'inbound' ? to : from
  })
  const counts = new Map<string, number>()
  for (const handle of [
    ...mailboxes.map((address) => /([^\s<@]+)@[^\s<>@]+>?$/.exec(String(address))?.[1]),
    ...uniqueRows(lists, 'webhooks').map(({ agent_handle }) => words(agent_handle)),
  ]) {
    if (handle) counts.set(handle, (counts.get(handle) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([handle]) => handle)
}
