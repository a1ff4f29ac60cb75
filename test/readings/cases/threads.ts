import { expect } from 'vitest'
import { type Mailbox, messagesPath, threadsPath } from '../../conformance/mailbox.js'
import { keys } from '../../conformance/scenario.js'
import type { Answer } from '../../conformance/transport.js'
import { messagesOf } from '../asked.js'
import type { GapCases, Scene } from '../gap-case.js'
import { messagesIn, threadsIn } from '../seen.js'

const conversation = 'Where is my lamp?'
const ofEva = { path: threadsPath({ agent: 'eva' }) }
const ofRival = { path: threadsPath(), key: keys.other }

async function reply(mailbox: Mailbox): Promise<void> {
  const { id, unread } = await mailbox.thread(conversation)
  expect(unread).toBe(true)
  await mailbox.simulator.mail.send({ from: 'eva', to: 'ann@shop.example', thread: id, text: 'My pleasure.' })
}

/** Asserts that the messages were listed, and whether the thread is unread afterwards. */
const listedAndThen =
  (unread: boolean) =>
  async (answer: Answer, { mailbox }: Scene) => {
    expect(messagesIn(answer)).toHaveLength(3)
    expect((await mailbox.thread(conversation)).unread).toBe(unread)
  }

/** Asserts fields of the conversation in the list of threads. */
const shows = (fields: object) => (answer: Answer) => {
  const thread = threadsIn(answer).find(({ subject }) => subject === conversation)
  expect(thread).toMatchObject(fields)
}

/** Silent points of a thread itself. */
export const threadCases = {
  'threads.unread-after-read': {
    prepare: async (mailbox) => expect((await mailbox.thread(conversation)).unread).toBe(true),
    request: messagesOf(conversation),
    sees: { 'stays-unread': listedAndThen(true), 'becomes-read': listedAndThen(false) },
    quiet: [messagesOf('Thanks'), messagesOf(conversation, 'max'), { path: messagesPath({ agent: 'eva' }) }],
  },
  'threads.unread-after-reply': {
    prepare: reply,
    request: ofEva,
    sees: {
      'stays-unread': shows({ unread: true, message_count: 4 }),
      'becomes-read': shows({ unread: false, message_count: 4 }),
    },
    quiet: [{ path: threadsPath({ agent: 'max' }) }, ofRival],
  },
  'threads.snippet': {
    request: ofEva,
    sees: {
      latest: shows({ snippet: 'Thank you!' }),
      first: shows({ snippet: expect.stringMatching(/^Hello, where is my lamp\?/) }),
    },
    quiet: [ofRival],
  },
} satisfies Partial<GapCases>
