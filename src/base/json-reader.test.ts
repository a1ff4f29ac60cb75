import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonReader, JsonReadingError } from './json-reader.js'

const bounds = { depth: 100, values: 10_000, members: 1_000 }

/** Reads a text whose bytes arrive in pieces of these lengths. */
function read(text: string, lengths: readonly number[] = [], limits = bounds): unknown {
  const reader = new JsonReader(limits)
  const bytes = new TextEncoder().encode(text)
  let at = 0
  for (const length of lengths) {
    reader.add(bytes.subarray(at, at + length))
    at += length
  }
  reader.add(bytes.subarray(at))
  return reader.end()
}

const anyLengths = fc.array(fc.integer({ min: 0, max: 9 }))

describe('JsonReader', () => {
  it('parses any JSON, wherever its bytes are divided', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyLengths, fc.constantFrom(0, 2), (value, lengths, spaces) => {
        const text = JSON.stringify(value, null, spaces)
        expect(read(text, lengths)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses whatever JSON.parse refuses', () => {
    const anyText = fc.array(fc.constantFrom(...'[]{},:"\\1 a')).map((characters) => characters.join(''))
    fc.assert(
      fc.property(anyText, anyLengths, (text, lengths) => {
        const [expected, found] = [() => JSON.parse(text), () => read(text, lengths)].map((parse) => {
          try {
            return { value: parse() as unknown }
          } catch {
            return undefined
          }
        })
        expect(found).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('parses the items of a long list a few at a time', () => {
    const items = Array.from({ length: 30 }, (_, index) => ({ index, text: `${index}"\\`.repeat(40_000) }))
    const text = JSON.stringify({ a: { rows: items }, b: [] })
    expect(read(text, Array(100).fill(65_536))).toEqual({ a: { rows: items }, b: [] })
    expect(() => read(text.replace('}]}', '},]}'))).toThrow(JsonReadingError)
  })

  it('refuses bytes that are not UTF-8', () => {
    const reader = new JsonReader(bounds)
    reader.add(new Uint8Array([0x22, 0xff, 0x22]))
    expect(() => reader.end()).toThrow(JsonReadingError)
  })

  it('keeps to its bounds', () => {
    expect(() => read('[[[]]]', [], { ...bounds, depth: 2 })).toThrow('more than 2 deep')
    expect(() => read('[1,2,3]', [], { ...bounds, values: 2 })).toThrow('2 values at most')
    expect(() => read('{"a":1,"b":2}', [], { ...bounds, members: 1 })).toThrow('1 in one object')
    expect(read('[[],[1,2]]', [], { depth: 2, values: 3, members: 1 })).toEqual([[], [1, 2]])
  })
})
