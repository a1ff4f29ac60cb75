import { expect, it } from 'vitest'
import { parseJson } from './json.js'

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
])('reads %j, or says that it is not JSON', (text, value) => {
  expect(parseJson(text)).toEqual(value)
  expect(parseJson(text) === undefined).toBe(value === undefined)
})
