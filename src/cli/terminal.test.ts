import { expect, it } from 'vitest'
import { tamed } from './terminal.js'

it.each([
  ['plain\ttext', 'plain\ttext'],
  ['\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m\x1b[0m'],
  ['\x1b[1;38:5:9mbold', '\x1b[1;38:5:9mbold\x1b[0m'],
  ['\x1b[2Jcleared\x1b[1A\x1b[?25l', 'cleared'],
  ['bell\x07, back\b, c1\x9b', 'bell, back, c1'],
  ['\x1b]0;title\x07text', 'text'],
])('%j is shown on a terminal as %j', (line, shown) => {
  expect(tamed(line)).toBe(shown)
})
