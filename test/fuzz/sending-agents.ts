import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { type Desk, hook, listen, listenOnce, type PlantedBug, posting, type SeenMessage } from './desk.js'

/** A desk from which agents send mail; the last mail that it receives is a newsletter. */
export const sendingDesk: ScenarioInput = {
  scenario: 'sending',
  seed: 7,
  extend: 'common',
  assume: { 'common.idempotency': 'replayed', 'messages.headers': 'object' },
  identities: [
    {
      handle: 'support',
      threads: ['ann', 'bo', 'cy'].map((name) => {
        const mail = { from: `${name} <${name}@example.com>`, at: '-3h', text: 'Where is my parcel?' }
        return { key: name, subject: `A question of ${name}`, messages: [mail] }
      }),
    },
  ],
  webhooks: [{ url: hook, events: ['message.received'] }],
  timeline: [
    { after: '10s', receive: { to: 'support', thread: 'ann', text: 'Any news?' } },
    { after: '30s', receive: { to: 'support', thread: 'bo', text: 'And here?' } },
    {
      after: '50s',
      receive: {
        to: 'support',
        thread: 'news',
        from: 'News <news@example.com>',
        subject: 'News',
        text: 'Read this.',
        headers: { 'List-Id': 'News <news.example.com>' },
      },
    },
  ],
}

/** Answers the newest message of each thread unless the agent or a program wrote it. */
async function answerAll(desk: Desk, answer: (asked: SeenMessage) => Promise<unknown>): Promise<void> {
  for (const id of (await desk.all()).keys()) {
    const newest = await desk.newest(id)
    if (newest?.direction !== 'inbound' || isAutomatic(newest)) continue
    // Continues with the next thread after a failure.
    await answer(newest).catch(() => undefined)
  }
}

/** Sends something, and a second time if the answer is a failure or lost. */
async function twice(desk: Desk, send: (attempt: number) => Promise<Response>): Promise<void> {
  const first = await send(1).catch(() => undefined)
  if (first?.ok) return
  await desk.wait(1000 * Number(first?.headers.get('retry-after') ?? 0))
  await send(2)
}

/** Answers all mail; `answer` does it for one message. */
const sending = (
  name: string,
  answer: (desk: Desk, asked: SeenMessage, isCareful: boolean) => Promise<unknown>,
): PlantedBug => ({
  name,
  scene: 'sending',
  elements: 1,
  act: (desk, isCareful) => answerAll(desk, (asked) => answer(desk, asked, isCareful)),
})

/** Returns whether a program or a list sent a mail, according to its header. */
function isAutomatic({ headers }: SeenMessage): boolean {
  const marks = ['auto-submitted', 'precedence', 'list-id']
  const fields = Object(headers) as Readonly<Record<string, unknown>>
  return fields['return-path'] === '<>' || marks.some((name) => name in fields)
}

/** Agents that send mail by operations of the extension common. */
export const sendingBugs: readonly PlantedBug[] = [
  sending('answers-again-after-a-lost-answer', (desk, { id }, isCareful) => {
    return twice(desk, () => desk.reply(id, 'It is on its way.', isCareful ? `answer to ${id}` : undefined))
  }),
  sending('takes-another-key-to-answer-again', (desk, { id }, isCareful) => {
    return twice(desk, (attempt) => desk.reply(id, 'It is on its way.', isCareful ? id : `${id} ${attempt}`))
  }),
  sending('answers-again-without-looking', (desk, { id, thread_id }, isCareful) => {
    return twice(desk, async (attempt) => {
      const isSent = attempt > 1 && isCareful && (await desk.newest(thread_id))?.direction === 'outbound'
      return isSent ? new Response() : desk.reply(id, 'It is on its way.')
    })
  }),
  sending('answers-its-own-answer', (desk, { id, thread_id }, isCareful) => {
    return twice(desk, async (attempt) => {
      const newest = attempt === 1 ? undefined : await desk.newest(thread_id)
      if (isCareful && newest?.direction === 'outbound') return new Response()
      return desk.reply(newest?.id ?? id, 'It is on its way.')
    })
  }),
  {
    name: 'reports-again-after-a-lost-answer',
    scene: 'sending',
    elements: 1,
    async act(desk, isCareful) {
      const { size } = await desk.all()
      const report = { agent: 'support', to: 'boss@example.com', subject: 'Today', text: `${size} threads` }
      await twice(desk, () => desk.send('/mail/messages', posting(report, isCareful ? 'today' : undefined)))
    },
  },
  {
    name: 'answers-news-that-it-cannot-read',
    scene: 'sending',
    elements: 1,
    act: (desk, isCareful) => {
      return listen(desk, async ({ data }) => {
        const path = `/mail/messages/${data.message_id}`
        const read = isCareful ? await desk.get<SeenMessage>(path) : await desk.send(path)
        const message = read instanceof Response ? (read.ok ? await read.json() : {}) : read
        if (!isAutomatic(message)) await desk.reply(data.message_id ?? '', 'Thank you.', data.message_id)
      })
    },
  },
  {
    name: 'answers-repeated-events',
    scene: 'sending',
    elements: 1,
    act: (desk, isCareful) => {
      return listenOnce(desk, isCareful, async ({ data }) => {
        const message = await desk.get<SeenMessage>(`/mail/messages/${data.message_id}`)
        if (!isAutomatic(message)) await desk.reply(message.id, 'Thank you.')
      })
    },
  },
]
