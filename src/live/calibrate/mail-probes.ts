import {
  type Answer,
  asFields,
  attachmentsOf,
  type Fields,
  get,
  type LiveRequest,
  linkOf,
  rowsOf,
  uniqueRows,
  words,
} from '../service-client.js'
import {
  all,
  byCreation,
  defineProbe,
  defineRowProbe,
  hasStatus,
  haveIds,
  isInvalid,
  isList,
  isSame,
  isSorted,
  isUnauthorized,
  nothingOf,
  onlyOf,
  orderOf,
  type Probe,
  type Requests,
  rulesOfLimits,
  type Sign,
  swapCase,
  totalOf,
} from './probe.js'
import {
  allMessages,
  type KnownAgent,
  manyMessages,
  messagesOf,
  nobody,
  ofAgent,
  type Survey,
  threadsOf,
} from './survey.js'

const mail: Requests = (survey) => survey.mail
const unscoped = get('mail/threads')
const ofNobody = get('mail/threads', { mailbox: nobody.mailbox, limit: 2 })
const ofNoThread = get('mail/messages', { thread_id: nobody.thread, limit: 2 })
const limited = (...limits: string[]) => limits.map((limit) => get('mail/messages', { limit }))

/** Returns a request for some of the threads of an agent. */
function threadsWith({ handle }: KnownAgent, query: Readonly<Record<string, string | number>>): LiveRequest {
  return get('mail/threads', { agent: handle, ...query })
}

/** Returns requests about the threads of the agent, after the one for all of them. */
function afterThreads(requests: (agent: KnownAgent, survey: Survey) => readonly LiveRequest[]) {
  return ofAgent((agent, survey) => [threadsOf(agent), ...requests(agent, survey)])
}

/** Returns whether the answers after the first have the beginning of its list of threads, which is not empty. */
const beginAlike = haveIds('threads', (first = [], ...others) => {
  return first.length > 0 && others.every((ids) => isSame(ids, first.slice(0, 2)))
})

/** Returns whether the first answer has rows, and none is in the second. */
const matchNothing: Sign = ([first, second]) => {
  const isNone = second && (second.status === 404 || isList('threads', 0)(second))
  return isNone && first && rowsOf(first, 'threads')?.[0] !== undefined
}

