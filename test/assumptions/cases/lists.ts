import type { AttachmentEntry, Message, Thread } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { type Mailbox, messagesPath, type Query, threadsPath } from '../../conformance/mailbox.js'
import { bulk, keys } from '../../conformance/scenario.js'
import type { Answer } from '../../conformance/transport.js'
import { type Asked, type GapCases, messagesOf, rowsIn, same, size } from '../gap-case.js'

const threads = (query: Query): Asked => ({ path: threadsPath(query) })
const messages = (query: Query): Asked => ({ path: messagesPath(query) })

const [everyThread, maxMessages] = [bulk.threads + 4, bulk.threads * bulk.messagesPerThread]
const everyMessage = maxMessages + 6
const conversation = 'Where is my lamp?'

/** The agent eva has four threads of six messages, max has many, and the last one has none. */
const ofEva = threads({ agent: 'eva' })
const ofMax = threads({ agent: 'max' })
const noThreads = threads({ agent: 'Night_Shift.bot-1' })
const noMessages = messages({ agent: 'Night_Shift.bot-1' })
const tenOfMax = messages({ agent: 'max', limit: 10 })
/** The other organization has three threads, one of its own agent eva. */
const ofRival: Asked = { ...threads({}), key: keys.other }

const time =
  (of: 'last_message_at' | 'created_at') => (row: { last_message_at?: string; created_at: string }) =>
    Date.parse(row[of] ?? '')

/** Returns the order of rows by a time, or none. */
function orderBy<Row>(rows: readonly Row[], key: (row: Row) => number): 'ascending' | 'descending' | 'none' {
  const times = rows.map(key)
  const sorted = times.toSorted((one, other) => one - other)
  if (times.join() === sorted.join()) return 'ascending'
  return times.join() === sorted.toReversed().join() ? 'descending' : 'none'
}

/** Returns the orders of a page of threads: by the last message, and by creation. */
function threadOrders(answer: Answer): string[] {
  const page = rowsIn<Thread>(answer)
  expect(page).toHaveLength(100)
  return [orderBy(page, time('last_message_at')), orderBy(page, time('created_at'))]
}

/** Returns the orders of the messages of a thread, and of all messages. */
async function messageOrders(answer: Answer, mailbox: Mailbox): Promise<string[]> {
  expect(rowsIn(answer)).toHaveLength(23)
  const all = await mailbox.messages({ limit: 30 })
  return [rowsIn<Message>(answer), all.messages].map((rows) => orderBy(rows, time('created_at')))
}

/** Makes a long conversation, a message a minute. */
async function talkOn(mailbox: Mailbox): Promise<void> {
  const { id } = await mailbox.thread(conversation)
  for (let count = 0; count < 20; count++) {
    await mailbox.simulator.clock.advance('1m')
    await mailbox.simulator.mail.receive({ to: 'eva', thread: id, text: `And ${count}?` })
  }
}

async function reply(mailbox: Mailbox): Promise<void> {
  const { id, unread } = await mailbox.thread(conversation)
  expect(unread).toBe(true)
  await mailbox.simulator.mail.send({ from: 'eva', to: 'ann@shop.example', thread: id, text: 'My pleasure.' })
}

/** Returns fields of the conversation in a list of threads. */
const ofConversation =
  (...fields: (keyof Thread)[]) =>
  (answer: Answer) => {
    const thread = rowsIn<Thread>(answer).find(({ subject }) => subject === conversation)
    return fields.map((field) => thread?.[field])
  }

/** Returns a field of each message of an answer. */
const eachMessage = (field: keyof Message) => (answer: Answer) =>
  rowsIn<Message>(answer).map((message) => message[field])

const text = expect.any(String)
const photo = { id: text, filename: 'lamp photo.png', content_type: 'image/png' }
const sheet = { id: text, filename: "Größe & Maß (1)'s.txt", content_type: 'text/plain' }

