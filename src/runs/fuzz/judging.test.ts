import { describe, expect, it } from 'vitest'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import { type JudgingFacts, judgementOf, mayGiveUp } from './judging.js'
import type { PlanElement } from './kinds/kinds.js'

const request = 'threads.list' as const
const expectations: NonNullable<ScenarioInput['expect']> = [
  { describe: 'twice', request, at_least: 2 },
  { describe: 'soon', request, within: '5m' },
  { describe: 'never', request: 'identities.update', times: 0 },
  { describe: 'thread', thread: 'parcel', has: { unread: false } },
  { describe: 'identity', identity: 'support', has: { display_name: 'Busy' } },
  { describe: 'delivery', delivery: 'message.received' },
  { describe: 'errors', errors: 'none' },
  { describe: 'sent', sent: 'none' },
  { describe: 'automatic', invariant: 'ignores-automatic-mail' },
]

/** Returns what remains of each expectation under elements, with the number of times if that is lower. */
async function remaining(elements: readonly PlanElement[]): Promise<string[]> {
  return (await judged(elements, expectations)).map(({ written }) => {
    const { describe, at_least: least } = written as { describe: string; at_least?: number }
    return describe === 'twice' && least !== 2 ? `${describe} or once` : describe
  })
}

/** Returns each expectation as it is judged under elements. */
async function judged(
  elements: readonly PlanElement[],
  expectations: NonNullable<ScenarioInput['expect']>,
  ended = false,
) {
  const { initialState, document } = await FuzzedScenario.load({
    scenario: 'desk',
    identities: [{ handle: 'support', threads: [{ key: 'parcel', messages: [{}] }] }],
    webhooks: [{ url: 'http://127.0.0.1:9/', events: ['message.received'] }],
    expect: expectations,
  })
  const written = document.expect ?? []
  const expected = initialState.expectations.map((checked, index) => ({
    name: `${index}`,
    checked,
    written: written[index],
  }))
  const base = { requests: 3, repeats: 1, writes: [], repeatedWrites: false, ended, asked: [] }
  const facts = { base, expected, invariants: new Set(), answered: [], endsWithin: undefined }
  return judgementOf(elements, facts as unknown as JudgingFacts).expectations
}

const all = expectations.map((one) => one.describe as string)
const without = (...names: string[]) => all.filter((name) => !names.includes(name))
const element = (more: object) => more as PlanElement
const soft = { vary: 'faults', fault: { operation: request, status: 503, times: 1 } }
const hard = { vary: 'faults', fault: { operation: request, status: 500, times: 1 } }

describe('judgementOf', () => {
  it.each<[kind: string, elements: object[], kept: string[]]>([
    [
      'assumptions',
      [{ vary: 'assumptions', gap: 'threads.total', assumption: 'page-size' }],
      without('thread', 'errors'),
    ],
    [
      'sizes',
      [{ vary: 'sizes', identity: 'support', threads: 0, added: 3 }],
      without('never', 'thread', 'identity', 'sent', 'automatic'),
    ],
    ['a soft fault', [soft], ['twice or once', ...without('soon', 'twice', 'delivery', 'errors')]],
    ['a hard fault', [hard], []],
    ['timing', [{ vary: 'timing' }], ['twice or once', 'soon', 'delivery', 'errors', 'automatic']],
    [
      'a late delivery',
      [{ vary: 'deliveries', how: 'late' }],
      ['twice or once', ...without('soon', 'twice', 'delivery')],
    ],
    [
      'a restart',
      [{ vary: 'life', how: 'kill' }],
      ['twice or once', ...without('soon', 'twice', 'delivery', 'errors')],
    ],
  ])('keeps the expectations that %s leaves valid', async (_, elements, kept) => {
    expect(await remaining(elements.map(element))).toEqual(kept)
  })

  it.each<[kind: string, elements: object[], judgedAs: object]>([
    ['another form', [{ vary: 'forms', form: 'gmail', places: [] }], { sent: { text: '/4187/' }, times: 1 }],
    ['form and fault', [{ vary: 'forms', places: [] }, soft], { sent: { text: '/4187/' }, at_least: 1 }],
  ])('judges how often a client sends something under %s', async (_, elements, judgedAs) => {
    const [one] = await judged(elements.map(element), [{ sent: { text: '/4187/' }, times: 1 }])
    expect(one?.written).toEqual(judgedAs)
  })

  it.each<[string, { repeatedMail?: boolean; assumption?: string }, boolean]>([
    ['acts-once', { repeatedMail: false }, true],
    ['acts-once', { repeatedMail: true }, false],
    ['ignores-automatic-mail', { assumption: 'object' }, true],
    ['ignores-automatic-mail', { assumption: 'omitted' }, false],
  ])('judges by %s under %j: %s', (name, { repeatedMail = false, assumption = 'object' }, isJudged) => {
    const elements = [element({ vary: 'assumptions', gap: 'messages.headers', assumption })]
    const base = { requests: 3, repeats: 1, writes: [], repeatedWrites: false, repeatedMail }
    const facts = { base, expected: [], invariants: new Set([name]), answered: [] }
    const { expectations } = judgementOf(elements, facts as unknown as JudgingFacts)
    expect(expectations.map(({ written }) => written.invariant)).toEqual(isJudged ? [name] : [])
  })
})