/** The probes of threads and messages, and of what they contain: those that mail which arrives meanwhile would mislead. */
export const mailProbes: readonly Probe[] = [
  defineProbe(
    'threads.order',
    ({ agents }) => [...agents.map(threadsOf), unscoped],
    (answers) =>
      orderOf(answers, 'threads', {
        'last-message-desc': { field: 'last_message_at', direction: -1 },
        'last-message-asc': { field: 'last_message_at', direction: 1 },
        ...byCreation,
      }),
  ),
  defineProbe(
    'threads.total',
    ({ agents }) => [...agents.flatMap((one) => [threadsOf(one), threadsWith(one, { limit: 1 })]), ofNobody],
    totalOf('threads', 'all-threads'),
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
      both: haveIds('threads', (_own, _others, one, two) => isSame(one, []) && isSame(two, [])),
      either: haveIds(
        'threads',
        (own, _, one, two) => own?.some((id) => one?.includes(id)) && isSame(one, two),
      ),
      'agent-wins': haveIds('threads', (own, others, one, two) => isSame(one, own) && isSame(two, others)),
      'mailbox-wins': haveIds('threads', (own, others, one, two) => isSame(one, others) && isSame(two, own)),
      rejected: ([, others, ...both]) => others?.status === 200 && all(isInvalid)(both),
    },
  ),
  defineProbe(
    'threads.limit-out-of-range',
    afterThreads((agent) => ['0', 'abc', '101'].map((limit) => threadsWith(agent, { limit }))),
    (answers, survey) => onlyOf(rulesOfLimits('threads', answers, survey)),
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
    empty: all(isList('threads', 0)),
    'not-found': all(hasStatus(404)),
  }),
  defineProbe('threads.unscoped', ({ agents }) => [unscoped, ...agents.map(threadsOf)], {
    all: haveIds('threads', (first = []) => first.length > 0),
    rejected: ([first]) => first && isInvalid(first),
    empty: haveIds('threads', (first, ...others) => isSame(first, []) && others.some((ids) => ids?.length)),
  }),
  defineProbe('threads.snippet', mail, (answers, { threads }) => {
    const messages = uniqueRows(answers, 'messages')
    return onlyOf(threads.flatMap((thread) => snippetVote(thread, messages)))
  }),
  defineProbe('messages.order', mail, (answers, { readThread }) => {
    const isOfThread = ({ request }: Answer): boolean => request.target === readThread?.target
    const order = orderOf(
      answers.filter((answer) => !isOfThread(answer)),
      'messages',
      byCreation,
    )
    if (order !== 'created-desc') return order
    // In a thread, messages may be listed in the other direction.
    const thread = uniqueRows(answers.filter(isOfThread), 'messages')
    const isDescending = isSorted(thread, byCreation['created-desc'])
    if (isDescending === isSorted(thread, byCreation['created-asc'])) return undefined
    return isDescending ? order : 'chronological-in-thread'
  }),
  defineProbe(
    'messages.total',
    ({ agents }) => [
      ...[allMessages, ofNoThread, ...limited('1')],
      ...agents.flatMap((agent) => [
        messagesOf(agent),
        get('mail/messages', { agent: agent.handle, limit: 1 }),
      ]),
    ],
    totalOf('messages', 'all-messages'),
  ),
  defineProbe('messages.offset', [allMessages, get('mail/messages', { limit: 2, offset: 1 })], {
    ignored: haveIds('messages', (first = [], page) => first.length > 1 && isSame(page, first.slice(0, 2))),
    honoured: haveIds('messages', (first = [], page) => first.length > 1 && isSame(page, first.slice(1, 3))),
    rejected: ([, page]) => page && isInvalid(page),
  }),
  defineProbe('messages.limit-out-of-range', [allMessages, ...limited('0', 'abc')], (answers, survey) => {
    return onlyOf(rulesOfLimits('messages', answers, survey))
  }),
  defineProbe('messages.limit-maximum', [allMessages, ...limited('0', '101'), manyMessages], {
    100: isMaximum(100),
    500: isMaximum(500),
    none: isMaximum(Number.POSITIVE_INFINITY),
  }),
  defineProbe('messages.unknown-thread', [ofNoThread], {
    empty: all(isList('messages', 0)),
    'not-found': all(hasStatus(404)),
  }),
  defineRowProbe('messages.headers', 'messages', mail, ({ headers }) => formOf(headers)),
  defineProbe('messages.authentication', mail, {
    // A sender can write the header field, too, but not into every message.
    headers: received((one) => isOpen(one) && showsResults(one)),
    field: received(({ authentication }) => asFields(authentication) !== undefined),
    // Without header fields, what they would show is hidden.
    omitted: received((one) => isOpen(one) && !showsResults(one)),
  }),
  defineRowProbe('messages.outbound-direction', 'messages', mail, ({ direction }) => {
    return direction === 'inbound' ? [] : direction
  }),
  defineRowProbe('messages.empty-body', 'messages', mail, ({ text, html }) => {
    if (words(text).trim() !== '' && words(html) === '') return nothingOf(html)
    return words(html).trim() !== '' && words(text) === '' ? nothingOf(text) : []
  }),
  defineRowProbe('messages.empty-sender', 'messages', mail, ({ from }) => {
    if (words(from) === '' || /@|<[^>]+>/.test(words(from))) return []
    return words(from).endsWith('<>') ? 'as-written' : 'name-only'
  }),
  defineRowProbe('messages.attachment-entry', 'messages', mail, (message) => {
    return attachmentsOf(message).map((entry) => entryForms[Object.keys(entry).toSorted().join(' ')])
  }),
  defineProbe(
    'messages.attachment-url',
    ({ messages }) => {
      const urls = messages.flatMap(attachmentsOf).map(linkOf)
      const target = urls.find((url) => /^https?:\/\//.test(url))
      return target === undefined
        ? 'no message with an attachment was seen'
        : [{ method: 'GET', target, key: 'none' }]
    },
    { open: all(hasStatus(200)), required: all(isUnauthorized) },
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

/** Returns whether limits up to a maximum are honoured, whatever a service does with others. */
function isMaximum(maximum: number): Sign {
  return (answers, survey) => rulesOfLimits('messages', answers, survey, maximum).length > 0
}

/** Returns whether all received messages, and at least one, have a property. */
function received(is: (message: Fields) => boolean): Sign {
  return (answers) => {
    const messages = uniqueRows(answers, 'messages').filter(({ direction }) => direction === 'inbound')
    return messages.length > 0 && messages.every(is)
  }
}

/** Returns whether a message shows header fields, and no results in a field of their own. */
function isOpen({ headers, authentication }: Fields): boolean {
  return headers !== undefined && authentication === undefined
}

/** Returns whether a header field, in either form, has the results of an authentication. */
function showsResults({ headers }: Fields): boolean {
  return JSON.stringify(headers).toLowerCase().includes('"authentication-results"')
}

function formOf(headers: unknown): 'omitted' | 'list' | 'object' | undefined {
  if (headers === undefined) return 'omitted'
  if (Array.isArray(headers)) {
    return headers.every((field) => typeof asFields(field)?.['name'] === 'string') ? 'list' : undefined
  }
  const names = Object.keys(asFields(headers) ?? { A: 1 })
  return names.every((name) => name === name.toLowerCase()) ? 'object' : undefined
}

/** The forms of an attachment's entry, by its fields. */
const entryForms: Readonly<Record<string, string>> = {
  'content_id content_type filename id size_bytes url': 'full',
  url: 'url-only',
  'content_type download_url filename id size': 'download-url',
}
