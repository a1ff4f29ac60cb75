import { type Fields, get, type LiveRequest, rowsOf, uniqueRows, words } from '../service-client.js'
import {
  all,
  byCreation,
  defineChoice,
  defineProbe,
  hasStatus,
  haveRows,
  idsOf,
  isInvalid,
  isList,
  isSame,
  onlyOf,
  orderOf,
  type Probe,
  type Requests,
  type Sign,
  totalOf,
} from './probe.js'
import { swapCase } from './request-probes.js'
import { type KnownAgent, nobody, threadsOf } from './survey.js'

const list = 'threads'
const noAgent = 'no agent is known; name one with --agent'
const unscoped = get('mail/threads')
const ofNobody = get('mail/threads', { mailbox: nobody.mailbox, limit: 2 })

/** Returns requests about an agent, after the one for its threads. */
function ofAgent(...queries: Readonly<Record<string, string>>[]): Requests {
  return ({ agent }) => {
    if (!agent) return noAgent
    return [
      threadsOf(agent),
      ...queries.map((query) => get('mail/threads', { agent: agent.handle, ...query })),
    ]
  }
}

/** Returns whether the answers after the first have the beginning of its list, which is not empty. */
const beginAlike: Sign = ([first, ...others]) => {
  const ids = idsOf(first, list) ?? []
  return ids.length > 0 && others.every((answer) => isSame(idsOf(answer, list), ids.slice(0, 2)))
}

/** Returns whether the first answer has rows, and none is in the second. */
const matchNothing: Sign = ([first, second]) => {
  const isNone = second && (second.status === 404 || rowsOf(second, list)?.length === 0)
  return isNone && (idsOf(first, list)?.length ?? 0) > 0
}

/** Two agents, or else an agent and one whose handle and mailbox nobody has. */
const bothFilters: Requests = ({ agent, other = nobody }) => {
  if (!agent) return noAgent
  const both = (one: KnownAgent, two: KnownAgent): LiveRequest => {
    return get('mail/threads', { agent: one.handle, mailbox: two.mailbox, limit: 100 })
  }
  return [threadsOf(agent), threadsOf(other), both(agent, other), both(other, agent)]
}

/** Returns whether the pages of both filters are these, given the threads of each agent, of which the first has some. */
function arePages(
  are: (
    pages: readonly (readonly string[])[],
    ofAgent: readonly string[],
    ofOther: readonly string[],
  ) => boolean,
): Sign {
  return (answers, { other }) => {
    const lists = answers.map((answer) => idsOf(answer, list))
    const [ofAgent = [], ofOther = [], ...pages] = lists.filter((ids) => ids !== undefined)
    const hasThreads = ofAgent.length > 0 && (!other || ofOther.length > 0)
    return pages.length === 2 && hasThreads && are(pages, ofAgent, ofOther)
  }
}

