import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkTape, readTape } from './read-tape.js'
import { TapeRecorder } from './recorder.js'
import type { TapedRequest } from './tape.js'
import { TapeError } from './tape-error.js'
import { parseVolatileList } from './volatile.js'

let folder = ''
let file = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tape-'))
  file = join(folder, 'a.tape')
})

afterAll(() => rm(folder, { recursive: true }))

const head = '{"format":"agent-mailbox-sim/tape","version":1,"scenario":"s","seed":7,"volatile":["query.a"]}'
const line = '{"method":"GET","path":"/","query":{"a":["1","2"]},"body":null}'
const request: TapedRequest = { method: 'GET', path: '/', query: { a: ['1', '2'] }, body: null }

/** What is said of a tape with some text, its path left out. */
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
  it('holds what was recorded, at every moment of the recording', async () => {
    const recorder = new TapeRecorder(file, { scenario: 's', seed: 7, volatile: ['query.a'] })
    expect(readTape(file).requests).toEqual([])
    recorder.add(request)
    recorder.add({ ...request, body: { a: [1, 'ü\n'] } })
    expect(await readFile(file, 'utf8')).toMatch(`${head}\n${line}\n`)
    const { head: read, requests } = readTape(file)
    expect(read).toEqual(JSON.parse(head))
    expect(requests).toEqual([
      { line: 2, request },
      { line: 3, request: { ...request, body: { a: [1, 'ü\n'] } } },
    ])
  })

  it('takes the place of what was in the file', async () => {
    await writeFile(file, 'x'.repeat(10_000))
    new TapeRecorder(file, { scenario: 's', seed: 7, volatile: [] }).add(request)
    expect(readTape(file).requests).toHaveLength(1)
  })

  it('stays as it was until there is something to take its place', async () => {
    await writeFile(file, `${head}\n${line}\n`)
    const recorder = new TapeRecorder(file, { scenario: 's', seed: 7, volatile: [] })
    expect(readTape(file).requests).toHaveLength(1)
    recorder.begin()
    expect(readTape(file).requests).toEqual([])
  })

  it('is there up to where a crash cut it off', async () => {
    await writeFile(file, `${head}\n${line}\n${line.slice(0, 20)}`)
    expect(readTape(file).requests).toHaveLength(1)
  })

  it('may be written by hand, with empty lines', async () => {
    expect(await refusalOf(`${head}\r\n\n${line}\r\n\n`)).toBe('')
  })
})

describe('a tape that does not fit', () => {
  const withHead = (more: object) => JSON.stringify({ ...JSON.parse(head), ...more })
  it.each([
    [
      '',
      /^a\.tape:1: this is no tape; its first line should begin with \{"format":"agent-mailbox-sim\/tape", as/,
    ],
    ['{}', /^a\.tape:1: this is no tape/],
    ['null', /^a\.tape:1: this is no tape/],
    ['# a comment', /^a\.tape:1: this is no tape/],
    [
      withHead({ version: 2 }),
      /^a\.tape:1: version: this tape has version 2, and this simulator reads no newer/,
    ],
    [withHead({ version: '1' }), /^a\.tape:1: version: /],
    [
      withHead({ scenario: 't' }),
      /^a\.tape:1: scenario: this tape is of the scenario "t", and this one is "s"/,
    ],
    [withHead({ seed: 8 }), /^a\.tape:1: seed: .* use --seed 8, or record another one with --record\.$/],
    [
      withHead({ volatile: ['a'] }),
      /^a\.tape:1: volatile: "a" is nothing that can be volatile; name query\.offset/,
    ],
    [withHead({ volatile: undefined }), /^a\.tape:1: volatile: /],
    [`${head}\n{"method":`, /^$/],
    [`${head}\n{"method":\n${line}\n`, /^a\.tape:2: expected one request as JSON: /],
    [`${head}\n${line}\n{"method":"GET"}\n`, /^a\.tape:3: path: /],
    [`${head}\n${line.replace('["1","2"]', '3')}\n`, /^a\.tape:2: query\.a: /],
  ])('%j is refused with its place', async (text, refusal) => {
    expect(await refusalOf(text)).toMatch(refusal)
  })

  it('is refused where there is none, and where none can be', () => {
    const missing = join(folder, 'no.tape')
    const wanted = new TapeError('unreadable', `${missing}: there is no such file; make it with --record.`)
    expect(() => readTape(missing)).toThrow(wanted)
    const start = () =>
      new TapeRecorder(join(folder, 'no/such.tape'), { scenario: 's', seed: 7, volatile: [] })
    expect(start).toThrow(/no\/such\.tape: the tape cannot be written: ENOENT/)
  })
})

describe('the list of what is volatile', () => {
  it('takes names of fields, of parts, and repeats', () => {
    const names = ['query.offset', 'body.items.*.id', 'query', 'body', 'path', 'repeats']
    expect(parseVolatileList(` ${names.join(' , ')},`)).toEqual(names)
  })

  it.each(['offset', 'path.x', 'query.', 'body..x', 'repeats.x', 'method', 'headers.x'])(
    'refuses %s',
    (name) => {
      expect(() => parseVolatileList(`query.a,${name}`)).toThrow(
        `--volatile: "${name}" is nothing that can be volatile`,
      )
    },
  )
})