/** Silent points of the lists of threads and messages, and of what they show. */
export const listCases = {
  'threads.order': {
    request: threads({ agent: 'max', limit: 100 }),
    shows: threadOrders,
    sees: {
      'last-message-desc': ['descending', 'none'],
      'last-message-asc': ['ascending', 'none'],
      'created-desc': ['none', 'descending'],
      'created-asc': ['none', 'ascending'],
      unspecified: ['none', 'none'],
    },
    quiet: [noThreads, { ...ofEva, key: keys.other }, threads({ agent: 'max', offset: bulk.threads })],
  },
  'threads.total': {
    request: threads({ agent: 'max', limit: 10 }),
    shows: size,
    sees: { 'all-matches': [10, bulk.threads], 'page-size': [10, 10], 'all-threads': [10, everyThread] },
    quiet: [ofRival],
  },
  'threads.limit-out-of-range': {
    request: threads({ agent: 'max', limit: 101 }),
    shows: size,
    sees: { rejected: 400, clamped: [100, bulk.threads], default: [50, bulk.threads] },
    quiet: [threads({ agent: 'max', limit: 100 }), ofMax],
  },
  'threads.offset-out-of-range': {
    before: ofMax,
    request: threads({ agent: 'max', offset: -1 }),
    sees: { rejected: 400, zero: same },
    quiet: [threads({ agent: 'max', offset: 9000 }), threads({ agent: 'max', offset: 0 })],
  },
  'threads.agent-and-mailbox': {
    request: threads({ agent: 'eva', mailbox: 'max@harbour.example' }),
    shows: size,
    sees: {
      both: [0, 0],
      either: [50, everyThread],
      'agent-wins': [4, 4],
      'mailbox-wins': [50, bulk.threads],
      rejected: 400,
    },
    quiet: [ofEva, threads({ mailbox: 'max@harbour.example' })],
  },
  'threads.unknown-agent': {
    request: threads({ agent: 'nobody' }),
    shows: size,
    sees: { empty: [0, 0], 'not-found': 404 },
    quiet: [ofEva, noThreads],
  },
  'threads.agent-at-prefix': {
    before: ofEva,
    request: threads({ agent: '@eva' }),
    shows: size,
    sees: { 'same-agent': same, 'no-match': [0, 0] },
    quiet: [ofEva, threads({ agent: '@nobody' })],
  },
  'threads.mailbox-case': {
    before: ofEva,
    request: threads({ mailbox: 'eva.lind@HARBOUR.example' }),
    shows: size,
    sees: { insensitive: same, exact: [0, 0] },
    quiet: [threads({ mailbox: 'Eva.Lind@harbour.example' })],
  },
  'threads.unscoped': {
    request: threads({}),
    shows: size,
    sees: { all: [50, everyThread], rejected: 400, empty: [0, 0] },
    quiet: [ofEva],
  },
  'threads.unread-after-read': {
    prepare: async (mailbox) => expect((await mailbox.thread(conversation)).unread).toBe(true),
    request: messagesOf(conversation),
    shows: async (answer, mailbox) => [rowsIn(answer).length, (await mailbox.thread(conversation)).unread],
    sees: { 'stays-unread': [3, true], 'becomes-read': [3, false] },
    quiet: [messagesOf('Thanks'), messagesOf(conversation, 'max'), messages({ agent: 'eva' })],
  },
  'threads.unread-after-reply': {
    prepare: reply,
    request: ofEva,
    shows: ofConversation('unread', 'message_count'),
    sees: { 'stays-unread': [true, 4], 'becomes-read': [false, 4] },
    quiet: [ofMax, ofRival],
  },
  'threads.snippet': {
    request: ofEva,
    shows: ofConversation('snippet'),
    sees: { latest: ['Thank you!'], first: ['Hello, where is my lamp? Ann'] },
    quiet: [ofRival],
  },
  'messages.order': {
    prepare: talkOn,
    request: messagesOf(conversation),
    shows: messageOrders,
    sees: {
      'created-desc': ['descending', 'descending'],
      'created-asc': ['ascending', 'ascending'],
      'chronological-in-thread': ['ascending', 'descending'],
      unspecified: ['none', 'none'],
    },
    quiet: [messagesOf('Thanks'), noMessages],
  },
  'messages.total': {
    request: tenOfMax,
    shows: size,
    sees: { 'all-matches': [10, maxMessages], 'page-size': [10, 10], 'all-messages': [10, everyMessage] },
    quiet: [{ ...messages({}), key: keys.other }],
  },
  'messages.offset': {
    before: tenOfMax,
    request: messages({ agent: 'max', limit: 10, offset: 4 }),
    shows: (answer, _, before) => {
      const [page, first] = [rowsIn<Message>(answer), rowsIn<Message>(before as Answer)]
      return [page.length, first.findIndex(({ id }) => id === page[0]?.id)]
    },
    sees: { ignored: same, honoured: [10, 4], rejected: 400 },
    quiet: [tenOfMax],
  },
  'messages.limit-maximum': {
    assumptions: { 'messages.limit-out-of-range': 'clamped' },
    request: messages({ agent: 'max', limit: 600 }),
    shows: size,
    sees: { 100: [100, maxMessages], 500: [500, maxMessages], none: [600, maxMessages] },
    quiet: [messages({ agent: 'max', limit: 100 }), messages({ agent: 'max', limit: 0 })],
  },
  'messages.limit-out-of-range': {
    request: messages({ agent: 'max', limit: 0 }),
    shows: size,
    sees: { rejected: 400, clamped: [1, maxMessages], default: [50, maxMessages] },
    quiet: [messages({ agent: 'max', limit: 1 }), messages({ agent: 'max', limit: 100 })],
  },
  'events.listed': {
    prepare: async ({ simulator }) => {
      await simulator.mail.receive({ to: 'eva', from: 'Ann <ann@shop.example>', subject: 'New', text: 'Hi' })
    },
    request: messages({ agent: 'eva', limit: 1 }),
    shows: (answer) => rowsIn<Message>(answer)[0]?.subject === 'New',
    sees: { 'before-the-event': true, 'after-the-event': false },
    quiet: [messagesOf('Thanks'), messages({ agent: 'max' })],
  },
  'messages.unknown-thread': {
    request: messages({ thread_id: 'thrd_gone' }),
    shows: size,
    sees: { empty: [0, 0], 'not-found': 404 },
    quiet: [messagesOf('Thanks'), noMessages],
  },
  'messages.headers': {
    request: messagesOf('Thanks'),
    shows: eachMessage('headers'),
    sees: {
      omitted: [undefined],
      object: [expect.objectContaining({ subject: 'Thanks', from: 'Ann Lee <ann@shop.example>' })],
      list: [expect.arrayContaining([{ name: 'Subject', value: 'Thanks' }])],
    },
    quiet: [noMessages],
  },
  'messages.authentication': {
    request: messagesOf('Thanks'),
    shows: (answer) =>
      rowsIn<Message>(answer).map(({ headers, authentication }) => {
        return authentication ?? Object.keys(headers ?? {}).includes('authentication-results')
      }),
    sees: { headers: [true], field: [{ spf: 'pass', dkim: 'pass', dmarc: 'pass' }], omitted: [false] },
    quiet: [noMessages],
  },
  'messages.outbound-direction': {
    request: messagesOf(conversation),
    shows: eachMessage('direction'),
    sees: { outbound: ['inbound', 'outbound', 'inbound'], sent: ['inbound', 'sent', 'inbound'] },
    quiet: [messages({ agent: 'max' })],
  },
  'messages.empty-body': {
    request: messagesOf('Thanks'),
    shows: eachMessage('html'),
    sees: { 'empty-string': [''], null: [null], absent: [undefined] },
    quiet: [messages({ agent: 'eva', limit: 1 }), noMessages],
  },
  'messages.empty-sender': {
    request: async (mailbox) => {
      const bounce = 'From: MAILER-DAEMON <>\r\nSubject: Undelivered\r\n\r\nNobody'
      for (const eml of [bounce, bounce.replace('MAILER-DAEMON ', '')]) {
        await mailbox.simulator.mail.receive({ to: 'eva', eml })
      }
      return messages({ agent: 'eva' })
    },
    shows: (answer) =>
      eachMessage('from')(answer)
        .filter((from) => !String(from).includes('@'))
        .toSorted(),
    sees: { 'as-written': ['<>', 'MAILER-DAEMON <>'], 'name-only': ['', 'MAILER-DAEMON'] },
    quiet: [messages({ agent: 'max' }), noMessages],
  },
  'messages.attachment-entry': {
    request: messagesOf('Broken lamp'),
    shows: (answer) => eachMessage('attachments')(answer).flat() as AttachmentEntry[],
    sees: {
      full: [
        { ...photo, size_bytes: 256, content_id: 'photo-1', url: text },
        { ...sheet, size_bytes: 12, content_id: null, url: text },
      ],
      'url-only': [{ url: text }, { url: text }],
      'download-url': [
        { ...photo, size: 256, download_url: text },
        { ...sheet, size: 12, download_url: text },
      ],
    },
    quiet: [messagesOf('Thanks'), messages({ agent: 'max' })],
  },
} satisfies Partial<GapCases>
