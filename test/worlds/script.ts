import { type Fault, gaps } from 'agent-mailbox-sim'
import fc from 'fast-check'

/** The agents of the story; each of the two clients of a world works for one of them. */
export const agents = ['eva', 'tom'] as const

type Agent = (typeof agents)[number]

/** A request a client makes; numbers choose among what it has seen so far. */
export type Ask =
  | { readonly ask: 'threads' | 'messages'; readonly agent: Agent | null; readonly limit: number }
  | { readonly ask: 'thread'; readonly thread: number }
  | { readonly ask: 'identity'; readonly agent: Agent }
  | { readonly ask: 'rename'; readonly agent: Agent; readonly name: string }
  | { readonly ask: 'file'; readonly file: number }
  | { readonly ask: 'webhooks' }
  | { readonly ask: 'stray'; readonly path: string }

/** Something that is done to a world from outside. */
export type Deed =
  | {
      readonly deed: 'receive'
      readonly agent: Agent
      readonly answers: number | null
      readonly file: string | null
    }
  | { readonly deed: 'send'; readonly agent: Agent; readonly answers: number | null }
  | { readonly deed: 'mark'; readonly thread: number; readonly unread: boolean }
  | { readonly deed: 'advance'; readonly minutes: number }
  | { readonly deed: 'fault'; readonly fault: Fault }
  | { readonly deed: 'clear-faults' }
  | { readonly deed: 'readings'; readonly readings: Readonly<Record<string, string>> }
  | { readonly deed: 'hire' | 'fire'; readonly handle: string }
  | { readonly deed: 'subscribe'; readonly port: number }
  | { readonly deed: 'keep' | 'restore' | 'reset' }

/** What one client does: it asks, or a hand that holds the simulator does something. */
export type Act = Ask | Deed

/**
 * A stretch of what happens in a world: first things whose order counts, one after another, whichever client they
 * are; then what each client does with its own agent at its own pace.
 */
export interface Stretch {
  readonly inTurn: readonly { readonly client: 0 | 1; readonly act: Act }[]
  readonly apart: readonly [readonly Act[], readonly Act[]]
}

const agent = fc.constantFrom(...agents)
const limit = fc.constantFrom(1, 2, 5, 50)
const some = fc.nat(1000)

const anyAsk: fc.Arbitrary<Ask> = fc.oneof(
  fc.record({
    ask: fc.constantFrom('threads' as const, 'messages' as const),
    agent: fc.option(agent),
    limit,
  }),
  fc.record({ ask: fc.constant('thread' as const), thread: some }),
  fc.record({ ask: fc.constant('identity' as const), agent }),
  fc.record({
    ask: fc.constant('rename' as const),
    agent,
    name: fc.string({ unit: 'grapheme', maxLength: 8 }),
  }),
  fc.record({ ask: fc.constant('file' as const), file: some }),
  fc.record({ ask: fc.constant('webhooks' as const) }),
  fc.record({
    ask: fc.constant('stray' as const),
    path: fc.constantFrom('/mail/thread', '/', '/identities/nobody'),
  }),
)

const effect: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ status: fc.constantFrom(429, 500, 503), retry_after: fc.constantFrom(3, '1m') }),
  fc.record({ truncate: fc.nat(40) }),
  fc.constant<Fault>({ malformed: true }),
  fc.constant<Fault>({ empty: true }),
  fc.constant<Fault>({ reset: true }),
  fc.constant<Fault>({ delay: ['1ms', '5ms'] }),
  fc.constant<Fault>({ drip: '5ms' }),
)

const when: fc.Arbitrary<Fault> = fc.record(
  {
    after: fc.nat(2),
    times: fc.integer({ min: 1, max: 3 }),
    probability: fc.double({ min: 0.2, max: 0.8, noNaN: true }),
  },
  { requiredKeys: [] },
)

const fault = (which: fc.Arbitrary<Fault>): fc.Arbitrary<Deed> =>
  fc.tuple(which, when, effect).map((parts) => ({ deed: 'fault', fault: Object.assign({}, ...parts) }))

