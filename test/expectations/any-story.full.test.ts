import { createSimulator, type Simulator, type WorldEvent } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { yieldToEventLoop } from '../../src/service/time/wall-time.js'
import { ExpectationChecker } from '../../src/story/expectations/expectation-checker.js'
import type { Amount } from '../../src/story/expectations/tracker.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { countOf } from './count-again.js'

type Expectation = NonNullable<ScenarioInput['expect']>[number]

const operations = ['threads.list', 'messages.list', 'identities.get'] as const
const paths = {
  'threads.list': '/mail/threads',
  'messages.list': '/mail/messages',
  'identities.get': '/identities/support',
} as const
const entries = ['first', 'second', 'third'] as const
const agents = ['support', 'sales', 'nobody']

/** A step of an agent: a request, a request without waiting for its answer, or an advance of the clock. */
const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ ask: fc.constantFrom(...operations), agent: fc.constantFrom(...agents, null) }),
  },
  fc.record({ begin: fc.constantFrom(...operations) }),
  fc.record({ pass: fc.integer({ min: 0, max: 12 }) }),
)

const amount = fc.oneof(
  fc.constant({}),
  fc.record({ times: fc.nat(3) }),
  fc.record({ at_least: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ at_most: fc.nat(2) }),
)

const mark = fc.oneof(fc.constant(undefined), fc.constantFrom(...operations, ...entries))

/** An expectation of requests, in a time that an operation or an entry begins or ends. */
const expectation = (place: number): fc.Arbitrary<Expectation> => {
  return fc
    .record({
      request: fc.constantFrom(...operations),
      agent: fc.option(fc.constantFrom(...agents), { nil: undefined }),
      amount,
      after: mark,
      before: mark,
      within: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        fc.integer({ min: 1, max: 30 }).map((seconds) => `${seconds}s` as const),
      ),
    })
    .map(({ agent, amount: many, before, ...rest }) => ({
      key: `e${place}`,
      ...rest,
      ...many,
      ...(before !== rest.request && { before }),
      ...(agent !== undefined && rest.request !== 'identities.get' && { where: { query: { agent } } }),
    }))
}

const expectations = fc.tuple(...[0, 1, 2, 3, 4].map(expectation))

const story = fc.record({
  expect: expectations,
  delay: fc.boolean(),
  times: fc.tuple(...entries.map(() => fc.nat(40))),
  acts: fc.array(act, { maxLength: 25 }),
})
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never

/** Plays a story with an observer after every step; returns all events. */
async function tell({ expect: expected, delay, times, acts }: Story, onStep: (simulator: Simulator) => void) {
  const simulator = await createSimulator({
    scenario: {
      scenario: 'any',
      identities: [{ handle: 'support' }, { handle: 'sales' }],
      timeline: [
        ...(delay
          ? [{ after: '0s' as const, fault: { operation: 'messages.list' as const, delay: '7s' as const } }]
          : []),
        ...entries.map((key, index) => ({
          key,
          after: `${times[index] as number}s` as const,
          receive: { to: 'support', subject: key, text: key },
        })),
      ],
      expect: expected,
    },
  })
  const ask = async (operation: (typeof operations)[number], agent: string | null): Promise<void> => {
    const url = new URL(`/api/v1${paths[operation]}`, simulator.baseUrl)
    if (agent !== null && operation !== 'identities.get') url.searchParams.set('agent', agent)
    const request = new Request(url, { headers: { authorization: `Bearer ${simulator.apiKey}` } })
    for (const handler of simulator.handlers) if (await handler.run({ request, requestId: '1' })) return
  }
  const pending: Promise<void>[] = []
  onStep(simulator)
  for (const step of acts) {
    if ('pass' in step) await simulator.clock.advance(`${step.pass}s`)
    else {
      const asking = 'begin' in step ? ask(step.begin, null) : ask(step.ask, step.agent)
      pending.push(asking)
      await yieldToEventLoop()
    }
    onStep(simulator)
  }
  await simulator.clock.advance('1m')
  await Promise.all(pending)
  return simulator
}

describe('the verdicts of any story', () => {
  it('equal a count over the whole story at any time', async () => {
    let failed = 0
    let passed = 0
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        let watching: ExpectationChecker | undefined
        const simulator = await tell(told, (open) => {
          watching ??= new ExpectationChecker(open)
          watching.results()
          watching.decided()
        })
        const verdicts = watching?.results() ?? []
        const happenings: WorldEvent[] = simulator.events.after(0)
        const all = simulator.expectations
        const start = Date.parse(simulator.start)
        for (const [index, one] of all.entries()) {
          const count = countOf({ start, happenings, expectations: all }, one)
          const { least, most } = one.amount as Amount
          const fits = count >= least && count <= (most ?? count)
          const verdict = verdicts[index]
          expect([one, verdict?.passed]).toEqual([one, fits])
          if (simulator.journal.exchanges().length > 0)
            expect(verdict?.found).toMatch(new RegExp(`^${count} of `))
          if (fits) passed++
          else failed++
        }
        expect(new ExpectationChecker(simulator).results()).toEqual(verdicts)
        simulator.close()
      }),
      { numRuns: 60 },
    )
    expect(Math.min(passed, failed)).toBeGreaterThan(20)
  })

  it('do not change once decided', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        let checker: ExpectationChecker | undefined
        const decided = new Map<number, boolean>()
        await tell(told, (open) => {
          checker ??= new ExpectationChecker(open)
          for (const { index, passed } of checker.decided()) decided.set(index, passed)
        })
        const verdicts = checker?.results() ?? []
        for (const [index, passed] of decided) expect(verdicts[index]?.passed).toBe(passed)
      }),
      { numRuns: 30 },
    )
  })
})
