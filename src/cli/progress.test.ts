import { expect, it } from 'vitest'
import type { PlayStart, PlayWatcher } from '../runs/agent/options.js'
import type { CommandEnd } from '../runs/agent/run-command.js'
import type { WorldEvent } from '../service/world/entries.js'
import { plansProgress, playProgress } from './progress.js'
import { Progress } from './terminal.js'

const at = (second: number): string => `2026-01-05T09:00:${String(second).padStart(2, '0')}.400Z`

const start: PlayStart = {
  ...{ scenario: 'question', seed: 7, clock: '10x', url: 'http://127.0.0.1:4280', entries: 2 },
  ...{ start: '2026-01-05T09:00:00.000Z', length: 40_000, now: () => at(12) },
}

const eventOf = (type: WorldEvent['type'], second: number, data: object): WorldEvent => {
  return { seq: 1, type, at: at(second), world: 'world_1', data }
}

const request = eventOf('exchange', 5, {
  ...{ method: 'GET', path: '/api/v1/mail/threads', query: {}, status: 200, fault: null, replayed: null },
})

const played = (second: number, name: string, problem: string | null = null): WorldEvent =>
  eventOf('timeline', second, { name, at: at(second), problem })

const delivered = (second: number, status: string, attempt: object): WorldEvent => {
  const event = { type: 'message.received' }
  return eventOf('delivery', second, { event, url: 'http://127.0.0.1/', status, attempts: [attempt] })
}

/** Returns what is written to a screen. */
function written(act: (progress: Progress) => void, isTerminal: boolean, columns = 200): string {
  let text = ''
  act(new Progress({ columns, write: (piece: string) => (text += piece) }, isTerminal))
  return text
}

/** Returns the lines of a play on a screen, and the last line of a terminal. */
function playedOn(
  act: (play: Required<PlayWatcher>) => void,
  { isTerminal = false, verbose = false, columns = 200 } = {},
) {
  const show = (progress: Progress): void => {
    const watcher = playProgress(progress, verbose)
    watcher.started?.(start)
    act(watcher as Required<PlayWatcher>)
  }
  return written(show, isTerminal, columns)
    .split('\n')
    .map((line) => line.split('\r\x1b[K').at(-1) ?? '')
}

const exited = { ended: 'by-itself', problem: 'exited with status 3' } as Partial<CommandEnd>

it('a play shows its timeline and what the command writes', () => {
  const lines = playedOn((play) => {
    play.begun(false)
    play.noted('a note')
    play.wrote(['one', 'two'], 'stdout')
    play.happened(request)
    play.happened(played(10, 'again'))
    play.happened(played(11, '11s bounce', 'There is no such message.'))
    play.ended(exited as CommandEnd)
  })
  expect(lines).toEqual([
    'question: 2 timeline entries, 40s of story at 10x; service at http://127.0.0.1:4280',
    'note: the story begins without any sign of the agent; to wait for it, use --ready <url>',
    'note: a note',
    'one',
    'two',
    '   10s  again',
    '   11s  bounce: could not be played as written: There is no such message.',
    'The command exited with status 3 before the story was over.',
    '',
  ])
})

it('a play shows requests and deliveries with verbose', () => {
  const act = (play: Required<PlayWatcher>): void => {
    play.happened(request)
    play.happened(delivered(10, 'pending', { number: 1, response: null, error: null }))
    play.happened(delivered(10, 'succeeded', { number: 1, response: { status: 204 }, error: null }))
    const error = { message: 'Nothing listens there.' }
    play.happened(delivered(15, 'pending', { number: 2, response: null, error }))
    play.happened(eventOf('clock', 15, {}))
  }
  expect(playedOn(act, { verbose: true }).slice(1)).toEqual([
    '    5s  GET /api/v1/mail/threads 200',
    '   10s  message.received to http://127.0.0.1/ succeeded: response 204',
    '   15s  message.received to http://127.0.0.1/ pending, attempt 2: Nothing listens there.',
    '',
  ])
})

it('a terminal shows the state of a play in its last line, which does not wrap', () => {
  const act = (play: Required<PlayWatcher>): void => {
    play.happened(request)
    play.happened(request)
    play.wrote(['\x1b[2Jhello'], 'stdout')
  }
  expect(playedOn(act, { isTerminal: true }).slice(1)).toEqual(['hello', '12s of 40s · 2 requests'])
  const waiting = (play: PlayWatcher) => play.waiting?.()
  expect(playedOn(waiting, { isTerminal: true }).at(-1)).toMatch(/ · waiting for the agent$/)
  expect(playedOn(waiting, { isTerminal: true, columns: 30 }).at(-1)).toHaveLength(29)
})

it('several plays show how each ended, and a terminal how many', () => {
  const show = (progress: Progress): void => {
    const watcher = plansProgress<number, boolean>(progress, {
      noun: 'trial',
      nameOf: String,
      hasFailed: (passed) => !passed,
      formatEnd: (passed, plan) => (passed ? undefined : `trial ${plan} failed`),
    })
    watcher.planned?.([1, 2, 3])
    watcher.noted?.('a note')
    watcher.started?.(1)
    watcher.started?.(3)
    watcher.ended?.(false, 3)
    watcher.ended?.(true, 1)
  }
  expect(written(show, false)).toBe('note: a note\ntrial 3 failed\n')
  const lines = written(show, true).split('\r\x1b[K')
  expect(lines).toContain('0 of 3 trials, 0 failed; playing 1, 3')
  expect(lines.at(-1)).toBe('2 of 3 trials, 1 failed')
})
