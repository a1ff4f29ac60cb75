import { describe, expect, expectTypeOf, it } from 'vitest'
import { defaultReadings } from '../contract/gaps.js'
import { withChoices } from './readings.js'
import type { Reliance } from './reliances.js'
import { createSettle } from './settle.js'

/** `settle` under the default readings with some changed, and what it notes. */
function settling(choices: Record<string, string> = {}) {
  const notes: Reliance[] = []
  return { settle: createSettle(withChoices(defaultReadings, choices), (note) => notes.push(note)), notes }
}

/** The three readings of `threads.total`, as whatever three branches give. */
function relianceOn(all: () => unknown, page: () => unknown, every: () => unknown): readonly string[] {
  const { settle, notes } = settling()
  try {
    settle('threads.total', { 'all-matches': all, 'page-size': page, 'all-threads': every })
  } catch {
    // Only the note counts here.
  }
  return notes.flatMap(({ instead }) => instead)
}

describe('settle', () => {
  it('gives the branch of the reading in force', () => {
    for (const reading of ['all-matches', 'page-size', 'all-threads']) {
      const { settle } = settling({ 'threads.total': reading })
      const total = settle('threads.total', {
        'all-matches': () => 'all-matches',
        'page-size': () => 'page-size',
        'all-threads': () => 'all-threads',
      })
      expect(total).toBe(reading)
    }
  })

  it('notes under which other readings something else would have come out', () => {
    const { settle, notes } = settling({ 'threads.total': 'page-size' })
    settle('threads.total', { 'all-matches': () => 1000, 'page-size': () => 50, 'all-threads': () => 50 })
    expect(notes).toEqual([{ gap: 'threads.total', reading: 'page-size', instead: ['all-matches'] }])
  })

  it('notes nothing where every reading gives the same', () => {
    const { settle, notes } = settling()
    settle('threads.total', { 'all-matches': () => 3, 'page-size': () => 3, 'all-threads': () => 3 })
    expect(notes).toEqual([])
  })

  it('throws what the branch in force throws, and notes that others do not', () => {
    const { settle, notes } = settling({ 'threads.unknown-agent': 'not-found' })
    const failure = new Error('There is no agent "x".')
    const settled = () =>
      settle('threads.unknown-agent', {
        empty: () => [],
        'not-found': () => {
          throw failure
        },
      })
    expect(settled).toThrow(failure)
    expect(notes).toEqual([{ gap: 'threads.unknown-agent', reading: 'not-found', instead: ['empty'] }])
  })

  it('bears the throw of a branch not in force', () => {
    const { settle, notes } = settling()
    const found = settle('threads.unknown-agent', {
      empty: () => 'none',
      'not-found': () => {
        throw new Error('There is no agent "x".')
      },
    })
    expect(found).toBe('none')
    expect(notes).toEqual([{ gap: 'threads.unknown-agent', reading: 'empty', instead: ['not-found'] }])
  })

  it('tells refusals of other readings apart, unless the value is shown', () => {
    const noted: string[] = []
    const settle = createSettle(defaultReadings, ({ gap }, use) => noted.push(`${gap} ${use}`))
    const branches = {
      empty: () => 'none',
      'not-found': () => {
        throw new Error('There is no agent "x".')
      },
    }
    settle('threads.unknown-agent', branches)
    settle('threads.unknown-agent', branches, 'shown')
    expect(noted).toEqual(['threads.unknown-agent refused', 'threads.unknown-agent shown'])
  })

  it.each([
    ['page-size', ['threads.order', 'threads.total']],
    ['all-matches', ['threads.total']],
  ])('notes what a branch settles in its turn only where it is in force: %s', (total, gaps) => {
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

class Refusal extends Error {
  readonly kind: string

  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

const raise = (error: unknown) => () => {
  throw error
}

describe('what settle takes for the same', () => {
  it.each<[string, () => unknown]>([
    ['numbers', () => 7],
    ['not a number', () => Number.NaN],
    ['nothing', () => undefined],
    ['lists', () => ['a', ['b'], { c: 1 }]],
    ['objects, whatever the order', () => ({ a: 1, b: { c: [null] } })],
    ['errors of the same kind that say the same', raise(new Refusal('not-found', 'no'))],
  ])('%s', (_, branch) => {
    expect(relianceOn(branch, branch, branch)).toEqual([])
  })

  it('objects made apart', () => {
    expect(
      relianceOn(
        () => ({ a: 1, b: [2] }),
        () => ({ b: [2], a: 1 }),
        () => ({ a: 1, b: [2] }),
      ),
    ).toEqual([])
    const refuse = () => raise(new Refusal('not-found', 'no'))
    expect(relianceOn(refuse(), refuse(), refuse())).toEqual([])
  })
})

describe('what settle takes for something else', () => {
  it.each<[string, () => unknown, () => unknown]>([
    ['another number', () => 1, () => 2],
    ['a text that looks like it', () => 1, () => '1'],
    ['nothing in place of null', () => null, () => undefined],
    ['a longer list', () => [1], () => [1, 2]],
    ['another order', () => [1, 2], () => [2, 1]],
    ['a list in place of an object', () => [], () => ({})],
    ['another value deep inside', () => ({ a: [{ b: 1 }] }), () => ({ a: [{ b: 2 }] })],
    ['one field more', () => ({ a: 1 }), () => ({ a: 1, b: undefined })],
    ['another field without a value', () => ({ a: undefined }), () => ({ b: undefined })],
    ['another field in place of an empty one', () => ({ a: undefined }), () => ({ b: 1 })],
    ['an error given, not thrown', () => new Error('no'), raise(new Error('no'))],
    ['another message', raise(new Error('no')), raise(new Error('yes'))],
    ['another kind', raise(new Refusal('invalid', 'no')), raise(new Refusal('not-found', 'no'))],
    ['another class', raise(new Error('no')), raise(new TypeError('no'))],
  ])('%s', (_, chosen, other) => {
    expect(relianceOn(chosen, other, chosen)).toEqual(['page-size'])
    expect(relianceOn(other, chosen, chosen)).toEqual(['page-size', 'all-threads'])
  })
})

describe('what settle cannot look into', () => {
  it('is the same only when it is the same thing', () => {
    const instant = new Date(0)
    const same = () => instant
    expect(relianceOn(same, same, () => new Date(0))).toEqual(['all-threads'])
  })
})

describe('the types of settle', () => {
  const { settle } = settling()

  it('give the types of the branches', () => {
    const found = settle('threads.unknown-agent', { empty: () => 1, 'not-found': () => 'none' })
    expectTypeOf(found).toEqualTypeOf<string | number>()
    const status = settle('auth.missing-status', { 401: () => 401 as const, 403: () => 403 as const })
    expectTypeOf(status).toEqualTypeOf<401 | 403>()
    const quoted = settle('auth.missing-status', { '401': () => 'a' as const, '403': () => 'b' as const })
    expect([found, status, quoted]).toEqual([1, 401, 'a'])
  })

  it('refuse a missing branch', () => {
    // @ts-expect-error `all-threads` is missing.
    expect(settle('threads.total', { 'all-matches': () => 1, 'page-size': () => 2 })).toBe(1)
    // @ts-expect-error `403` is missing.
    expect(settle('auth.missing-status', { 401: () => 1 })).toBe(1)
    // @ts-expect-error A branch is a function.
    expect(() => settle('threads.unknown-agent', { empty: 1, 'not-found': () => 2 })).toThrow()
  })

  it('refuse a surplus branch', () => {
    const branches = { empty: () => 1, 'not-found': () => 2 }
    // @ts-expect-error `forbidden` is no reading of the gap.
    expect(settle('threads.unknown-agent', { ...branches, forbidden: () => 3 })).toBe(1)
    // @ts-expect-error `404` is no reading of the gap.
    settle('auth.missing-status', { 401: () => 1, 403: () => 2, 404: () => 3 })
    // @ts-expect-error A quoted number is no reading of the gap either.
    settle('auth.missing-status', { 401: () => 1, 403: () => 2, '404': () => 3 })
    // @ts-expect-error A name that looks like a number is no reading of the gap.
    settle('threads.unknown-agent', { ...branches, 404: () => 3 })
  })

  it('refuse an unknown gap', () => {
    // @ts-expect-error There is no such gap.
    expect(() => settle('threads.totl', { 'all-matches': () => 1 })).toThrow()
    // @ts-expect-error There is no such gap, whatever its branches are called.
    expect(() => settle('auth.missing-statu', { 401: () => 1, 403: () => 2 })).toThrow()
  })
})
