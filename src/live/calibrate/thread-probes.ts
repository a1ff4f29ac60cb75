import { type Fields, get, type LiveRequest, rowsOf, uniqueRows, words } from '../service-client.js'
import {
  all,
  byCreation,
  defineProbe,
  hasStatus,
  haveIds,
  isInvalid,
  isList,
  isSame,
  onlyOf,
  orderOf,
  type Probe,
  rulesOfLimits,
  type Sign,
  totalOf,
} from './probe.js'
import { swapCase } from './request-probes.js'
import { type KnownAgent, nobody, ofAgent, type Survey, threadsOf } from './survey.js'

const list = 'threads'
const unscoped = get('mail/threads')
const ofNobody = get('mail/threads', { mailbox: nobody.mailbox, limit: 2 })

/** Returns a request for some of the threads of an agent. */
function threadsWith({ handle }: KnownAgent, query: Readonly<Record<string, string | number>>): LiveRequest {
  return get('mail/threads', { agent: handle, ...query })
}

/** Returns requests about the threads of the agent, after the one for all of them. */
function afterThreads(requests: (agent: KnownAgent, survey: Survey) => readonly LiveRequest[]) {
  return ofAgent((agent, survey) => [threadsOf(agent), ...requests(agent, survey)])
}

/** Returns whether the answers after the first have the beginning of its list, which is not empty. */
const beginAlike = haveIds(list, (first = [], ...others) => {
  return first.length > 0 && others.every((ids) => isSame(ids, first.slice(0, 2)))
})

/** Returns whether the first answer has rows, and none is in the second. */
const matchNothing: Sign = ([first, second]) => {
  const isNone = second && (second.status === 404 || isList(list, 0)(second))
  return isNone && first && rowsOf(first, list)?.[0] !== undefined
}

/** The probes of threads. */
export const threadProbes: readonly Probe[] = [
  defineProbe(
    'threads.order',
    ({ agents }) => [...agents.map(threadsOf), unscoped],
    (answers) =>
      orderOf(answers, list, {
        'last-message-desc': { field: 'last_message_at', direction: -1 },
        'last-message-asc': { field: 'last_message_at', direction: 1 },
        ...byCreation,
      }),
  ),
  defineProbe(
    'threads.total',
    ({ agents }) => [...agents.flatMap((one) => [threadsOf(one), threadsWith(one, { limit: 1 })]), ofNobody],
    totalOf(list, 'all-threads'),
  ),
  defineProbe(
    'threads.agent-and-mailbox',
    // The other one may be nobody, with a handle and a mailbox that no agent has.
    afterThreads((agent, { other = nobody }) => [
      threadsOf(other),
      threadsWith(agent, { mailbox: other.mailbox, limit: 100 }),
      threadsWith(other, { mailbox: agent.mailbox, limit: 100 }),
    ]),
    {
      both: haveIds(list, (_own, _others, one, two) => isSame(one, []) && isSame(two, [])),
      either: haveIds(list, (own, _, one, two) => own?.some((id) => one?.includes(id)) && isSame(one, two)),
      'agent-wins': haveIds(list, (own, others, one, two) => isSame(one, own) && isSame(two, others)),
      'mailbox-wins': haveIds(list, (own, others, one, two) => isSame(one, others) && isSame(two, own)),
      rejected: ([, others, ...both]) => others?.status === 200 && all(isInvalid)(both),
    },
  ),
  defineProbe(
    'threads.limit-out-of-range',
    afterThreads((agent) => ['0', 'abc', '101'].map((limit) => threadsWith(agent, { limit }))),
    (answers, survey) => onlyOf(rulesOfLimits(list, answers, survey)),
  ),
  defineProbe(
    'threads.offset-out-of-range',
    afterThreads((agent) => ['-1', 'abc'].map((offset) => threadsWith(agent, { limit: 2, offset }))),
    { rejected: ([, ...others]) => all(isInvalid)(others), zero: beginAlike },
  ),
  defineProbe(
    'threads.agent-at-prefix',
    afterThreads(({ handle }) => [get('mail/threads', { agent: `@${handle}`, limit: 2 })]),
    { 'same-agent': beginAlike, 'no-match': matchNothing },
  ),
  defineProbe(
    'threads.mailbox-case',
    afterThreads(({ mailbox }) => [get('mail/threads', { mailbox: swapCase(mailbox), limit: 2 })]),
    { insensitive: beginAlike, exact: matchNothing },
  ),
  defineProbe('threads.unknown-agent', [ofNobody, get('mail/threads', { agent: nobody.handle, limit: 2 })], {
    empty: all(isList(list, 0)),
    'not-found': all(hasStatus(404)),
  }),
  defineProbe('threads.unscoped', ({ agents }) => [unscoped, ...agents.map(threadsOf)], {
    all: haveIds(list, (first = []) => first.length > 0),
    rejected: ([first]) => first && isInvalid(first),
    empty: haveIds(list, (first, ...others) => isSame(first, []) && others.some((ids) => ids?.length)),
  }),
  defineProbe(
    'threads.snippet',
    ({ mail }) => mail,
    (answers, { threads }) => {
      const messages = uniqueRows(answers, 'messages')
      return onlyOf(threads.flatMap((thread) => snippetVote(thread, messages)))
    },
  ),
]

/** Returns which message of a thread its snippet is from; nothing if that is not certain, or not all messages are known. */
function snippetVote(thread: Fields, messages: readonly Fields[]): ('first' | 'latest')[] {
  const own = messages.filter((one) => one['thread_id'] === thread['id'])
  if (own.length < 2 || own.length !== thread['message_count']) return []
  // Two messages of one second may be in either order.
  const at = (time: unknown): Fields | undefined => onlyOf(own.filter((one) => one['created_at'] === time))
  const [first, latest] = [at(thread['created_at']), at(thread['last_message_at'])]
  if (!first || !latest) return []
  const [isFirst, isLatest] = [contains(first, thread), contains(latest, thread)]
  return isFirst === isLatest ? [] : [isFirst ? 'first' : 'latest']
}

/** Returns whether a message contains the beginning of the snippet of a thread. */
function contains({ text, html }: Fields, { snippet }: Fields): boolean {
  const start = plain(words(snippet)).slice(0, 30)
  const parts = [words(text), words(html).replace(/<[^>]*>/g, ' ')]
  return start.length >= 12 && parts.some((part) => plain(part).includes(start))
}

function plain(text: string): string {
  return text
    .replace(/[…\s]+/g, ' ')
    .trim()
    .toLowerCase()
}
