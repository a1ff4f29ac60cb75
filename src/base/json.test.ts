import { describe, expect, it } from 'vitest'
import { escapedJson, parseJson, spacedJson } from './json.js'

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
