import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/support/temporary-folder.js'
import type { Exchange } from '../../world/index.js'
import { TapeError } from '../errors.js'
import {
  checkTape,
  parseVolatileList,
  readTape,
  type TapedRequest,
  tapeFormat,
  usuallyVolatile,
  volatileOf,
} from './tape.js'
import { TapeComparison, Tapes } from './tapes.js'

const folder = sharedFolder()
const file = join(folder, 'a.tape')

const head = { format: tapeFormat, version: 1, scenario: 's', seed: 7, volatile: ['query.a'] } as const
const headWith = (more: object) => JSON.stringify({ ...head, ...more })
const line = '{"method":"GET","path":"/","query":{"a":["1","2"]},"body":null}'
const request: TapedRequest = { method: 'GET', path: '/', query: { a: ['1', '2'] }, body: null }

/** An exchange with the request of the tape and a body. */
const exchange = (body: string | null) =>
  ({ ...request, request: { headers: {}, body } }) as never as Exchange

/** Returns the error for a tape with some text, without its path. */
async function refusalOf(text: string): Promise<string> {
  await writeFile(file, text)
  try {
    checkTape(readTape(file), { scenario: 's', seed: 7 })
  } catch (error) {
    expect(error).toBeInstanceOf(TapeError)
    return (error as TapeError).message.replaceAll(file, 'a.tape')
  }
  return ''
}

describe('a tape', () => {
  it('replaces the file with the recorded requests only when it is finished', async () => {
    await writeFile(file, 'before')
    const tapes = new Tapes({ record: file, volatile: ['query.a'] })
    await tapes.begin({ scenario: 's', seed: 7 })
    tapes.take(exchange(null))
    tapes.take(exchange('{"a":[1,"ü\\n"]}'))
    expect(await readFile(file, 'utf8')).toBe('before')
    await tapes.end()
    const { head: read, requests } = readTape(file)
    expect(read).toEqual({ ...head, volatile: [...usuallyVolatile, 'query.a'] })
    expect(requests).toEqual([
      { line: 2, request },
      { line: 3, request: { ...request, body: { a: [1, 'ü\n'] } } },
    ])
  })

  it('leaves the file unchanged if discarded', async () => {
    await writeFile(file, 'before')
    const tapes = new Tapes({ record: file })
    await tapes.begin({ scenario: 's', seed: 7 })
    await tapes.discard()
    expect(await readFile(file, 'utf8')).toBe('before')
    expect(await readdir(folder)).toEqual(['a.tape'])
  })

  it('is readable with empty lines, CRLF line ends and an incomplete last line', async () => {
    await writeFile(file, `${headWith({})}\r\n\n${line}\r\n\n${line.slice(0, 20)}`)
    expect(readTape(file).requests).toHaveLength(1)
  })
})

