import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../../test/support/fake-timers.js'
import { Clock } from '../time/clock.js'
import type { ClockMode } from '../time/time.js'
import type { AttemptResult, ReceiverAnswer } from './delivery.js'
import { type DeliveryTransport, interrupted, sendWithTimeout } from './transport.js'

const start = Date.parse('2026-01-05T09:00:00Z')
const request = { url: 'http://agent.test/hook', headers: {}, body: '{}' }
const answer: ReceiverAnswer = { status: 200, headers: {}, body: 'ok' }

useFakeTimers({ now: start })

/** Starts an attempt and records its outcome. */
function attempt(send: DeliveryTransport['send'], mode: ClockMode = 'frozen', timeout = 10_000) {
  const clock = new Clock(mode, start)
  const controller = new AbortController()
  const defects: unknown[] = []
  const outcomes: AttemptResult[] = []
  const signals: AbortSignal[] = []
  const made = sendWithTimeout(request, {
    clock,
    timeout,
    controller,
    onDefect: (error) => defects.push(error),
    send: (outgoing, signal) => {
      signals.push(signal)
      return send(outgoing, signal)
    },
  }).then((outcome) => outcomes.push(outcome))
  const end = () => controller.abort(interrupted)
  return { clock, end, defects, outcomes, made, isAborted: () => signals.every(({ aborted }) => aborted) }
}

/** Responds after some wall time. */
function answerAfter(
  milliseconds: number,
  given: ReceiverAnswer | Error = answer,
): DeliveryTransport['send'] {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    if (given instanceof Error) throw given
    return given
  }
}

describe('sendWithTimeout', () => {
  it.each([
    ['real', 700],
    ['frozen', 700],
    ['10x', 7000],
  ] as const)('returns the response with its duration on a clock that is %s', async (mode, duration_ms) => {
    const { clock, outcomes, end, defects } = attempt(answerAfter(700), mode)
    await vi.advanceTimersByTimeAsync(699)
    expect(outcomes).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(outcomes).toEqual([{ duration_ms, answer, error: null }])
    expect(defects).toEqual([])
    clock.stop()
    expect(vi.getTimerCount()).toBe(0)
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect(outcomes).toHaveLength(1)
  })

  it.each([
    ['real', 10_000],
    ['frozen', 10_000],
    ['10x', 1000],
    ['0.5x', 10_000],
  ] as const)('times out on a clock that is %s, or on that of the machine', async (mode, timeout) => {
    const { outcomes, isAborted } = attempt(answerAfter(60_000), mode)
    await vi.advanceTimersByTimeAsync(timeout - 1)
    expect(outcomes).toEqual([])
    expect(isAborted()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    const error = { code: 'timeout', message: 'The receiver timed out after 10 s.' }
    expect(outcomes).toEqual([{ duration_ms: 10_000, answer: null, error }])
    expect(isAborted()).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(outcomes).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes at least as long as an advance', async () => {
    const { clock, outcomes } = attempt(answerAfter(500))
    await clock.advance(7000)
    await vi.advanceTimersByTimeAsync(500)
    expect(outcomes).toMatchObject([{ duration_ms: 7000, error: null }])
  })

  it('limits the duration to the timeout if a timer is late', async () => {
    const { outcomes } = attempt(async () => {
      vi.advanceTimersByTime(0)
      const stuck = performance.now() + 11_000
      vi.spyOn(performance, 'now').mockReturnValue(stuck)
      return answer
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(outcomes).toEqual([{ duration_ms: 10_000, answer, error: null }])
  })

  it('reports an unexpected error as a defect and as broken-off', async () => {
    const defect = new TypeError('A defect.')
    const { outcomes, defects } = attempt(answerAfter(5, defect))
    await vi.advanceTimersByTimeAsync(5)
    expect(outcomes).toMatchObject([{ error: { code: 'broken-off' } }])
    expect(JSON.stringify(outcomes)).not.toContain('A defect.')
    expect(defects).toEqual([defect])
  })

  it('ignores the rejection of an aborted request', async () => {
    const send: DeliveryTransport['send'] = (_, signal) => {
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    }
    const { outcomes, defects } = attempt(send)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(outcomes).toMatchObject([{ error: { code: 'timeout' } }])
    expect(defects).toEqual([])
  })
})

describe('sendWithTimeout when its world ends', () => {
  const interrupted = { code: 'interrupted', message: expect.any(String) }

  it('is interrupted immediately and leaves no timer', async () => {
    const { end, outcomes, isAborted } = attempt(() => new Promise(() => undefined))
    await vi.advanceTimersByTimeAsync(300)
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect(outcomes).toEqual([{ duration_ms: 300, answer: null, error: interrupted }])
    expect(isAborted()).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends nothing if the world has already ended', async () => {
    const send = vi.fn(async () => answer)
    const controller = new AbortController()
    controller.abort(interrupted)
    const options = {
      clock: new Clock('frozen', start),
      timeout: 10_000,
      send,
      controller,
      onDefect: () => undefined,
    }
    expect(await sendWithTimeout(request, options)).toEqual({
      duration_ms: 0,
      answer: null,
      error: interrupted,
    })
    expect(send).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})
