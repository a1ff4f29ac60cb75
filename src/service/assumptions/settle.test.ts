import { describe, expect, expectTypeOf, it } from 'vitest'
import { defaultAssumptions } from '../../contract/gaps.js'
import { withChoices } from './assumptions.js'
import { createSettle, type Reliance } from './settle.js'

/** `settle` under the default assumptions with some changed, and the reliances it notes. */
function settling(choices: Record<string, string> = {}) {
  const notes: Reliance[] = []
  return { settle: createSettle(withChoices(defaultAssumptions, choices), (note) => notes.push(note)), notes }
}

/** Returns the assumptions that are noted when `threads.total` is settled with these branches. */
function relianceOn(chosen: () => unknown, other: () => unknown): readonly string[] {
  const { settle, notes } = settling()
  try {
    settle('threads.total', { 'all-matches': chosen, 'page-size': other, 'all-threads': chosen })
  } catch {
    // Only the note counts here.
  }
  return notes.flatMap(({ instead }) => instead)
}

const raise = (error: unknown) => () => {
  throw error
}

const noAgent = new Error('There is no agent "x".')
const agentBranches = { empty: () => 'none', 'not-found': raise(noAgent) }

describe('settle', () => {
  it('returns the branch of the current assumption', () => {
    const branches = { 'all-matches': () => 1, 'page-size': () => 2, 'all-threads': () => 3 }
    const totals = ['all-matches', 'page-size', 'all-threads'].map((assumption) => {
      return settling({ 'threads.total': assumption }).settle('threads.total', branches)
    })
    expect(totals).toEqual([1, 2, 3])
  })

  it('notes the assumptions that give another result', () => {
    const { settle, notes } = settling({ 'threads.total': 'page-size' })
    settle('threads.total', { 'all-matches': () => 1000, 'page-size': () => 50, 'all-threads': () => 50 })
    expect(notes).toEqual([{ gap: 'threads.total', assumption: 'page-size', instead: ['all-matches'] }])
  })

  it('throws the error of the current branch and notes the branches that do not', () => {
    const { settle, notes } = settling({ 'threads.unknown-agent': 'not-found' })
    expect(() => settle('threads.unknown-agent', agentBranches)).toThrow(noAgent)
    expect(notes).toEqual([{ gap: 'threads.unknown-agent', assumption: 'not-found', instead: ['empty'] }])
  })

  it('ignores the error of another branch', () => {
    const { settle, notes } = settling()
    expect(settle('threads.unknown-agent', agentBranches)).toBe('none')
    expect(notes).toEqual([{ gap: 'threads.unknown-agent', assumption: 'empty', instead: ['not-found'] }])
  })

  it('notes whether another value is certainly another response', () => {
    const noted: string[] = []
    const settle = createSettle(defaultAssumptions, ({ gap }, difference) =>
      noted.push(`${gap} ${difference}`),
    )
    settle('threads.unknown-agent', agentBranches)
    settle('threads.unknown-agent', agentBranches, 'certain')
    expect(noted).toEqual(['threads.unknown-agent possible', 'threads.unknown-agent certain'])
  })

  it.each([
    ['page-size', ['threads.order', 'threads.total']],
    ['all-matches', ['threads.total']],
  ])('notes what a branch itself settles only if it is the current one: %s', (total, gaps) => {
    const { settle, notes } = settling({ 'threads.total': total })
    const order = () =>
      settle('threads.order', {
        'last-message-desc': () => 1,
        'last-message-asc': () => 2,
        'created-desc': () => 3,
        'created-asc': () => 4,
        unspecified: () => 5,
      })
    settle('threads.total', { 'all-matches': () => 0, 'page-size': order, 'all-threads': () => 0 })
    expect(notes.map(({ gap }) => gap)).toEqual(gaps)
  })
})

const instant = new Date(0)
const coded = (kind: string) => raise(Object.assign(new Error('no'), { kind }))

describe('results of branches', () => {
  it.each<[string, () => unknown]>([
    ['NaN', () => Number.NaN],
    ['lists and objects', () => ['a', ['b'], { c: 1, d: [null] }]],
    ['errors of the same kind and message', coded('not-found')],
  ])('are equal: %s', (_, branch) => {
    expect(relianceOn(branch, branch)).toEqual([])
  })

  it.each<[string, () => unknown, () => unknown]>([
    ['undefined instead of null', () => null, () => undefined],
    ['a longer list', () => [1], () => [1, 2]],
    ['a list instead of an object', () => [], () => ({})],
    ['another value deep inside', () => ({ a: [{ b: 1 }] }), () => ({ a: [{ b: 2 }] })],
    ['another undefined field', () => ({ a: undefined }), () => ({ b: undefined })],
    ['an error returned, not thrown', () => new Error('no'), raise(new Error('no'))],
    ['another message', raise(new Error('no')), raise(new Error('yes'))],
    ['another kind', coded('invalid'), coded('not-found')],
    ['another class', raise(new Error('no')), raise(new TypeError('no'))],
    ['another instance of a class', () => instant, () => new Date(0)],
  ])('differ: %s', (_, chosen, other) => {
    expect(relianceOn(chosen, other)).toEqual(['page-size'])
  })
})

describe('the types of settle', () => {
  const { settle } = settling()

  it('are those of the branches', () => {
    const found = settle('threads.unknown-agent', { empty: () => 1, 'not-found': () => 'none' })
    expectTypeOf(found).toEqualTypeOf<string | number>()
    const status = settle('auth.missing-status', { 401: () => 401 as const, 403: () => 403 as const })
    expectTypeOf(status).toEqualTypeOf<401 | 403>()
    const quoted = settle('auth.missing-status', { '401': () => 'a' as const, '403': () => 'b' as const })
    expect([found, status, quoted]).toEqual([1, 401, 'a'])
  })

  it('reject a missing branch', () => {
    // @ts-expect-error `all-threads` is missing.
    expect(settle('threads.total', { 'all-matches': () => 1, 'page-size': () => 2 })).toBe(1)
    // @ts-expect-error `403` is missing.
    expect(settle('auth.missing-status', { 401: () => 1 })).toBe(1)
    // @ts-expect-error A branch is a function.
    expect(() => settle('threads.unknown-agent', { empty: 1, 'not-found': () => 2 })).toThrow()
  })

  it('reject an extra branch', () => {
    const branches = { empty: () => 1, 'not-found': () => 2 }
    // @ts-expect-error `forbidden` is no assumption of the gap.
    expect(settle('threads.unknown-agent', { ...branches, forbidden: () => 3 })).toBe(1)
    // @ts-expect-error `404` is no assumption of the gap.
    settle('auth.missing-status', { 401: () => 1, 403: () => 2, 404: () => 3 })
    // @ts-expect-error A quoted number is no assumption of the gap either.
    settle('auth.missing-status', { 401: () => 1, 403: () => 2, '404': () => 3 })
    // @ts-expect-error A name that looks like a number is no assumption of the gap.
    settle('threads.unknown-agent', { ...branches, 404: () => 3 })
  })

  it('reject an unknown gap', () => {
    // @ts-expect-error There is no such gap.
    expect(() => settle('threads.totl', { 'all-matches': () => 1 })).toThrow()
    // @ts-expect-error There is no such gap.
    expect(() => settle('auth.missing-statu', { 401: () => 1, 403: () => 2 })).toThrow()
  })
})
