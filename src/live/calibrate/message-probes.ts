import {
  type Answer,
  asFields,
  attachmentsOf,
  type Fields,
  get,
  linkOf,
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
  onlyOf,
  orderOf,
  type Probe,
  type Requests,
  rulesOfLimits,
  type Sign,
  totalOf,
} from './probe.js'
import { allMessages, manyMessages, messagesOf, nobody } from './survey.js'

const list = 'messages'
const mail: Requests = (survey) => survey.mail
const ofNoThread = get('mail/messages', { thread_id: nobody.thread, limit: 2 })
const limited = (...limits: string[]) => limits.map((limit) => get('mail/messages', { limit }))

/** The probes of messages, and of what they contain. */
export const messageProbes: readonly Probe[] = [
  defineProbe('messages.order', mail, (answers, { readThread }) => {
    const isOfThread = ({ request }: Answer): boolean => request.target === readThread?.target
    const order = orderOf(
      answers.filter((answer) => !isOfThread(answer)),
      list,
      byCreation,
    )
    if (order !== 'created-desc') return order
    // In a thread, messages may be listed in the other direction.
    const thread = uniqueRows(answers.filter(isOfThread), list)
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
    totalOf(list, 'all-messages'),
  ),
  defineProbe('messages.offset', [allMessages, get('mail/messages', { limit: 2, offset: 1 })], {
    ignored: haveIds(list, (first = [], page) => first.length > 1 && isSame(page, first.slice(0, 2))),
    honoured: haveIds(list, (first = [], page) => first.length > 1 && isSame(page, first.slice(1, 3))),
    rejected: ([, page]) => page && isInvalid(page),
  }),
  defineProbe('messages.limit-out-of-range', [allMessages, ...limited('0', 'abc')], (answers, survey) => {
    return onlyOf(rulesOfLimits(list, answers, survey))
  }),
  defineProbe('messages.limit-maximum', [allMessages, ...limited('0', '101'), manyMessages], {
    100: isMaximum(100),
    500: isMaximum(500),
    none: isMaximum(Number.POSITIVE_INFINITY),
  }),
  defineProbe('messages.unknown-thread', [ofNoThread], {
    empty: all(isList(list, 0)),
    'not-found': all(hasStatus(404)),
  }),
  defineRowProbe('messages.headers', list, mail, ({ headers }) => formOf(headers)),
  defineProbe('messages.authentication', mail, {
    // A sender can write the header field, too, but not into every message.
    headers: received((one) => isOpen(one) && showsResults(one)),
    field: received(({ authentication }) => asFields(authentication) !== undefined),
    // Without header fields, what they would show is hidden.
    omitted: received((one) => isOpen(one) && !showsResults(one)),
  }),
  defineRowProbe('messages.outbound-direction', list, mail, ({ direction }) => {
    return direction === 'inbound' ? [] : direction
  }),
  defineRowProbe('messages.empty-body', list, mail, ({ text, html }) => {
    if (words(text).trim() !== '' && words(html) === '') return nothingOf(html)
    return words(html).trim() !== '' && words(text) === '' ? nothingOf(text) : []
  }),
  defineRowProbe('messages.empty-sender', list, mail, ({ from }) => {
    if (words(from) === '' || /@|<[^>]+>/.test(words(from))) return []
    return words(from).endsWith('<>') ? 'as-written' : 'name-only'
  }),
  defineRowProbe('messages.attachment-entry', list, mail, (message) => {
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

/** Returns whether limits up to a maximum are honoured, whatever a service does with others. */
function isMaximum(maximum: number): Sign {
  return (answers, survey) => rulesOfLimits(list, answers, survey, maximum).length > 0
}

/** Returns whether all received messages, and at least one, have a property. */
function received(is: (message: Fields) => boolean): Sign {
  return (answers) => {
    const messages = uniqueRows(answers, list).filter(({ direction }) => direction === 'inbound')
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

/** Returns the assumption that describes a missing value. */
export function nothingOf(value: unknown): 'absent' | 'null' | 'empty-string' | undefined {
  if (value === undefined) return 'absent'
  return value === null ? 'null' : value === '' ? 'empty-string' : undefined
}

/** The forms of an attachment's entry, by its fields. */
const entryForms: Readonly<Record<string, string>> = {
  'content_id content_type filename id size_bytes url': 'full',
  url: 'url-only',
  'content_type download_url filename id size': 'download-url',
}