/** Every gap but the limit of requests, which a test of many requests would only run into. */
const reading = fc
  .constantFrom(...Object.entries(gaps).filter(([gap]) => gap !== 'limits.rate'))
  .chain(([gap, { readings }]) => fc.constantFrom(...readings).map(({ name }) => [gap, name] as const))

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    deed: fc.constant('receive' as const),
    agent,
    answers: fc.option(some),
    file: fc.option(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })),
  }),
  fc.record({ deed: fc.constant('send' as const), agent, answers: fc.option(some) }),
  fc.record({ deed: fc.constant('mark' as const), thread: some, unread: fc.boolean() }),
  fc.record({ deed: fc.constant('advance' as const), minutes: fc.nat(90) }),
  fault(fc.record({ operation: fc.constantFrom('threads.list' as const, 'messages.list' as const) })),
  fc.record({
    deed: fc.constant('readings' as const),
    readings: fc.array(reading, { minLength: 1, maxLength: 3 }).map((chosen) => Object.fromEntries(chosen)),
  }),
  fc.record({ deed: fc.constant('hire' as const), handle: fc.constantFrom('joe', 'amy', 'eva') }),
  fc.record({ deed: fc.constant('fire' as const), handle: fc.constantFrom('joe', 'amy', 'zoe') }),
  fc.record({ deed: fc.constantFrom('keep' as const, 'restore' as const) }),
  fc.record({ deed: fc.constant('subscribe' as const), port: fc.integer({ min: 1024, max: 1030 }) }),
)

/** What a client does that no other of its agent's world notices, and that does not notice any other. */
function ownActs(own: Agent): fc.Arbitrary<Act[]> {
  const asks: fc.Arbitrary<Act> = fc.oneof(
    fc.record({
      ask: fc.constantFrom('threads' as const, 'messages' as const),
      agent: fc.constant(own),
      limit,
    }),
    fc.record({ ask: fc.constant('identity' as const), agent: fc.constant(own) }),
    fc.record({
      ask: fc.constant('rename' as const),
      agent: fc.constant(own),
      name: fc.string({ maxLength: 8 }),
    }),
    fc.record({ ask: fc.constant('webhooks' as const) }),
  )
  return fc.array(asks, { minLength: 2, maxLength: 5 })
}

const inTurn = fc.array(
  fc.record({
    client: fc.constantFrom(0 as const, 1 as const),
    act: fc.oneof(
      { weight: 4, arbitrary: anyAsk as fc.Arbitrary<Act> },
      { weight: 5, arbitrary: anyDeed as fc.Arbitrary<Act> },
    ),
  }),
  { minLength: 4, maxLength: 12 },
)

/** Faults that stay while the clients are apart each meet one of them alone, or who came first would count. */
const ownFaults = fc.tuple(
  ...agents.map((handle) => fc.option(fault(fc.constant<Fault>({ handle })), { nil: undefined })),
)

const stretch: fc.Arbitrary<Stretch> = fc
  .record({
    begin: fc.oneof(
      { weight: 9, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constant([{ deed: 'reset' as const }]) },
    ),
    inTurn,
    ownFaults,
    apart: fc.tuple(ownActs(agents[0]), ownActs(agents[1])),
  })
  .map(({ begin, inTurn: turns, ownFaults: faults, apart }) => {
    const before: Act[] = [...begin, { deed: 'clear-faults' }]
    const after: Act[] = [{ deed: 'clear-faults' }, ...faults.filter((own) => own !== undefined)]
    const byFirst = (act: Act) => ({ client: 0 as const, act })
    return { inTurn: [...before.map(byFirst), ...turns, ...after.map(byFirst)], apart }
  })

/** What happens in one world, and which seed its story has; none stands for the scenario's own. */
export interface Script {
  readonly seed: number | undefined
  readonly stretches: readonly Stretch[]
}

/** Any script; most worlds share their story's seed, so that what leaked would fit in well. */
export const script: fc.Arbitrary<Script> = fc.record({
  seed: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 3 }),
  stretches: fc.array(stretch, { minLength: 1, maxLength: 2 }),
})
