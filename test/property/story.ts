import fc from 'fast-check'
import { getResponse } from 'msw'
import type { Message, ScenarioInput, Simulator, Thread, Webhook } from '../../src/index.js'

/** Two agents with a little mail, for stories to happen to. */
export const smallOffice: ScenarioInput = {
  scenario: 'small-office',
  identities: [
    { handle: 'eva', generate: { threads: 12, messages: [1, 4], over: '20d' } },
    { handle: 'tom', generate: { threads: 5, messages: [1, 3], over: '20d' } },
  ],
  webhooks: [{ url: 'http://127.0.0.1:8787/hook', events: ['message.received'], agent_handle: 'eva' }],
}

/** Something that happens to a simulator; numbers choose among what is there. */
export type WorldEvent =
  | {
      readonly what: 'receive' | 'send'
      readonly agent: 'eva' | 'tom'
      readonly answers: number | null
      readonly hoursAgo: number
    }
  | { readonly what: 'mark-read' | 'mark-unread'; readonly thread: number }
  | { readonly what: 'rename'; readonly agent: 'eva' | 'tom'; readonly name: string }
  | { readonly what: 'wait'; readonly minutes: number }

const agent = fc.constantFrom('eva' as const, 'tom' as const)

/** Any short run of happenings. */
export const happenings: fc.Arbitrary<WorldEvent[]> = fc.array(
  fc.oneof(
    fc.record({
      what: fc.constantFrom('receive' as const, 'send' as const),
      agent,
      answers: fc.option(fc.nat(1000)),
      hoursAgo: fc.constantFrom(0, 0, 0, 5, 3000),
    }),
    fc.record({ what: fc.constantFrom('mark-read' as const, 'mark-unread' as const), thread: fc.nat(1000) }),
    fc.record({ what: fc.constant('rename' as const), agent, name: fc.string({ unit: 'grapheme' }) }),
    fc.record({ what: fc.constant('wait' as const), minutes: fc.nat(600) }),
  ),
  { maxLength: 25 },
)

/** Has everything happen, in order. */
export async function play(simulator: Simulator, story: readonly WorldEvent[]): Promise<void> {
  for (const happening of story) await happen(simulator, happening)
}

async function happen(simulator: Simulator, happening: WorldEvent): Promise<void> {
  if (happening.what === 'wait') return simulator.clock.advance(happening.minutes * 60_000)
  if (happening.what === 'rename') {
    await request(simulator, 'PATCH', `/identities/${happening.agent}`, { display_name: happening.name })
    return
  }
  const { threads, messages } = await everything(simulator)
  if ('thread' in happening) {
    const { id } = threads[happening.thread % threads.length] as Thread
    if (happening.what === 'mark-read') simulator.threads.markRead(id)
    else simulator.threads.markUnread(id)
    return
  }
  const own = messages[happening.agent]
  const answered = happening.answers === null ? undefined : own[happening.answers % own.length]?.id
  const at = new Date(Date.parse(simulator.clock.now()) - happening.hoursAgo * 3_600_000).toISOString()
  const mail = {
    text: 'Hello',
    at,
    ...(answered === undefined ? { subject: 'New' } : { inReplyTo: answered }),
  }
  if (happening.what === 'receive') await simulator.mail.receive({ to: happening.agent, ...mail })
  else await simulator.mail.send({ from: happening.agent, to: 'ann@mail.example', ...mail })
}

/** Asks the service, as an agent would, through its handlers. */
export async function request(
  simulator: Simulator,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const headers = { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await getResponse(
    simulator.handlers,
    new Request(`http://mailbox.test/api/v1${path}`, init),
  )
  return (await response?.text()) ?? ''
}

/** Everything the service shows, newest first. */
export interface Everything {
  readonly threads: readonly Thread[]
  readonly messages: { readonly eva: readonly Message[]; readonly tom: readonly Message[] }
  readonly webhooks: readonly Webhook[]
  /** The bytes it was read from. */
  readonly bytes: string
}

/** Reads everything the service shows; a simulator under test has `messages.limit-maximum` at `none`. */
export async function everything(simulator: Simulator): Promise<Everything> {
  const pages = await Promise.all([
    request(simulator, 'GET', '/mail/threads?limit=100'),
    request(simulator, 'GET', '/mail/messages?agent=eva&limit=5000'),
    request(simulator, 'GET', '/mail/messages?agent=tom&limit=5000'),
    request(simulator, 'GET', '/webhooks'),
    request(simulator, 'GET', '/identities/eva'),
    request(simulator, 'GET', '/identities/tom'),
  ])
  const [threads, eva, tom, webhooks] = pages.map((page) => JSON.parse(page))
  return {
    threads: threads.threads,
    messages: { eva: eva.messages, tom: tom.messages },
    webhooks: webhooks.webhooks,
    bytes: pages.join('\n'),
  }
}
