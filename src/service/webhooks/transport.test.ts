import { expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../../test/support/fake-timers.js'
import { Clock } from '../time/clock.js'
import type { ClockMode } from '../time/time.js'
import type { AttemptResult, ReceiverAnswer } from './delivery.js'
import { type DeliveryTransport, interrupted, sendWithTimeout } from './transport.js'

const start = Date.parse('2026-01-05T09:00:00Z')
const answer: ReceiverAnswer = { status: 200, headers: {}, body: 'ok' }

useFakeTimers({ now: start })

/** Starts an attempt with a timeout of 10 s, and records its outcomes. */
function attempt(send: DeliveryTransport['send'], mode: ClockMode = 'frozen', abort?: unknown) {
  const clock = new Clock(mode, start)
  const controller = new AbortController()
  if (abort) controller.abort(abort)
  const defects: unknown[] = []
  const outcomes: AttemptResult[] = []
  const options = { clock, timeout: 10_000, controller, onDefect: (error: unknown) => defects.push(error) }
  const request = { url: 'http://agent.test/hook', headers: {}, body: '{}' }
  void sendWithTimeout(request, { ...options, send }).then((outcome) => outcomes.push(outcome))
  return { clock, controller, defects, outcomes }
}

/** Answers after some wall time; an abort ends that with an error, as it does in `fetch`. */
function answerAfter(milliseconds: number, defect?: Error): DeliveryTransport['send'] {
  return (_, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setTimeout(() => (defect ? reject(defect) : resolve(answer)), milliseconds)
    })
}

const timedOut = { answer: null, error: { code: 'timeout', message: 'The receiver timed out after 10 s.' } }
const answered = { answer, error: null }

it.each<[mode: ClockMode, answerAt: number, wall: number, result: AttemptResult]>([
  ['real', 700, 700, { duration_ms: 700, ...answered }],
  ['frozen', 700, 700, { duration_ms: 700, ...answered }],
  ['10x', 700, 700, { duration_ms: 7000, ...answered }],
  ['real', 60_000, 10_000, { duration_ms: 10_000, ...timedOut } as AttemptResult],
  ['frozen', 60_000, 10_000, { duration_ms: 10_000, ...timedOut } as AttemptResult],
  ['10x', 60_000, 1000, { duration_ms: 10_000, ...timedOut } as AttemptResult],
  ['0.5x', 60_000, 10_000, { duration_ms: 10_000, ...timedOut } as AttemptResult],
])(
  'on a clock that is %s, an answer after %i ms ends an attempt after %i',
  async (mode, at, wall, result) => {
    const { clock, controller, outcomes, defects } = attempt(answerAfter(at), mode)
    await vi.advanceTimersByTimeAsync(wall - 1)
    expect([outcomes, controller.signal.aborted]).toEqual([[], false])
    await vi.advanceTimersByTimeAsync(1)
    expect([outcomes, controller.signal.aborted]).toEqual([[result], result.error !== null])
    clock.stop()
    controller.abort(interrupted)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([outcomes.length, defects, vi.getTimerCount()]).toEqual([1, [], 0])
  },
)

it('an attempt takes at least as long as an advance, and at most until its timeout', async () => {
  const { clock, outcomes } = attempt(answerAfter(500))
  await clock.advance(7000)
  await vi.advanceTimersByTimeAsync(500)
  expect(outcomes).toEqual([{ duration_ms: 7000, ...answered }])
  const late = attempt(async () => {
    vi.advanceTimersByTime(0)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 11_000)
    return answer
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(late.outcomes).toEqual([{ duration_ms: 10_000, ...answered }])
})

it('an unexpected error is a defect, and broken-off', async () => {
  const defect = new TypeError('A defect.')
  const { outcomes, defects } = attempt(answerAfter(5, defect))
  await vi.advanceTimersByTimeAsync(5)
  expect(outcomes).toMatchObject([{ error: { code: 'broken-off' } }])
  expect(JSON.stringify(outcomes)).not.toContain('A defect.')
  expect(defects).toEqual([defect])
})

it('the end of its world interrupts an attempt at once, or keeps it from beginning, and leaves no timer', async () => {
  const { controller, outcomes } = attempt(() => new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(300)
  controller.abort(interrupted)
  const send = vi.fn(async () => answer)
  const ended = attempt(send, 'frozen', interrupted)
  await vi.advanceTimersByTimeAsync(0)
  expect(outcomes).toEqual([{ duration_ms: 300, answer: null, error: interrupted }])
  expect(ended.outcomes).toEqual([{ duration_ms: 0, answer: null, error: interrupted }])
  expect(send).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})