/** The probes of threads. */
export const threadProbes: readonly Probe[] = [
  defineProbe(
    'threads.order',
    ({ agents }) => [...agents.map(threadsOf), unscoped],
    (answers) => {
      return orderOf(
        answers.map((answer) => rowsOf(answer, list) ?? []),
        {
          'last-message-desc': { field: 'last_message_at', direction: -1 },
          'last-message-asc': { field: 'last_message_at', direction: 1 },
          ...byCreation,
        },
      )
    },
  ),
  defineProbe(
    'threads.total',
    ({ agents }) => [
      ...agents.map(threadsOf),
      ...agents.map(({ handle }) => get('mail/threads', { agent: handle, limit: 1 })),
      ofNobody,
    ],
    (answers) => totalOf(answers, list, 'all-threads'),
  ),
  defineChoice('threads.agent-and-mailbox', bothFilters, {
    both: arePages((pages) => pages.every((page) => page.length === 0)),
    either: arePages(([one, two], own) => one?.some((id) => own.includes(id)) === true && isSame(one, two)),
    'agent-wins': arePages(([one, two], own, others) => isSame(one, own) && isSame(two, others)),
    'mailbox-wins': arePages(([one, two], own, others) => isSame(one, others) && isSame(two, own)),
    rejected: ([, ofOther, ...both]) => ofOther?.status === 200 && all(isInvalid)(both),
  }),
  defineChoice('threads.limit-out-of-range', ofAgent({ limit: '0' }, { limit: 'abc' }, { limit: '101' }), {
    rejected: ([, ...others]) => all(isInvalid)(others),
    clamped: haveRows(list, (threads) => [1, Math.min(50, threads), threads]),
    default: haveRows(list, (threads) => [50, 50, 50].map((limit) => Math.min(limit, threads))),
  }),
  defineChoice(
    'threads.offset-out-of-range',
    ofAgent({ limit: '2', offset: '-1' }, { limit: '2', offset: 'abc' }),
    {
      rejected: ([, ...others]) => all(isInvalid)(others),
      zero: beginAlike,
    },
  ),
  defineChoice(
    'threads.agent-at-prefix',
    ({ agent }) => {
      return agent
        ? [threadsOf(agent), get('mail/threads', { agent: `@${agent.handle}`, limit: 2 })]
        : noAgent
    },
    {
      'same-agent': beginAlike,
      'no-match': matchNothing,
    },
  ),
  defineChoice(
    'threads.mailbox-case',
    ({ agent }) => {
      return agent
        ? [threadsOf(agent), get('mail/threads', { mailbox: swapCase(agent.mailbox), limit: 2 })]
        : noAgent
    },
    {
      insensitive: beginAlike,
      exact: matchNothing,
    },
  ),
  defineChoice(
    'threads.unknown-agent',
    () => [ofNobody, get('mail/threads', { agent: nobody.handle, limit: 2 })],
    {
      empty: all(isList(list, 0)),
      'not-found': all(hasStatus(404)),
    },
  ),
  defineChoice('threads.unscoped', ({ agents }) => [unscoped, ...agents.map(threadsOf)], {
    all: ([first]) => (idsOf(first, list)?.length ?? 0) > 0,
    rejected: ([first]) => first && isInvalid(first),
    empty: ([first, ...others]) =>
      isSame(idsOf(first, list), []) && others.some((one) => idsOf(one, list)?.length),
  }),
  defineProbe(
    'threads.snippet',
    ({ mailAndThread }) => mailAndThread,
    (answers, { threads }) => {
      const messages = uniqueRows(answers, 'messages')
      return onlyOf(threads.flatMap((thread) => snippetVote(thread, messages) ?? []))
    },
  ),
]

/** Returns which message of a thread its snippet is from; undefined if that is not certain, or not all messages are known. */
function snippetVote(thread: Fields, messages: readonly Fields[]): 'first' | 'latest' | undefined {
  const own = messages.filter((one) => one['thread_id'] === thread['id'])
  if (own.length < 2 || own.length !== thread['message_count']) return undefined
  // Two messages of one second may be in either order.
  const at = (time: unknown): Fields | undefined => onlyOf(own.filter((one) => one['created_at'] === time))
  const [first, latest] = [at(thread['created_at']), at(thread['last_message_at'])]
  const snippet = words(thread['snippet'])
  if (!first || !latest || snippet === '') return undefined
  const [isFirst, isLatest] = [mayYield(first, snippet), mayYield(latest, snippet)]
  return isFirst === isLatest ? undefined : isFirst ? 'first' : 'latest'
}

/** Returns whether a message contains the beginning of a snippet. */
function mayYield({ text, html }: Fields, snippet: string): boolean {
  const start = plain(snippet).slice(0, 30)
  const parts = [words(text), words(html).replace(/<[^>]*>/g, ' ')]
  return start.length >= 12 && parts.some((part) => plain(part).includes(start))
}

function plain(text: string): string {
  return text
    .replace(/[…\s]+/g, ' ')
    .trim()
    .toLowerCase()
}
