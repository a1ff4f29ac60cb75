import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { isWatched, sanitizeLine, styleFor } from './terminal.js'

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['plain\ttext', 'plain\ttext'],
  ['\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m\x1b[0m'],
  ['\x1b[1;38:5:9mbold', '\x1b[1;38:5:9mbold\x1b[0m'],
  ['\x1b[2Jcleared\x1b[1A\x1b[?25l', 'cleared'],
  ['bell\x07, back\b, c1\x9b', 'bell, back, c1'],
  ['\x1b]0;title\x07text', 'text'],
])('sanitizes %j to %j', (line, shown) => {
  expect(sanitizeLine(line)).toBe(shown)
})

it.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { CI: '', TERM: 'xterm' }, true],
  [{ isTTY: true }, { CI: 'false' }, true],
  [{ isTTY: true }, { CI: 'true' }, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: false }, {}, false],
  [{}, {}, false],
])('returns for %j with %j whether it is an interactive terminal: %s', (screen, environment, seen) => {
  expect(isWatched(screen, environment)).toBe(seen)
})

it.each([
  [undefined, 'x'],
  ['0', 'x'],
  ['1', '\x1b[1mx\x1b[22m'],
])('styles the text of a file with FORCE_COLOR %s as %j', (value, shown) => {
  vi.stubEnv('FORCE_COLOR', value)
  const file = new PassThrough() as unknown as NodeJS.WriteStream
  expect(styleFor(file).strong('x')).toBe(shown)
})