it.each<[kind: string, elements: object[], ended: boolean, isJudged: boolean]>([
  ['a soft fault', [soft], true, true],
  ['a hard fault', [hard], false, false],
  ['entries at other times', [{ vary: 'timing' }], false, true],
  ['entries at other times, of a client that ends', [{ vary: 'timing' }], true, false],
  ['a new thread', [{ vary: 'mail', receive: { to: 'support' } }], true, true],
  ['mail to a thread', [{ vary: 'mail', receive: { to: 'support', place: 1 } }], false, false],
])('judges under %s whether everybody is answered', (_, elements, ended, isJudged) => {
  const base = { requests: 3, repeats: 1, writes: [], ended, asked: [] }
  const facts = { base, expected: [], invariants: new Set(), answered: ['ann@mail.example'] }
  const { expectations: judged } = judgementOf(elements.map(element), facts as unknown as JudgingFacts)
  const written = [{ invariant: 'answers-everyone', people: ['ann@mail.example'] }]
  expect(judged.map((one) => one.written)).toEqual(isJudged ? written : [])
})

it.each<[receive: object, people: string[] | undefined, isEnding: boolean, isJudged: boolean]>([
  [{ to: 'support' }, undefined, true, false],
  [{ to: 'support' }, undefined, false, true],
  [{ to: 'support' }, ['ann@mail.example'], true, true],
  [{ to: 'support', place: 1 }, ['ann@mail.example'], true, false],
  [{ to: 'support', place: 1 }, undefined, false, false],
])(
  'judges under mail %j whether a story says that %s are answered by a client that ends: %s',
  async (...[receive, people, ended, isJudged]) => {
    const expected = [{ invariant: 'answers-everyone' as const, ...(people && { people }) }]
    expect(await judged([element({ vary: 'mail', receive })], expected, ended)).toHaveLength(isJudged ? 1 : 0)
  },
)

describe('mayGiveUp', () => {
  it.each<[expected: boolean, faults: Parameters<typeof mayGiveUp>[0]]>([
    [false, [{ operation: request, status: 429, times: 1 }]],
    [false, [{ operation: request, status: 503, times: 1 }]],
    [false, [{ operation: request, delay: '9s' }]],
    [true, [{ operation: request, status: 500, times: 1 }]],
    [true, [{ operation: request, status: 503, times: 2 }]],
    [true, [{ operation: 'identities.update', status: 503, times: 1 }]],
    [true, [soft.fault, { ...soft.fault, after: 1 }]],
  ])('returns %s for %j', (expected, faults) => {
    expect(mayGiveUp(faults)).toBe(expected)
  })
})

it('does not judge a client by Retry-After that polls at an interval of its own, unless it hastens', () => {
  const judges = (asked: readonly number[], ended = false): boolean => {
    const base = {
      requests: 9,
      repeats: 1,
      writes: [],
      ended,
      asked: asked.map((after) => ({ request, after })),
    }
    const facts = {
      base,
      expected: [],
      invariants: new Set(['backs-off']),
      answered: [],
      endsWithin: undefined,
    }
    const { expectations: judged } = judgementOf([element(soft)], facts as unknown as JudgingFacts)
    return judged.length > 0
  }
  const polling = [0, 200, 400, 1000, 1200, 1400, 2000]
  expect([judges(polling), judges(polling, true), judges([0, 0, 200, 400, 700, 1200])]).toEqual([
    false,
    true,
    false,
  ])
  expect([judges([0, 200]), judges([0, 1, 2, 3, 4, 5]), judges([0, 100, 900, 4000, 9000])]).not.toContain(
    false,
  )
})
