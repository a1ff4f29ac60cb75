import type { AttachmentEntry, Message, Simulator } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { answerTo, get } from './office.js'

type Agent = 'eva' | 'tom'

/** Something that happens in the office; numbers choose among the threads of the moment. */
export type WorldEvent =
  | {
      readonly what: 'receive'
      readonly agent: Agent
      /** A thread it joins; null begins one. */
      readonly thread: number | null
      readonly words: readonly ('text' | 'html')[]
      readonly file: boolean
      readonly hoursAgo: number
    }
  | { readonly what: 'send'; readonly agent: Agent; readonly thread: number }
  | { readonly what: 'mark'; readonly thread: number; readonly unread: boolean }
  | { readonly what: 'subscribe'; readonly agent: Agent | null; readonly token: boolean }
  | { readonly what: 'hire'; readonly handle: string }
  | { readonly what: 'list'; readonly thread: number }
  | { readonly what: 'look' }
  | { readonly what: 'wait'; readonly minutes: number }
  | { readonly what: 'hurry'; readonly requests: number }

const agent = fc.constantFrom<Agent>('eva', 'tom')
const thread = fc.nat(9)

/** Any short run of happenings. */
export const anyStory: fc.Arbitrary<WorldEvent[]> = fc.array(
  fc.oneof(
    fc.record({
      what: fc.constant('receive' as const),
      agent,
      thread: fc.option(thread),
      words: fc.subarray(['text', 'html'] as const),
      file: fc.boolean(),
      hoursAgo: fc.constantFrom(0, 0, 40, 3000),
    }),
    fc.record({ what: fc.constant('send' as const), agent, thread }),
    fc.record({ what: fc.constant('mark' as const), thread, unread: fc.boolean() }),
    fc.record({ what: fc.constant('subscribe' as const), agent: fc.option(agent), token: fc.boolean() }),
    fc.record({ what: fc.constant('hire' as const), handle: fc.constantFrom('EVA', 'Tom', 'nobody') }),
    fc.record({ what: fc.constant('list' as const), thread }),
    fc.record({ what: fc.constant('look' as const) }),
    fc.record({ what: fc.constant('wait' as const), minutes: fc.nat(600) }),
  ),
  { maxLength: 5 },
)

/** What requests can be about, once a story has been played. */
export interface Cast {
  readonly threads: Readonly<Record<Agent, string[]>>
  /** Paths of the stored files. */
  readonly files: string[]
}

/** The cast before anything happens, as the service shows it under the default readings. */
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

/** Has everything happen, in order, and gives the cast at the end. */
export async function play(simulator: Simulator, story: readonly WorldEvent[], opening: Cast): Promise<Cast> {
  const { eva, tom } = opening.threads
  const cast = { threads: { eva: [...eva], tom: [...tom] }, files: [...opening.files] }
  for (const happening of story) await happen(simulator, happening, cast)
  return cast
}

async function happen(simulator: Simulator, happening: WorldEvent, cast: Cast): Promise<void> {
  switch (happening.what) {
    case 'receive':
      return receive(simulator, happening, cast)
    case 'send': {
      const thread = pick(cast.threads[happening.agent], happening.thread)
      await simulator.mail.send({ from: happening.agent, to: 'ann@shop.example', thread, text: 'Soon.' })
      return
    }
    case 'mark': {
      const id = pick(everyThread(cast), happening.thread)
      return void (happening.unread ? simulator.threads.markUnread(id) : simulator.threads.markRead(id))
    }
    case 'subscribe':
      return void simulator.webhooks.create({
        url: 'https://hooks.example/new',
        events: ['message.received'],
        ...(happening.agent !== null && { agentHandle: happening.agent }),
        ...(happening.token && { authToken: 'token' }),
      })
    case 'hire':
      if (simulator.identities.list().some(({ agent_handle }) => agent_handle === happening.handle)) return
      simulator.identities.create({
        handle: happening.handle,
        mailboxAddress: `${happening.handle}@new.example`,
      })
      return
    case 'list':
      await answerTo(simulator, get(`/mail/messages?thread_id=${pick(everyThread(cast), happening.thread)}`))
      return
    case 'look':
      for (const path of ['/mail/threads', '/mail/messages', '/webhooks'])
        await answerTo(simulator, get(path))
      return
    case 'wait':
      return simulator.clock.advance(happening.minutes * 60_000)
    case 'hurry':
      for (let count = 0; count < happening.requests; count++) await answerTo(simulator, get('/identities/x'))
  }
}

type Received = Extract<WorldEvent, { what: 'receive' }>

async function receive(simulator: Simulator, happening: Received, cast: Cast): Promise<void> {
  const { agent, thread, words, file, hoursAgo } = happening
  const threads = cast.threads[agent]
  const stored = await simulator.mail.receive({
    to: agent,
    at: new Date(Date.parse(simulator.clock.now()) - hoursAgo * 3_600_000).toISOString(),
    ...(thread === null ? { subject: 'New' } : { thread: pick(threads, thread) }),
    ...(words.includes('text') && { text: 'Hello' }),
    ...(words.includes('html') && { html: '<p>Hello</p>' }),
    ...(file && { attachments: [{ filename: 'c.txt', content: 'dGhpcmQ=', contentType: 'text/plain' }] }),
  })
  if (!threads.includes(stored.thread.id)) threads.push(stored.thread.id)
  cast.files.push(...pathsOf(simulator, stored.message.attachments))
}

function everyThread({ threads }: Cast): string[] {
  return [...threads.eva, ...threads.tom]
}

function pick(ids: readonly string[], number: number): string {
  return ids[number % ids.length] as string
}

function pathsOf({ baseUrl }: Simulator, entries: readonly AttachmentEntry[]): string[] {
  return entries.map(({ url, download_url }) => (url ?? download_url ?? '').slice(baseUrl.length))
}

/** A path with what `thread#3` and `file#1` stand for after a story. */
export function withCast(path: string, cast: Cast): string {
  return path
    .replace(/thread#(\d)/g, (_, number) => pick(everyThread(cast), Number(number)))
    .replace(/file#(\d)/g, (_, number) => pick(cast.files, Number(number)))
}
