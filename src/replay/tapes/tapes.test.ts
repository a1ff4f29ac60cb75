import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type TapedRequest,
  type TapeHead,
  tapeFormat,
  tapeVersion,
  usuallyVolatile,
  volatileOf,
} from './tape.js'
import { TapeComparison } from './tapes.js'

const list = (offset: string, more: object = {}): TapedRequest => ({
  method: 'GET',
  path: '/api/v1/mail/threads',
  query: { agent: 'support', offset, ...more },
  body: null,
})

const patch = (body: TapedRequest['body']): TapedRequest => ({
  method: 'PATCH',
  path: '/api/v1/identities/support',
  query: {},
  body,
})

/** Compares requests with those of a tape. */
function compare(
  taped: readonly TapedRequest[],
  came: readonly TapedRequest[],
  volatile: readonly string[] = [],
) {
  const head: TapeHead = { format: tapeFormat, version: tapeVersion, scenario: 's', seed: 7, volatile: [] }
  const requests = taped.map((request, index) => ({ line: index + 2, request }))
  const comparison = new TapeComparison({ file: 'a.tape', head, requests }, volatileOf(volatile, 'test'))
  for (const request of came) comparison.take(request)
  return comparison.end()
}

describe('TapeComparison', () => {
  it('accepts the same requests', () => {
    const requests = [list('0'), list('50'), patch({ display_name: 'Busy', description: 'x' })]
    const other = [list('0'), list('50'), patch({ description: 'x', display_name: 'Busy' })]
    expect(compare(requests, other)).toEqual({ file: 'a.tape', requests: 3, same: true, difference: null })
  })

  it('reports the first difference with both requests', () => {
    const outcome = compare(
      [list('0'), list('50'), list('100')],
      [list('0'), list('51', { limit: '5' }), list('7')],
    )
    expect(outcome).toEqual({
      file: 'a.tape',
      requests: 3,
      same: false,
      difference: {
        line: 3,
        request: 2,
        expected: list('50'),
        found: list('51', { limit: '5' }),
        differences: ['query.offset: expected "50", found "51"', 'query.limit: expected nothing, found "5"'],
      },
    })
  })

  it.each([
    ['method', list('0'), { ...list('0'), method: 'HEAD' }, 'method: expected "GET", found "HEAD"'],
    ['path', list('0'), { ...list('0'), path: '/' }, 'path: expected "/api/v1/mail/threads", found "/"'],
    [
      'a list',
      list('0', { a: ['1', '2'] }),
      list('0', { a: ['1'] }),
      'query.a.1: expected "2", found nothing',
    ],
    ['a body', patch(null), patch({}), 'body: expected null, found {}'],
    ['a field', patch({ a: { b: 1 } }), patch({ a: { b: null } }), 'body.a.b: expected 1, found null'],
    ['a list in it', patch([1]), patch({ 0: 1 }), 'body: expected [1], found {"0":1}'],
  ])('finds a difference in %s', (_, expected, found, difference) => {
    expect(compare([expected], [found]).difference?.differences).toEqual([difference])
  })

  it.each([
    [10, undefined],
    [11, 'and 1 more'],
  ])('shows at most ten of %i differences', (count, rest) => {
    const fields = (value: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, value]))
    const { differences = [] } = compare([patch(fields(1))], [patch(fields(2))]).difference ?? {}
    expect(differences.slice(0, 10).every((line) => line.endsWith('expected 1, found 2'))).toBe(true)
    expect(differences[10]).toBe(rest)
  })

  it('finds missing and extra requests', () => {
    expect(compare([list('0'), list('50'), list('100')], [list('0')]).difference).toEqual({
      line: 3,
      request: null,
      expected: list('50'),
      found: null,
      differences: ['the run ended here; the tape has 2 more requests'],
    })
    expect(compare([list('0')], [list('0'), list('50')]).difference).toEqual({
      line: 3,
      request: 2,
      expected: null,
      found: list('50'),
      differences: ['the tape ends here; the run continues'],
    })
  })

  it('ignores volatile parts', () => {
    const taped = [
      list('0', { nonce: 'a' }),
      patch({
        note: 'a',
        items: [
          { id: 1, x: 1 },
          { id: 2, x: 1 },
        ],
      }),
    ]
    const came = [
      list('9'),
      patch({
        items: [
          { id: 8, x: 1 },
          { id: 9, x: 1 },
        ],
      }),
    ]
    expect(
      compare(taped, came, [...usuallyVolatile, 'query.offset', 'body.note', 'body.items.*.id']).same,
    ).toBe(true)
    expect(compare(taped, came, ['query', 'body']).same).toBe(true)
    expect(compare([list('0')], [{ ...list('0'), path: '/x' }], ['path']).same).toBe(true)
    expect(compare(taped, came, ['query', 'body.items.0.id', 'body.note']).difference?.differences).toEqual([
      'body.items.1.id: expected 2, found 9',
    ])
  })

  it('ignores repeats if they are volatile, and otherwise suggests that', () => {
    const taped = [list('0'), list('50'), list('50'), list('0')]
    const came = [list('0'), list('0'), list('0'), list('50'), list('0'), list('0')]
    expect(compare(taped, came, ['repeats']).same).toBe(true)
    expect(compare(taped, came).difference).toMatchObject({
      request: 2,
      differences: [
        'query.offset: expected "50", found "0"',
        'it repeats the request before it, which --volatile repeats allows',
      ],
    })
    expect(compare([list('0')], [list('0'), list('0')]).difference?.differences.at(-1)).toMatch(
      /repeats the request before it/,
    )
  })

  it('accepts equal requests and no list with one more, one less or a different one', () => {
    const request = fc.record({
      method: fc.constantFrom('GET', 'PATCH'),
      path: fc.constantFrom('/a', '/b'),
      query: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.string()),
      body: fc.jsonValue() as fc.Arbitrary<TapedRequest['body']>,
    })
    fc.assert(
      fc.property(fc.array(request), fc.nat(), request, (requests, place, other) => {
        expect(compare(requests, structuredClone(requests)).same).toBe(true)
        const at = place % (requests.length + 1)
        expect(compare(requests, requests.toSpliced(at, 0, other)).same).toBe(false)
        if (at === requests.length) return
        expect(compare(requests, requests.toSpliced(at, 1)).same).toBe(false)
        const { difference } = compare(requests, requests.with(at, { ...other, method: 'HEAD' as never }))
        expect(difference).toMatchObject({ line: at + 2, request: at + 1 })
        expect(difference?.differences[0]).toMatch(/^method: expected "(GET|PATCH)", found "HEAD"$/)
      }),
    )
  })
})
