import type { Message } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { type Mailbox, messagesPath } from '../../conformance/mailbox.js'
import { bulk, keys } from '../../conformance/scenario.js'
import type { Answer } from '../../conformance/transport.js'
import { messagesOf } from '../asked.js'
import type { Asked, GapCases, Scene } from '../gap-case.js'
import { answerBefore, messageListIn, messagesIn, refusedWith, sameAsBefore } from '../seen.js'

const ofMaxCount = bulk.threads * bulk.messagesPerThread
const everyMessage = ofMaxCount + 6
const ask = (query: Parameters<typeof messagesPath>[0]): Asked => ({ path: messagesPath(query) })
const ofMax = ask({ agent: 'max', limit: 10 })

/** Makes a long conversation, a message a minute. */
async function talkOn({ simulator }: Mailbox, thread: string): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await simulator.clock.advance('1m')
    await simulator.mail.receive({ to: 'eva', thread, text: `And ${count}?` })
  }
}

const times = (messages: readonly Message[]) => messages.map(({ created_at }) => Date.parse(created_at))
const newestFirst = (messages: readonly Message[]) => times(messages).toSorted((a, b) => b - a)

/** The messages of all agents, without a thread. */
const latest = async ({ mailbox }: Scene) => (await mailbox.messages({ limit: 30 })).messages

function expectNewestFirst(messages: readonly Message[]): void {
  expect(times(messages)).toEqual(newestFirst(messages))
}

function expectOldestFirst(messages: readonly Message[]): void {
  expect(times(messages)).toEqual(newestFirst(messages).toReversed())
}

/** Asserts the number of messages on a page and its total. */
const showing = (count: number, total: number) => (answer: Answer) => {
  const list = messageListIn(answer)
  expect([list.messages.length, list.total]).toEqual([count, total])
}

/** Silent points of the list of messages. */
export const messageListCases = {
  'messages.order': {
    prepare: async (mailbox) => talkOn(mailbox, (await mailbox.thread('Where is my lamp?')).id),
    request: messagesOf('Where is my lamp?'),
    sees: {
      'created-desc': async (answer, scene) => {
        expectNewestFirst(messagesIn(answer))
        expectNewestFirst(await latest(scene))
      },
      'created-asc': async (answer, scene) => {
        expectOldestFirst(messagesIn(answer))
        expectOldestFirst(await latest(scene))
      },
      'chronological-in-thread': async (answer, scene) => {
        expectOldestFirst(messagesIn(answer))
        expectNewestFirst(await latest(scene))
      },
      unspecified: (answer) => {
        const shown = messagesIn(answer)
        expect(shown).toHaveLength(23)
        expect(times(shown)).not.toEqual(newestFirst(shown))
        expect(times(shown)).not.toEqual(newestFirst(shown).toReversed())
      },
    },
    quiet: [messagesOf('Thanks'), ask({ agent: 'Night_Shift.bot-1' })],
  },
  'messages.total': {
    request: ofMax,
    sees: {
      'all-matches': showing(10, ofMaxCount),
      'page-size': showing(10, 10),
      'all-messages': showing(10, everyMessage),
    },
    quiet: [{ ...ask({}), key: keys.other }],
  },
  'messages.offset': {
    before: ofMax,
    request: ask({ agent: 'max', limit: 10, offset: 4 }),
    sees: {
      ignored: sameAsBefore,
      honoured: (answer, scene) => {
        expect(messagesIn(answer)).toHaveLength(10)
        expect(messagesIn(answer).slice(0, 6)).toEqual(messagesIn(answerBefore(scene)).slice(4))
      },
      rejected: refusedWith(400),
    },
    quiet: [ofMax],
  },
  'messages.limit-maximum': {
    readings: { 'messages.limit-out-of-range': 'clamped' },
    request: ask({ agent: 'max', limit: 600 }),
    sees: { 100: showing(100, ofMaxCount), 500: showing(500, ofMaxCount), none: showing(600, ofMaxCount) },
    quiet: [ask({ agent: 'max', limit: 100 }), ask({ agent: 'max', limit: 0 })],
  },
  'messages.limit-out-of-range': {
    request: ask({ agent: 'max', limit: 0 }),
    sees: { rejected: refusedWith(400), clamped: showing(1, ofMaxCount), default: showing(50, ofMaxCount) },
    quiet: [ask({ agent: 'max', limit: 1 }), ask({ agent: 'max', limit: 100 })],
  },
  'messages.unknown-thread': {
    request: ask({ thread_id: 'thrd_gone' }),
    sees: { empty: showing(0, 0), 'not-found': refusedWith(404) },
    quiet: [messagesOf('Thanks'), ask({ agent: 'Night_Shift.bot-1' })],
  },
} satisfies Partial<GapCases>
