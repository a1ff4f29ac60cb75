import type { Thread } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { threadsPath } from '../../conformance/mailbox.js'
import { bulk, keys } from '../../conformance/scenario.js'
import type { Answer } from '../../conformance/transport.js'
import type { Asked, GapCases } from '../gap-case.js'
import { refusedWith, sameAsBefore, subjectsOf, threadListIn, threadsIn } from '../seen.js'

const everyThread = bulk.threads + 4
const ask = (query: Parameters<typeof threadsPath>[0]): Asked => ({ path: threadsPath(query) })
const ofEva = ask({ agent: 'eva' })
const ofMax = ask({ agent: 'max' })
/** An agent whose mailbox is empty. */
const ofNobodyYet = ask({ agent: 'Night_Shift.bot-1' })
/** The other organization has three threads, one of its own agent eva. */
const everyRivalThread: Asked = { ...ask({}), key: keys.other }
const onlyRivalThread: Asked = { ...ofEva, key: keys.other }

const lastMessage = (thread: Thread) => Date.parse(thread.last_message_at)
const created = (thread: Thread) => Date.parse(thread.created_at)
type Key = (thread: Thread) => number

const ascends = (threads: readonly Thread[], key: Key) =>
  threads.every((thread, index) => index === 0 || key(threads[index - 1] as Thread) <= key(thread))

/** Asserts that a page of threads ascends by a key. */
const ascending = (key: Key) => (answer: Answer) => {
  const threads = threadsIn(answer)
  expect(threads).toHaveLength(100)
  expect(ascends(threads, key)).toBe(true)
}

/** Asserts that a page of threads descends by a key. */
const descending = (key: Key) => ascending((thread) => -key(thread))

function ascendsByNothing(answer: Answer): void {
  const threads = threadsIn(answer)
  expect(threads).toHaveLength(100)
  for (const key of [lastMessage, created]) {
    expect(ascends(threads, key)).toBe(false)
    expect(ascends(threads.toReversed(), key)).toBe(false)
  }
}

/** Asserts the number of threads on a page and its total. */
const showing = (count: number, total: number) => (answer: Answer) => {
  const list = threadListIn(answer)
  expect([list.threads.length, list.total]).toEqual([count, total])
}

/** Asserts that a page is eva's mailbox. */
function showsEvasThreads(answer: Answer): void {
  const subjects = subjectsOf(threadsIn(answer)).toSorted()
  expect(subjects).toEqual(['Broken lamp', 'Spring lights', 'Thanks', 'Where is my lamp?'])
}

/** Silent points of the list of threads: its pages. */
export const threadPageCases = {
  'threads.order': {
    request: ask({ agent: 'max', limit: 100 }),
    sees: {
      'last-message-desc': descending(lastMessage),
      'last-message-asc': ascending(lastMessage),
      'created-desc': descending(created),
      'created-asc': ascending(created),
      unspecified: ascendsByNothing,
    },
    quiet: [ofNobodyYet, onlyRivalThread, ask({ agent: 'max', offset: bulk.threads })],
  },
  'threads.total': {
    request: ask({ agent: 'max', limit: 10 }),
    sees: {
      'all-matches': showing(10, bulk.threads),
      'page-size': showing(10, 10),
      'all-threads': showing(10, everyThread),
    },
    quiet: [everyRivalThread],
  },
  'threads.limit-out-of-range': {
    request: ask({ agent: 'max', limit: 101 }),
    sees: {
      rejected: refusedWith(400),
      clamped: showing(100, bulk.threads),
      default: showing(50, bulk.threads),
    },
    quiet: [ask({ agent: 'max', limit: 100 }), ofMax],
  },
  'threads.offset-out-of-range': {
    before: ofMax,
    request: ask({ agent: 'max', offset: -1 }),
    sees: { rejected: refusedWith(400), zero: sameAsBefore },
    quiet: [ask({ agent: 'max', offset: 9000 }), ask({ agent: 'max', offset: 0 })],
  },
} satisfies Partial<GapCases>

/** Silent points of the list of threads: its scope. */
export const threadScopeCases = {
  'threads.agent-and-mailbox': {
    request: ask({ agent: 'eva', mailbox: 'max@harbour.example' }),
    sees: {
      both: showing(0, 0),
      either: showing(50, everyThread),
      'agent-wins': showsEvasThreads,
      'mailbox-wins': showing(50, bulk.threads),
      rejected: refusedWith(400),
    },
    quiet: [ofEva, ask({ mailbox: 'max@harbour.example' })],
  },
  'threads.unknown-agent': {
    request: ask({ agent: 'nobody' }),
    sees: { empty: showing(0, 0), 'not-found': refusedWith(404) },
    quiet: [ofEva, ofNobodyYet],
  },
  'threads.agent-at-prefix': {
    request: ask({ agent: '@eva' }),
    sees: { 'same-agent': showsEvasThreads, 'no-match': showing(0, 0) },
    quiet: [ofEva, ask({ agent: '@nobody' })],
  },
  'threads.mailbox-case': {
    request: ask({ mailbox: 'eva.lind@HARBOUR.example' }),
    sees: { insensitive: showsEvasThreads, exact: showing(0, 0) },
    quiet: [ask({ mailbox: 'Eva.Lind@harbour.example' })],
  },
  'threads.unscoped': {
    request: ask({}),
    sees: { all: showing(50, everyThread), rejected: refusedWith(400), empty: showing(0, 0) },
    quiet: [ofEva],
  },
} satisfies Partial<GapCases>
