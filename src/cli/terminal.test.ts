import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isWatched, Progress, sanitizeLine, showLoading, styleFor } from './terminal.js'

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

describe('the progress line of loading', () => {
  /** Shows progress at some times, then ends; returns the lines written before and at the end. */
  function shown(progressAt: [now: number, messages: number, of: number][], columns = 0): string[] {
    const lines: string[] = []
    const write = (text: string) => lines.push(text.replace('\r\x1b[K', ''))
    const progress = new Progress({ columns, write }, true)
    let time = 0
    const show = showLoading('busy-inbox', progress, () => time)
    for (const [now, messages, of] of progressAt) {
      time = now
      show({ messages, of })
    }
    progress.end()
    time += 10_000
    show({ messages: 1, of: 2 })
    return lines
  }

  it('appears after 300 ms, is redrawn at most ten times a second, and cleared at the end', () => {
    expect(shown([0, 50, 299].map((now) => [now, 1, 2]))).toEqual([])
    const times = [300, 350, 399, 400, 499, 500]
    expect(shown(times.map((now) => [now, 1000 * now, 1_000_000]))).toEqual([
      'Loading busy-inbox: 300,000 of 1,000,000 messages (30 %)',
      'Loading busy-inbox: 400,000 of 1,000,000 messages (40 %)',
      'Loading busy-inbox: 500,000 of 1,000,000 messages (50 %)',
      '',
    ])
  })

  it('is truncated to the screen and allows zero messages', () => {
    expect(shown([[300, 0, 0]], 30)).toEqual(['Loading busy-inbox: 0 of 0 me', ''])
  })
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
