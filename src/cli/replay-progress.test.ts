import { describe, expect, it, onTestFinished } from 'vitest'
import type { ReplayStart } from '../replay/options.js'
import type { CommandOutcome } from '../replay/report.js'
import { plainStyle } from '../reports/index.js'
import type { WorldEvent } from '../world/index.js'
import { ReplayProgress } from './replay-progress.js'
import { Progress, type Screen } from './terminal.js'

const at = (second: number): string => `2026-01-05T09:00:${String(second).padStart(2, '0')}.400Z`

const start: ReplayStart = {
  scenario: 'question',
  seed: 7,
  clock: '10x',
  url: 'http://127.0.0.1:4280',
  start: '2026-01-05T09:00:00.000Z',
  length: 40_000,
  entries: 2,
  now: () => at(12),
}

const eventOf = (type: WorldEvent['type'], second: number, data: object): WorldEvent => {
  return { seq: 1, type, at: at(second), world: 'world_1', data }
}

const requested = (second: number, path = '/api/v1/mail/threads', status = 200): WorldEvent =>
  eventOf('exchange', second, { method: 'GET', path, query: {}, status, fault: null })

const played = (second: number, name: string, problem: string | null = null): WorldEvent =>
  eventOf('timeline', second, { name, at: at(second), problem })

const delivered = (second: number, status: string, attempts: readonly object[]): WorldEvent =>
  eventOf('delivery', second, {
    event: { type: 'message.received' },
    url: 'http://127.0.0.1/',
    status,
    attempts,
  })

const outcome: CommandOutcome = {
  command: ['agent'],
  status: 3,
  signal: null,
  ended: 'by-itself',
  passed: false,
  problem: 'ended with status 3',
  notes: [],
  output: '',
}

/** A screen of some width that records its output. */
function createScreen(columns = 200) {
  const written: string[] = []
  return { columns, write: (text: string) => written.push(text), text: () => written.join('') }
}

function progressOn(
  screen: Screen,
  { isTerminal, verbose = false }: { isTerminal: boolean; verbose?: boolean },
) {
  return new ReplayProgress(new Progress(screen, isTerminal), plainStyle, verbose)
}

describe('progress without a terminal', () => {
  it('shows timeline entries and the output of the command', () => {
    const screen = createScreen()
    const progress = progressOn(screen, { isTerminal: false })
    progress.started(start)
    progress.begun(false)
    progress.noted('a note')
    progress.wrote(['one', 'two'])
    progress.happened(requested(5))
    progress.happened(played(10, 'again'))
    progress.happened(played(11, '11s bounce', 'There is no such message.'))
    progress.ended(outcome)
    progress.end()
    progress.happened(played(12, 'too late'))
    expect(screen.text().split('\n')).toEqual([
      'question: 2 timeline entries, 40s of story at 10x; service at http://127.0.0.1:4280',
      'note: the story begins without any sign of the agent; to wait for it, use --ready <url>',
      'note: a note',
      'one',
      'two',
      '   10s  again',
      '   11s  bounce: could not be played as written: There is no such message.',
      'The command ended with status 3; the rest of the story happens without it.',
      '',
    ])
  })

  it('shows everything with verbose', () => {
    const screen = createScreen()
    const progress = progressOn(screen, { isTerminal: false, verbose: true })
    progress.started(start)
    progress.happened(requested(5))
    progress.happened(delivered(10, 'pending', [{ number: 1, response: null, error: null }]))
    progress.happened(delivered(10, 'succeeded', [{ number: 1, response: { status: 204 }, error: null }]))
    const refused = { number: 2, response: null, error: { message: 'Nothing listens there.' } }
    progress.happened(delivered(15, 'pending', [refused]))
    progress.happened(eventOf('clock', 15, {}))
    expect(screen.text().split('\n').slice(1)).toEqual([
      '    5s  GET /api/v1/mail/threads 200',
      '   10s  message.received to http://127.0.0.1/ succeeded: answered 204',
      '   15s  message.received to http://127.0.0.1/ pending, attempt 2: Nothing listens there.',
      '',
    ])
  })
})

describe('progress on a terminal', () => {
  /** Returns the final lines on a screen, without cleared ones. */
  function shown(act: (progress: ReplayProgress) => void, columns?: number): string[] {
    const screen = createScreen(columns)
    const progress = progressOn(screen, { isTerminal: true })
    onTestFinished(() => progress.end())
    progress.started(start)
    act(progress)
    return screen
      .text()
      .split('\n')
      .map((line) => line.split('\r\x1b[K').at(-1) ?? '')
  }

  it('shows events, and the state of the story in the last line', () => {
    const lines = shown((progress) => {
      progress.begun(true)
      progress.happened(requested(5))
      progress.happened(played(10, 'again'))
      progress.wrote(['\x1b[2Jhello'])
    })
    expect(lines.slice(1)).toEqual([
      '    5s  GET /api/v1/mail/threads 200',
      '   10s  again',
      '│ hello',
      '12s of 40s · 1 request · 0 delivery attempts',
    ])
  })

  it('collapses repeated requests', () => {
    const lines = shown((progress) => {
      for (let second = 0; second < 20; second++) progress.happened(requested(second))
      progress.happened(requested(20, '/api/v1/webhooks'))
      progress.happened(requested(21))
      progress.happened(requested(22))
    })
    expect(lines.slice(1)).toEqual([
      '    0s  GET /api/v1/mail/threads 200',
      '   20s  GET /api/v1/webhooks 200',
      '   21s  GET /api/v1/mail/threads 200',
      '12s of 40s · 23 requests, the last one 2 times · 0 delivery attempts',
    ])
  })

  it('shows what it waits for and clears the last line at the end', () => {
    expect(shown((progress) => progress.waiting()).at(-1)).toMatch(/ · waiting for the agent$/)
    expect(shown((progress) => progress.ending()).at(-1)).toMatch(
      / · the story is over; stopping the command$/,
    )
    const ended = shown((progress) => {
      progress.end()
      progress.happened(requested(5))
    })
    expect(ended.at(-1)).toBe('')
  })

  it('never writes a line that wraps', () => {
    expect(shown((progress) => progress.waiting(), 30).at(-1)).toHaveLength(29)
  })
})
