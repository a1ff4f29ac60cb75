import fc from 'fast-check'
import type { GapId, Readings } from '../../../src/contract/gaps.js'
import { readingsOf } from '../../../src/contract/gaps.js'
import type { CommandOf } from '../../../src/world/commands/index.js'
import type { World } from '../../../src/world/world.js'
import { annsMail } from '../world/small-world.js'
import { hookOf, receiving, type Subscribing, sent, subscribe } from './hooked-world.js'

/** Something that happens to mail of the small world, or that somebody does about its deliveries. */
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

/** How a receiver answers: after some time on the wall, with a status, asking for some time before the next attempt. */
export interface Answer {
  readonly status: number
  readonly asks: string | null
  readonly after: number
}

/** What happens, and how receivers answer. */
export interface MailStory {
  readonly happenings: readonly WorldEvent[]
  /** Which of them answers what is settled by the event and the number of the attempt. */
  readonly answers: readonly Answer[]
}

/** The subscriptions of these stories: of every scope, with a token and without. */
export const subscriptions: readonly Subscribing[] = [
  { name: 'all', token: 's3cret-token' },
  { name: 'support', scope: 'support', events: ['message.received', 'message.bounced'] },
  { name: 'sales', scope: 'sales' },
]

const happening: fc.Arbitrary<WorldEvent> = fc.oneof(
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

/** Any short story of mail, with answers that take these times. */
export function anyMailStory(times: readonly number[] = [0]): fc.Arbitrary<MailStory> {
  const answer = fc.record({
    status: fc.constantFrom(200, 200, 204, 410, 500),
    asks: fc.constantFrom(null, null, '120', 'Mon, 05 Jan 2026 10:00:00 GMT'),
    after: fc.constantFrom(...times),
  })
  return fc.record({
    happenings: fc.array(happening, { minLength: 1, maxLength: 5 }),
    answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  })
}

/** Any reading for each of these gaps; about half of them are left at the default. */
export function anyReadingsOf(gaps: readonly GapId[]): fc.Arbitrary<Partial<Readings>> {
  const names = gaps.map((gap) => [gap, fc.constantFrom(...readingsOf(gap).map(({ name }) => name))])
  return fc.record(Object.fromEntries(names), { requiredKeys: [] })
}

/** Has a small world begin anew with these subscriptions, readings and receivers, which do `first` before they answer. */
export function beginMailStory(
  world: World,
  { answers }: MailStory,
  readings: Partial<Readings>,
  first: () => Promise<void> = async () => undefined,
): void {
  world.reset()
  subscribe(world, subscriptions)
  world.setReadings(readings)
  for (const { name } of subscriptions) {
    const attempts = new Map<string, number>()
    receiving(world, name, async (_request, _n, body) => {
      // What tells the event in whatever shape it comes.
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

/** Has everything happen; `pass` has time go by. */
export async function playMail(
  world: World,
  { happenings }: MailStory,
  pass: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  for (const [index, each] of happenings.entries()) {
    if (each.what === 'wait') await pass(each.milliseconds)
    else if (each.what === 'redeliver') redeliver(world, each.which)
    else world.apply(commandOf(each, index))
  }
}

function redeliver(world: World, which: number): void {
  // Those of a subscription that is told of everything are the same whatever the readings.
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
