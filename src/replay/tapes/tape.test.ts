import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../test/support/temporary-folder.js'
import type { Exchange } from '../../world/index.js'
import { TapeError } from '../errors.js'
import { checkTape, parseVolatileList, readTape, type TapedRequest, usuallyVolatile } from './tape.js'
import { Tapes } from './tapes.js'

const folder = sharedFolder()
const file = join(folder, 'a.tape')

const head = '{"format":"agent-mailbox-sim/tape","version":1,"scenario":"s","seed":7,"volatile":["query.a"]}'
const line = '{"method":"GET","path":"/","query":{"a":["1","2"]},"body":null}'
const request: TapedRequest = { method: 'GET', path: '/', query: { a: ['1', '2'] }, body: null }

/** An exchange with the request of the tape and a body. */
const exchange = (body: string | null): Exchange => {
  return {
    method: 'GET',
    path: '/',
    query: request.query,
    request: { headers: {}, body },
  } as Partial<Exchange> as Exchange
}

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
  it('has the recorded requests', async () => {
    const tapes = new Tapes({ record: file, volatile: ['query.a'] })
    await tapes.begin({ scenario: 's', seed: 7 })
    tapes.take(exchange(null))
    tapes.take(exchange('{"a":[1,"ü\\n"]}'))
    await tapes.end()
    const { head: read, requests } = readTape(file)
    expect(read).toEqual({ ...JSON.parse(head), volatile: [...usuallyVolatile, 'query.a'] })
    expect(requests).toEqual([
      { line: 2, request },
      { line: 3, request: { ...request, body: { a: [1, 'ü\n'] } } },
    ])
  })

  it('replaces the file only when it is finished', async () => {
    const before = `${head}\n${line}\n${line}\n`
    await writeFile(file, before)
    const tapes = new Tapes({ record: file })
    await tapes.begin({ scenario: 's', seed: 7 })
    tapes.take(exchange(null))
    expect(await readFile(file, 'utf8')).toBe(before)
    await tapes.end()
    expect(readTape(file).requests).toHaveLength(1)
  })

  it('leaves the file unchanged if discarded', async () => {
    await writeFile(file, 'before')
    const tapes = new Tapes({ record: file })
    await tapes.begin({ scenario: 's', seed: 7 })
    await tapes.discard()
    expect(await readFile(file, 'utf8')).toBe('before')
    expect(await readdir(folder)).toEqual(['a.tape'])
  })

  it('is readable up to an incomplete last line', async () => {
    await writeFile(file, `${head}\n${line}\n${line.slice(0, 20)}`)
    expect(readTape(file).requests).toHaveLength(1)
  })

  it('can have empty lines and CRLF line ends', async () => {
    expect(await refusalOf(`${head}\r\n\n${line}\r\n\n`)).toBe('')
  })
})

describe('an invalid tape', () => {
  const withHead = (more: object) => JSON.stringify({ ...JSON.parse(head), ...more })
  it.each([
    [
      '',
      /^a\.tape:1: this is not a tape; its first line should begin with \{"format":"agent-mailbox-sim\/tape", as/,
    ],
    ['{}', /^a\.tape:1: this is not a tape/],
    ['null', /^a\.tape:1: this is not a tape/],
    ['# a comment', /^a\.tape:1: this is not a tape/],
    [
      withHead({ version: 2 }),
      /^a\.tape:1: version: this tape has version 2, but this simulator reads at most version 1/,
    ],
    [withHead({ version: '1' }), /^a\.tape:1: version: /],
    [
      withHead({ scenario: 't' }),
      /^a\.tape:1: scenario: this tape was recorded with the scenario "t", but this replay has "s"/,
    ],
    [withHead({ seed: 8 }), /^a\.tape:1: seed: .* use --seed 8, or record another one with --record\.$/],
    [withHead({ volatile: ['a'] }), /^a\.tape:1: volatile: "a" cannot be volatile; use query\.offset/],
    [withHead({ volatile: undefined }), /^a\.tape:1: volatile: /],
    [`${head}\n{"method":`, /^$/],
    [`${head}\n{"method":\n${line}\n`, /^a\.tape:2: expected one request as JSON: /],
    [`${head}\n${line}\n{"method":"GET"}\n`, /^a\.tape:3: path: /],
    [`${head}\n${line.replace('["1","2"]', '3')}\n`, /^a\.tape:2: query\.a: /],
  ])('is refused with its place: %j', async (text, refusal) => {
    expect(await refusalOf(text)).toMatch(refusal)
  })

  it('is refused if missing or not writable', async () => {
    const missing = join(folder, 'no.tape')
    const wanted = new TapeError('unreadable', `${missing}: there is no such file; create it with --record.`)
    expect(() => readTape(missing)).toThrow(wanted)
    const start = new Tapes({ record: join(folder, 'no/such.tape') }).begin({ scenario: 's', seed: 7 })
    await expect(start).rejects.toThrow(/no\/such\.tape: the tape cannot be written: ENOENT/)
  })
})

describe('parseVolatileList', () => {
  it('accepts names of fields, of parts, and repeats', () => {
    const names = ['query.offset', 'body.items.*.id', 'query', 'body', 'path', 'repeats']
    expect(parseVolatileList(` ${names.join(' , ')},`)).toEqual(names)
  })

  it.each(['offset', 'path.x', 'query.', 'body..x', 'repeats.x', 'method', 'headers.x'])(
    'refuses %s',
    (name) => {
      expect(() => parseVolatileList(`query.a,${name}`)).toThrow(`--volatile: "${name}" cannot be volatile`)
    },
  )
})
