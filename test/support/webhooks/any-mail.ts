import fc from 'fast-check'
import { type Assumptions, assumptionsOf, type GapId } from '../../../src/contract/gaps.js'
import type { CommandOf } from '../../../src/service/world/commands/commands.js'
import type { World } from '../../../src/service/world/world.js'
import { annsMail } from '../world/small-world.js'
import { hookOf, receiving, type Subscribing, sent, subscribe } from './hooked-world.js'

/** An event of mail in the small world, or a redelivery. */
export type WorldEvent =
  | {
      readonly what: 'receive'
      readonly agent: 'support' | 'sales'
      readonly words: boolean
      readonly file: boolean
    }
  | { readonly what: 'send' }
  | { readonly what: 'outcome'; readonly type: 'deliver-message' | 'bounce-message'; readonly named: boolean }
  | { readonly what: 'redeliver'; readonly which: number }
  | { readonly what: 'wait'; readonly milliseconds: number }

/** An answer of a receiver: its wall time, status and Retry-After. */
export interface Answer {
  readonly status: number
  readonly asks: string | null
  readonly after: number
}

/** Events and the answers of receivers. */
export interface MailStory {
  readonly events: readonly WorldEvent[]
  /** The event and the number of the attempt select the answer. */
  readonly answers: readonly Answer[]
}

/** The subscriptions of these stories: with every scope, with and without a token. */
export const subscriptions: readonly Subscribing[] = [
  { name: 'all', token: 's3cret-token' },
  { name: 'support', scope: 'support', events: ['message.received', 'message.bounced'] },
  { name: 'sales', scope: 'sales' },
]

const anyEvent: fc.Arbitrary<WorldEvent> = fc.oneof(
  fc.record({
    what: fc.constant('receive' as const),
    agent: fc.constantFrom('support' as const, 'sales' as const),
    words: fc.boolean(),
    file: fc.boolean(),
  }),
  fc.constant({ what: 'send' as const }),
  fc.record({
    what: fc.constant('outcome' as const),
    type: fc.constantFrom('deliver-message' as const, 'bounce-message' as const),
    named: fc.boolean(),
  }),
  fc.record({ what: fc.constant('redeliver' as const), which: fc.nat(3) }),
  fc.record({
    what: fc.constant('wait' as const),
    milliseconds: fc.constantFrom(0, 100, 300, 20_000, 600_000),
  }),
)

/** Generates short stories of mail with answers that take these times. */
export function anyMailStory(times: readonly number[] = [0]): fc.Arbitrary<MailStory> {
  const answer = fc.record({
    status: fc.constantFrom(200, 200, 204, 410, 500),
    asks: fc.constantFrom(null, null, '120', 'Mon, 05 Jan 2026 10:00:00 GMT'),
    after: fc.constantFrom(...times),
  })
  return fc.record({
    events: fc.array(anyEvent, { minLength: 1, maxLength: 5 }),
    answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  })
}

/** Generates assumptions of these gaps, with about half of them at the default. */
export function anyAssumptionsOf(gaps: readonly GapId[]): fc.Arbitrary<Partial<Assumptions>> {
  const names = gaps.map((gap) => [gap, fc.constantFrom(...assumptionsOf(gap).map(({ name }) => name))])
  return fc.record(Object.fromEntries(names), { requiredKeys: [] })
}

/** Restarts a small world with these subscriptions, assumptions and receivers, which call `first` before they answer. */
export function beginMailStory(
  world: World,
  { answers }: MailStory,
  assumptions: Partial<Assumptions>,
  first: () => Promise<void> = async () => undefined,
): void {
  world.reset()
  subscribe(world, subscriptions)
  world.setAssumptions(assumptions)
  for (const { name } of subscriptions) {
    const attempts = new Map<string, number>()
    receiving(world, name, async (_request, _n, body) => {
      // Identifies the event in any format of the body.
      const event =
        body
          .match(/message\.\w+|msg_\w+|r\d@\w+/g)
          ?.toSorted()
          .join() ?? ''
      const number = attempts.get(event) ?? 0
      attempts.set(event, number + 1)
      const { status, asks, after } = answers[(lettersOf(event + name) + number) % answers.length] as Answer
      await first()
      if (after > 0) await new Promise((resolve) => setTimeout(resolve, after))
      return new Response(null, { status, headers: asks === null ? {} : { 'retry-after': asks } })
    })
  }
}

function lettersOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
}

/** Plays the events; `pass` lets time pass. */
export async function playMail(
  world: World,
  { events }: MailStory,
  pass: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  for (const [index, each] of events.entries()) {
    if (each.what === 'wait') await pass(each.milliseconds)
    else if (each.what === 'redeliver') redeliver(world, each.which)
    else world.apply(commandOf(each, index))
  }
}

function redeliver(world: World, which: number): void {
  // The deliveries of a subscription to everything do not depend on the assumptions.
  const deliveries = world.deliveries.list({ url: hookOf('all') })
  const delivery = deliveries[which % Math.max(1, deliveries.length)]
  if (delivery) void world.deliveries.redeliver(delivery.id)
}

type Applied = CommandOf<'receive-message' | 'send-message' | 'deliver-message' | 'bounce-message'>

function commandOf(
  each: Exclude<WorldEvent, { what: 'wait' | 'redeliver' }>,
  index: number,
): Applied & { type: 'receive-message' } {
  return commandFor(each, index) as Applied & { type: 'receive-message' }
}

function commandFor(each: Exclude<WorldEvent, { what: 'wait' | 'redeliver' }>, index: number): Applied {
  switch (each.what) {
    case 'receive': {
      const attachments = each.file ? [{ filename: 'a.txt', content: 'aGVsbG8=' }] : []
      const text = each.words ? `Mail ${index}` : null
      return annsMail({
        identity_id: `ident_${each.agent}`,
        text,
        html: each.words ? '<p>Mail</p>' : null,
        attachments,
      })
    }
    case 'send':
      return sent
    case 'outcome':
      return {
        type: each.type,
        message_id: 'msg_second',
        recipient: each.named ? `r${index % 10}@shop.example` : null,
      }
  }
}
