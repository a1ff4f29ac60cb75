import { describe, expect, it, onTestFinished } from 'vitest'
import type { CommandOutcome } from '../runs/agent/agent.js'
import type { PlayStart } from '../runs/agent/options.js'
import { plainStyle } from '../runs/reports/report.js'
import type { WorldEvent } from '../service/world/entries.js'
import { ReplayProgress } from './replay-progress.js'
import { Progress } from './terminal.js'

const at = (second: number): string => `2026-01-05T09:00:${String(second).padStart(2, '0')}.400Z`

const start: PlayStart = {
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

const requested = (second: number, path = '/api/v1/mail/threads'): WorldEvent =>
  eventOf('exchange', second, { method: 'GET', path, query: {}, status: 200, fault: null, replayed: null })

const played = (second: number, name: string, problem: string | null = null): WorldEvent =>
  eventOf('timeline', second, { name, at: at(second), problem })

const delivered = (second: number, status: string, attempt: object): WorldEvent => {
  const event = { type: 'message.received' }
  return eventOf('delivery', second, { event, url: 'http://127.0.0.1/', status, attempts: [attempt] })
}

const outcome = {
  ended: 'by-itself',
  problem: 'exited with status 3',
} as Partial<CommandOutcome> as CommandOutcome

/** Returns the final lines on a screen after a replay, without cleared ones. */
function shown(
  act: (progress: ReplayProgress) => void,
  { isTerminal = false, verbose = false, columns = 200 } = {},
): string[] {
  let text = ''
  const screen = { columns, write: (written: string) => (text += written) }
  const progress = new ReplayProgress(new Progress(screen, isTerminal), plainStyle, verbose)
  onTestFinished(() => progress.end())
  progress.started(start)
  act(progress)
  return text.split('\n').map((line) => line.split('\r\x1b[K').at(-1) ?? '')
}

describe('progress without a terminal', () => {
  it('shows timeline entries and the output of the command', () => {
    const lines = shown((progress) => {
      progress.begun(false)
      progress.noted('a note')
      progress.wrote(['one', 'two'])
      progress.happened(requested(5))
      progress.happened(played(10, 'again'))
      progress.happened(played(11, '11s bounce', 'There is no such message.'))
      progress.ended(outcome)
      progress.end()
      progress.happened(played(12, 'too late'))
    })
    expect(lines).toEqual([
      'question: 2 timeline entries, 40s of story at 10x; service at http://127.0.0.1:4280',
      'note: the story begins without any sign of the agent; to wait for it, use --ready <url>',
      'note: a note',
      'one',
      'two',
      '   10s  again',
      '   11s  bounce: could not be played as written: There is no such message.',
      'The command exited with status 3; the rest of the story is played without it.',
      '',
    ])
  })

  it('shows everything with verbose', () => {
    const act = (progress: ReplayProgress): void => {
      progress.happened(requested(5))
      progress.happened(delivered(10, 'pending', { number: 1, response: null, error: null }))
      progress.happened(delivered(10, 'succeeded', { number: 1, response: { status: 204 }, error: null }))
      const error = { message: 'Nothing listens there.' }
      progress.happened(delivered(15, 'pending', { number: 2, response: null, error }))
      progress.happened(eventOf('clock', 15, {}))
    }
    expect(shown(act, { verbose: true }).slice(1)).toEqual([
      '    5s  GET /api/v1/mail/threads 200',
      '   10s  message.received to http://127.0.0.1/ succeeded: response 204',
      '   15s  message.received to http://127.0.0.1/ pending, attempt 2: Nothing listens there.',
      '',
    ])
  })
})

describe('progress on a terminal', () => {
  const isTerminal = true

  it('collapses repeated requests and shows the state of the story in the last line', () => {
    const act = (progress: ReplayProgress): void => {
      for (let second = 0; second < 20; second++) progress.happened(requested(second))
      progress.wrote(['\x1b[2Jhello'])
      progress.happened(requested(20, '/api/v1/webhooks'))
      progress.happened(requested(21))
      progress.happened(requested(22))
    }
    expect(shown(act, { isTerminal }).slice(1)).toEqual([
      '    0s  GET /api/v1/mail/threads 200',
      '│ hello',
      '   20s  GET /api/v1/webhooks 200',
      '   21s  GET /api/v1/mail/threads 200',
      '12s of 40s · 23 requests, the last one 2 times · 0 delivery attempts',
    ])
  })

  it('shows what it waits for without wrapping, and clears the last line at the end', () => {
    const waiting = (progress: ReplayProgress) => progress.waiting()
    expect(shown(waiting, { isTerminal }).at(-1)).toMatch(/ · waiting for the agent$/)
    expect(shown(waiting, { isTerminal, columns: 30 }).at(-1)).toHaveLength(29)
    const ending = shown((progress) => progress.ending(), { isTerminal })
    expect(ending.at(-1)).toMatch(/ · the story has ended; stopping the command$/)
    expect(shown((progress) => progress.end(), { isTerminal }).at(-1)).toBe('')
  })
})
