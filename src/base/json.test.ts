import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { encodeJson, escapedJson, parseJson, spacedJson } from './json.js'

const written = (value: object) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(encodeJson(value))

it('encodes values as JSON.stringify does', () => {
  const letters = ['a', 'é', '注', '😀', '"', '\\', '\n', '\u0000', '\ud83d', '\ude00', '\ufeff']
  const longText = fc
    .tuple(fc.nat({ max: 3 }), fc.constantFrom(...letters), fc.array(fc.constantFrom(...letters)))
    .map(([shift, filling, end]) => 'x'.repeat(shift) + filling.repeat(65_540) + end.join(''))
  const long = fc.record({ text: longText, other: fc.jsonValue() })
  fc.assert(
    fc.property(fc.oneof(long, fc.record({ message: long, list: fc.array(fc.string()) })), (value) => {
      expect(written(value) === JSON.stringify(value)).toBe(true)
    }),
    { numRuns: 30 },
  )
  const others = [
    {},
    [],
    { a: undefined },
    { a: undefined, b: null, text: 'é'.repeat(70_000) },
    ['x'.repeat(70_000)],
  ]
  for (const value of others) expect(written(value) === JSON.stringify(value)).toBe(true)
})

it('never stringifies a long text as a whole', () => {
  const stringify = vi.spyOn(JSON, 'stringify')
  encodeJson({ message: { subject: 'x', text: 'ü'.repeat(1_000_000) } })
  const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length))
  stringify.mockRestore()
  expect(longest).toBeLessThan(70_000)
})

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
])('parses %j, or returns undefined for invalid JSON', (text, value) => {
  expect(parseJson(text)).toStrictEqual(value)
})

describe('JSON in other spellings', () => {
  const value = {
    'a: "b, c"': [1, [], {}, [2, { d: null }]],
    text: 'Grüße, 😀 / "\n\u2028\\',
    none: undefined,
    'ä/': { e: ['f'] },
  }

  it('has a space after each comma and colon', () => {
    expect(spacedJson(value)).toBe(
      String.raw`{"a: \"b, c\"": [1, [], {}, [2, {"d": null}]], "text": "Grüße, 😀 / \"\n` +
        '\u2028' +
        String.raw`\\", "ä/": {"e": ["f"]}}`,
    )
  })

  it('is ASCII, with escaped slashes', () => {
    expect(escapedJson({ text: value.text, 'ä/': 1 })).toBe(
      String.raw`{"text":"Gr\u00fc\u00dfe, \ud83d\ude00 \/ \"\n\u2028\\","\u00e4\/":1}`,
    )
  })

  it('means the same', () => {
    for (const write of [spacedJson, escapedJson])
      expect(JSON.parse(write(value))).toEqual(JSON.parse(JSON.stringify(value)))
  })
})
