import { type Answer, asFields, type Fields, get, rowsOf, uniqueRows, words } from '../service-client.js'
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
  isSortedBy,
  isUnauthorized,
  onlyOf,
  orderOf,
  type Probe,
  type Requests,
  totalOf,
} from './probe.js'
import { allMessages, manyMessages, messagesOf, nobody } from './survey.js'

const list = 'messages'
const mail: Requests = (survey) => survey.mail
const ofNoThread = get('mail/messages', { thread_id: nobody.thread, limit: 2 })

const limited = (limit: string) => get('mail/messages', { limit })

/** The probes of messages, and of what they contain. */
export const messageProbes: readonly Probe[] = [
  defineProbe(
    'messages.order',
    ({ mailAndThread }) => mailAndThread,
    (answers, { readThread }) => {
      const isOfThread = ({ request }: Answer): boolean => request.target === readThread?.target
      const lists = answers
        .filter((answer) => !isOfThread(answer))
        .map((answer) => rowsOf(answer, list) ?? [])
      const order = orderOf(lists, byCreation)
      const thread = answers.find(isOfThread)
      const rows = (thread && rowsOf(thread, list)) ?? []
      if (order !== 'created-desc') return order
      // In a thread, messages may be listed in the other direction.
      if (isSortedBy(rows, byCreation['created-asc'])) return 'chronological-in-thread'
      return isSortedBy(rows, byCreation['created-desc']) ? order : undefined
    },
  ),
  defineProbe(
    'messages.total',
    ({ agents }) => [
      ...[allMessages, ofNoThread, limited('1')],
      ...agents.flatMap((agent) => [
        messagesOf(agent),
        get('mail/messages', { agent: agent.handle, limit: 1 }),
      ]),
    ],
    (answers) => totalOf(answers, list, 'all-messages'),
  ),
  defineChoice('messages.offset', () => [allMessages, get('mail/messages', { limit: 2, offset: 1 })], {
    ignored: ([first, page]) => isSame(idsOf(page, list), beginning(first, 0)),
    honoured: ([first, page]) => isSame(idsOf(page, list), beginning(first, 1)),
    rejected: ([, page]) => page && isInvalid(page),
  }),
  defineChoice('messages.limit-out-of-range', () => [allMessages, limited('0'), limited('abc')], {
    rejected: ([, ...others]) => all(isInvalid)(others),
    clamped: haveRows(list, (messages) => [1, Math.min(50, messages)]),
    default: haveRows(list, (messages) => [50, 50].map((limit) => Math.min(limit, messages))),
  }),
  defineChoice('messages.limit-maximum', () => [allMessages, limited('0'), limited('101'), manyMessages], {
    100: (answers, { messages }) => isOutside(answers[2], answers, messages.length, 100),
    500: (answers, { messages }) => {
      return isInside(answers[2], answers, 101) && isOutside(answers[3], answers, messages.length, 500)
    },
    none: (answers) => isInside(answers[3], answers, 501),
  }),
  defineChoice('messages.unknown-thread', () => [ofNoThread], {
    empty: all(isList(list, 0)),
    'not-found': all(hasStatus(404)),
  }),
  defineProbe('messages.headers', mail, (answers) =>
    onlyOf(uniqueRows(answers, list).map(({ headers }) => formOf(headers))),
  ),
  defineChoice('messages.authentication', mail, {
    // A sender can write the header field, too, but not into every message.
    headers: (answers) =>
      received(answers, (one) => isOpen(one) && headerOf(one, 'authentication-results') !== ''),
    field: (answers) => received(answers, ({ authentication }) => asFields(authentication) !== undefined),
    // Without header fields, what they would show is hidden.
    omitted: (answers) =>
      received(answers, (one) => isOpen(one) && headerOf(one, 'authentication-results') === ''),
  }),
  defineProbe('messages.outbound-direction', mail, (answers) => {
    const direction = onlyOf(
      uniqueRows(answers, list).flatMap((one) => (one['direction'] === 'inbound' ? [] : one['direction'])),
    )
    return direction === 'outbound' || direction === 'sent' ? direction : undefined
  }),
  defineProbe('messages.empty-body', mail, (answers) => {
    const missing = uniqueRows(answers, list).flatMap(({ text, html }) => {
      if (words(text).trim() !== '' && words(html) === '') return [nothingOf(html)]
      return words(html).trim() !== '' && words(text) === '' ? [nothingOf(text)] : []
    })
    return onlyOf(missing)
  }),
  defineProbe('messages.empty-sender', mail, (answers) => {
    const senders = uniqueRows(answers, list).map(({ from }) => words(from))
    const without = senders.filter((from) => from !== '' && !/@|<[^>]+>/.test(from))
    return onlyOf(without.map((from) => (from.endsWith('<>') ? 'as-written' : 'name-only')))
  }),
  defineProbe('messages.attachment-entry', mail, (answers) => {
    return onlyOf(
      entriesOf(uniqueRows(answers, list)).map(
        (entry) => entryForms[Object.keys(entry).toSorted().join(' ')],
      ),
    )
  }),
  defineChoice(
    'messages.attachment-url',
    ({ messages }) => {
      const urls = entriesOf(messages).map(({ url, download_url }) => words(url ?? download_url))
      const target = urls.find((url) => /^https?:\/\//.test(url))
      return target === undefined
        ? 'no message with an attachment was seen'
        : [{ method: 'GET', target, key: 'none' }]
    },
    { open: all(hasStatus(200)), required: all(isUnauthorized) },
  ),
]

/** Returns whether a page is one of a limit above a maximum: refused as a limit of 0 is, or cut off. */
function isOutside(
  page: Answer | undefined,
  [first, zero]: readonly Answer[],
  known: number,
  maximum: number,
): boolean {
  if (!page || !zero || !first) return false
  if (isInvalid(zero)) return isInvalid(page)
  // Without a limit, 50 are listed.
  const isDefault = isList(list, 50)(page) && !isList(list, 50)(first)
  return isDefault || (known > maximum && isList(list, maximum)(page))
}

/** Returns whether a page is one of a limit that is allowed: accepted where a limit of 0 is refused, or longer than others. */
function isInside(page: Answer | undefined, [first, zero]: readonly Answer[], limit: number): boolean {
  if (!page || !zero || !first || !isList(list)(page)) return false
  const isDefault = isList(list, 50)(zero) && (idsOf(first, list)?.length ?? 0) > 50
  return isInvalid(zero) || isList(list, limit)(page) || (isDefault && !isList(list, 50)(page))
}

/** Returns the ids of two rows of a list from an index on; undefined if there are too few rows to tell. */
function beginning(answer: Answer | undefined, start: number): readonly string[] | undefined {
  const ids = idsOf(answer, list) ?? []
  return ids.length < 2 ? undefined : ids.slice(start, start + 2)
}

/** Returns whether all received messages, and at least one, have a property. */
function received(answers: readonly Answer[], is: (message: Fields) => boolean): boolean {
  const messages = uniqueRows(answers, list).filter(({ direction }) => direction === 'inbound')
  return messages.length > 0 && messages.every(is)
}

/** Returns whether a message shows header fields, and no results in a field of their own. */
function isOpen({ headers, authentication }: Fields): boolean {
  return headers !== undefined && authentication === undefined
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
const entryForms: Readonly<Record<string, 'full' | 'url-only' | 'download-url'>> = {
  'content_id content_type filename id size_bytes url': 'full',
  url: 'url-only',
  'content_type download_url filename id size': 'download-url',
}

function entriesOf(messages: readonly Fields[]): Fields[] {
  return messages.flatMap(({ attachments }) => [attachments].flat()).map((entry) => asFields(entry) ?? {})
}

/** Returns the first value of a header field in either form; '' if there is none. */
function headerOf({ headers }: Fields, wanted: string): string {
  const fields = Array.isArray(headers)
    ? headers.map((field) => [asFields(field)?.['name'], asFields(field)?.['value']] as const)
    : Object.entries(asFields(headers) ?? {})
  const [, value] = fields.find(([name]) => String(name).toLowerCase() === wanted) ?? []
  return words([value].flat()[0])
}
