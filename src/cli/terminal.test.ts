import { describe, expect, it } from 'vitest'
import { isWatched, Progress, sanitizeLine, showLoading } from './terminal.js'

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

/** A screen of some width that records its lines, and a manual clock. */
function createScreen(columns?: number) {
  const lines: string[] = []
  const time = { now: 0 }
  const screen = {
    ...(columns !== undefined && { columns }),
    write: (text: string) => lines.push(text.replace('\r\x1b[K', '')),
  }
  const progress = new Progress(screen, true)
  const show = showLoading('busy-inbox', progress, () => time.now)
  return { lines, time, line: { show, end: () => progress.end() } }
}

describe('the progress line of loading', () => {
  it('is redrawn in place and cleared at the end', () => {
    const { lines, time, line } = createScreen()
    time.now = 400
    line.show({ messages: 5_000, of: 1_000_000 })
    time.now = 500
    line.show({ messages: 412_999, of: 1_000_000 })
    line.end()
    expect(lines).toEqual([
      'Loading busy-inbox: 5,000 of 1,000,000 messages (0 %)',
      'Loading busy-inbox: 412,999 of 1,000,000 messages (41 %)',
      '',
    ])
  })

  it('is not shown if loading ends soon', () => {
    const { lines, time, line } = createScreen()
    for (time.now = 0; time.now < 300; time.now += 50) line.show({ messages: 1, of: 2 })
    line.end()
    expect(lines).toEqual([])
  })

  it('is redrawn at most ten times a second', () => {
    const { lines, time, line } = createScreen()
    for (time.now = 300; time.now < 1300; time.now += 10) line.show({ messages: time.now, of: 5_000 })
    expect(lines).toHaveLength(10)
  })

  it('is not shown after its end', () => {
    const { lines, time, line } = createScreen()
    line.end()
    time.now = 10_000
    line.show({ messages: 1, of: 2 })
    expect(lines).toEqual([])
  })

  it('works without the width of the screen', () => {
    const { lines, time, line } = createScreen(0)
    time.now = 300
    line.show({ messages: 1, of: 2 })
    expect(lines).toEqual(['Loading busy-inbox: 1 of 2 messages (50 %)'])
  })

  it('is truncated to the screen and allows zero messages', () => {
    const { lines, time, line } = createScreen(30)
    time.now = 300
    line.show({ messages: 0, of: 0 })
    expect(lines).toEqual(['Loading busy-inbox: 0 of 0 me'])
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
