import type { AttachmentEntry, Message, Simulator } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { answerTo, get } from './office.js'

type Agent = 'eva' | 'tom'

/** An event in the office; numbers select threads, and each kind uses some of the fields. */
export interface WorldEvent {
  readonly what: keyof typeof events
  readonly agent?: Agent | null
  /** The thread that a mail joins; null creates one. */
  readonly thread?: number | null
  readonly number?: number
  readonly words?: readonly ('text' | 'html')[]
  readonly flag?: boolean
  readonly handle?: string
}

const events = {
  async receive(simulator: Simulator, cast: Cast, event: WorldEvent) {
    const { agent, thread, words = [], flag: file, number: hoursAgo = 0 } = event
    const threads = cast.threads[agent ?? 'eva']
    const stored = await simulator.mail.receive({
      to: agent ?? 'eva',
      at: new Date(Date.parse(simulator.clock.now()) - hoursAgo * 3_600_000).toISOString(),
      ...(thread === null ? { subject: 'New' } : { thread: pick(threads, thread) }),
      ...(words.includes('text') && { text: 'Hello' }),
      ...(words.includes('html') && { html: '<p>Hello</p>' }),
      ...(file && { attachments: [{ filename: 'c.txt', content: 'dGhpcmQ=', contentType: 'text/plain' }] }),
    })
    if (!threads.includes(stored.thread.id)) threads.push(stored.thread.id)
    cast.files.push(...pathsOf(simulator, stored.message.attachments))
  },
  async bounce(simulator: Simulator, cast: Cast, { agent, flag: isNamed }: WorldEvent) {
    const eml = `From: ${isNamed ? 'MAILER-DAEMON ' : ''}<>\r\nSubject: Undelivered\r\n\r\nNobody`
    const { thread } = await simulator.mail.receive({ to: agent ?? 'eva', eml })
    cast.threads[agent ?? 'eva'].push(thread.id)
  },
  send(simulator: Simulator, cast: Cast, { agent, thread }: WorldEvent) {
    const from = agent ?? 'eva'
    return simulator.mail.send({
      from,
      to: 'ann@shop.example',
      thread: pick(cast.threads[from], thread),
      text: 'Soon.',
    })
  },
  mark({ threads }: Simulator, cast: Cast, { thread, flag: unread }: WorldEvent) {
    const id = pick(everyThread(cast), thread)
    return unread ? threads.markUnread(id) : threads.markRead(id)
  },
  subscribe({ webhooks }: Simulator, _: Cast, { agent, flag: token }: WorldEvent) {
    return webhooks.create({
      url: 'https://hooks.example/new',
      events: ['message.received'],
      ...(agent && { agentHandle: agent }),
      ...(token && { authToken: 'token' }),
    })
  },
  create({ identities }: Simulator, _: Cast, { handle = '' }: WorldEvent) {
    if (identities.list().some(({ agent_handle }) => agent_handle === handle)) return
    identities.create({ handle, mailboxAddress: `${handle}@new.example` })
  },
  list(simulator: Simulator, cast: Cast, { thread }: WorldEvent) {
    return answerTo(simulator, get(`/mail/messages?thread_id=${pick(everyThread(cast), thread)}`))
  },
  async look(simulator: Simulator) {
    for (const path of ['/mail/threads', '/mail/messages', '/webhooks']) await answerTo(simulator, get(path))
  },
  wait({ clock }: Simulator, _: Cast, { number = 0 }: WorldEvent) {
    return clock.advance(number * 60_000)
  },
  async requests(simulator: Simulator, _: Cast, { number = 0 }: WorldEvent) {
    for (let count = 0; count < number; count++) await answerTo(simulator, get('/identities/x'))
  },
}

type Kind = WorldEvent['what']
const kind = (what: Kind) => fc.constant(what)
const agent = fc.constantFrom<Agent[]>('eva', 'tom')
const thread = fc.nat(9)

/** Any short series of events. */
export const anyStory: fc.Arbitrary<WorldEvent[]> = fc.array(
  fc.oneof(
    fc.record({
      what: kind('receive'),
      agent,
      thread: fc.option(thread),
      words: fc.subarray(['text', 'html'] as const),
      flag: fc.boolean(),
      number: fc.constantFrom(0, 0, 40, 3000),
    }),
    fc.record({ what: kind('bounce'), agent, flag: fc.boolean() }),
    fc.record({ what: kind('send'), agent, thread }),
    fc.record({ what: kind('mark'), thread, flag: fc.boolean() }),
    fc.record({ what: kind('subscribe'), agent: fc.option(agent), flag: fc.boolean() }),
    fc.record({ what: kind('create'), handle: fc.constantFrom('EVA', 'Tom', 'nobody') }),
    fc.record({ what: kind('list'), thread }),
    fc.record({ what: kind('look') }),
    fc.record({ what: kind('wait'), number: fc.nat(600) }),
  ),
  { maxLength: 5 },
)

/** The ids and paths that requests can refer to. */
export interface Cast {
  readonly threads: Readonly<Record<Agent, string[]>>
  /** Paths of the stored files. */
  readonly files: string[]
}

/** Returns the ids and paths at the start, under the default assumptions. */
export async function openingCast(simulator: Simulator): Promise<Cast> {
  const cast: Cast = { threads: { eva: [], tom: [] }, files: [] }
  for (const agent of ['eva', 'tom'] as const) {
    const answer = await answerTo(simulator, get(`/mail/messages?agent=${agent}&limit=100`))
    const { messages } = JSON.parse(answer.slice(answer.indexOf('\n\n'))) as { messages: Message[] }
    cast.threads[agent].push(...new Set(messages.map(({ thread_id }) => thread_id)))
    cast.files.push(...messages.flatMap((message) => pathsOf(simulator, message.attachments)))
  }
  return cast
}

/** Plays all events in order and returns the ids and paths at the end. */
export async function play(simulator: Simulator, story: readonly WorldEvent[], opening: Cast): Promise<Cast> {
  const { eva, tom } = opening.threads
  const cast = { threads: { eva: [...eva], tom: [...tom] }, files: [...opening.files] }
  for (const event of story) await events[event.what](simulator, cast, event)
  return cast
}

function everyThread({ threads }: Cast): string[] {
  return [...threads.eva, ...threads.tom]
}

function pick(ids: readonly string[], number: number | null | undefined): string {
  return ids[(number ?? 0) % ids.length] as string
}

function pathsOf({ baseUrl }: Simulator, entries: readonly AttachmentEntry[]): string[] {
  return entries.map(({ url, download_url }) => (url ?? download_url ?? '').slice(baseUrl.length))
}

/** Replaces `thread#3` and `file#1` in a path with ids of the story. */
export function withCast(path: string, cast: Cast): string {
  return path
    .replace(/thread#(\d)/g, (_, number) => pick(everyThread(cast), Number(number)))
    .replace(/file#(\d)/g, (_, number) => pick(cast.files, Number(number)))
}