describe('an invalid tape', () => {
  it.each([
    [
      '',
      /^a\.tape:1: this is not a tape; its first line should begin with \{"format":"agent-mailbox-sim\/tape", as/,
    ],
    ['null', /^a\.tape:1: this is not a tape/],
    [headWith({ version: 2 }), /^a\.tape:1: version: this tape has version 2, but .* at most version 1/],
    [
      headWith({ scenario: 't' }),
      /^a\.tape:1: scenario: this tape was recorded with the scenario "t", but this replay has "s"/,
    ],
    [headWith({ seed: 8 }), /^a\.tape:1: seed: .* use --seed 8, or record another one with --record\.$/],
    [headWith({ volatile: ['a'] }), /^a\.tape:1: volatile: "a" cannot be volatile; use query\.offset/],
    [`${headWith({})}\n{"method":\n${line}\n`, /^a\.tape:2: expected one request as JSON: /],
    [`${headWith({})}\n${line}\n{"method":"GET"}\n`, /^a\.tape:3: path: /],
  ])('is refused with its place: %j', async (text, refusal) => {
    expect(await refusalOf(text)).toMatch(refusal)
  })

  it('is refused if missing or not writable', async () => {
    const missing = join(folder, 'no.tape')
    const wanted = new TapeError('unreadable', `${missing}: there is no such file; create it with --record.`)
    expect(() => readTape(missing)).toThrow(wanted)
    const start = new Tapes({ record: join(folder, 'no/such.tape') }).begin({ scenario: 's', seed: 7 })
    await expect(start).rejects.toThrow(
      /no\/such\.tape: the tape cannot be written: there is no such folder; create it/,
    )
  })
})

describe('parseVolatileList', () => {
  it('accepts names of fields, of parts, and repeats', () => {
    const names = ['query.offset', 'body.items.*.id', 'query', 'body', 'path', 'repeats']
    expect(parseVolatileList(` ${names.join(' , ')},`)).toEqual(names)
  })

  it.each(['offset', 'path.x', 'query.', 'body..x', 'repeats.x'])('refuses %s', (name) => {
    expect(() => parseVolatileList(`query.a,${name}`)).toThrow(`--volatile: "${name}" cannot be volatile`)
  })
})

const list = (offset: string, more: object = {}): TapedRequest => ({
  method: 'GET',
  path: '/api/v1/mail/threads',
  query: { agent: 'support', offset, ...more },
  body: null,
})

const patch = (body: TapedRequest['body']): TapedRequest => ({
  ...list('0'),
  method: 'PATCH',
  query: {},
  body,
})

/** Compares requests with those of a tape. */
function compare(
  taped: readonly TapedRequest[],
  came: readonly TapedRequest[],
  volatile: readonly string[] = [],
) {
  const requests = taped.map((one, index) => ({ line: index + 2, request: one }))
  const tape = { file: 'a.tape', head: { ...head, volatile: [] }, requests }
  const comparison = new TapeComparison(tape, volatileOf(volatile, 'test'))
  for (const one of came) comparison.take(one)
  return comparison.end()
}

describe('TapeComparison', () => {
  it('accepts the same requests with fields in another order', () => {
    const outcome = compare([list('0'), patch({ a: 1, b: 2 })], [list('0'), patch({ b: 2, a: 1 })])
    expect(outcome).toEqual({ file: 'a.tape', requests: 2, same: true, difference: null })
  })

  it('reports the first difference with both requests', () => {
    const found = list('51', { limit: '5' })
    expect(compare([list('0'), list('50'), list('100')], [list('0'), found, list('7')])).toEqual({
      file: 'a.tape',
      requests: 3,
      same: false,
      difference: {
        line: 3,
        request: 2,
        expected: list('50'),
        found,
        differences: ['query.offset: expected "50", found "51"', 'query.limit: expected nothing, found "5"'],
      },
    })
  })

  it.each([
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

  it('shows at most ten differences', () => {
    const eleven = (value: number) =>
      patch(Object.fromEntries([...'abcdefghijk'].map((name) => [name, value])))
    const { differences } = compare([eleven(1)], [eleven(2)]).difference ?? {}
    expect(differences?.slice(-2)).toEqual(['body.j: expected 1, found 2', 'and 1 more'])
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
    const items = (...ids: number[]) => ids.map((id) => ({ id, x: 1 }))
    const taped = [list('0', { nonce: 'a' }), patch({ note: 'a', items: items(1, 2) })]
    const came = [list('9'), patch({ items: items(8, 9) })]
    const named = [...usuallyVolatile, 'query.offset', 'body.note', 'body.items.*.id']
    expect(compare(taped, came, named).same).toBe(true)
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
    expect(compare(taped, came.slice(0, 3).concat(list('7')), ['repeats']).difference?.request).toBe(4)
  })

  it('accepts equal requests and no list with one more, one less or a different one', () => {
    const anyRequest = fc.record({
      method: fc.constantFrom('GET', 'PATCH'),
      path: fc.constantFrom('/a', '/b'),
      query: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.string()),
      body: fc.jsonValue() as fc.Arbitrary<TapedRequest['body']>,
    })
    fc.assert(
      fc.property(fc.array(anyRequest), fc.nat(), anyRequest, (requests, place, other) => {
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
