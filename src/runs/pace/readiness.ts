import { stopwatch, Timers } from '../../service/time/wall-time.js'
import type { PlayOptions } from '../agent/options.js'

/** Milliseconds between two checks. */
const pollInterval = 50

/** Returns how long to wait for an agent, in milliseconds of wall time. */
export function readyTimeoutOf({ readyTimeout = 60_000 }: Pick<PlayOptions, 'readyTimeout'>): number {
  return readyTimeout
}

/** Waits until the URL of an agent responds with any status, if there is one; returns whether it did in time. */
export async function waitForUrl(options: PlayOptions, signal: AbortSignal): Promise<boolean> {
  const { ready: url } = options
  const elapsed = stopwatch()
  const timers = new Timers()
  while (url !== undefined && !signal.aborted) {
    if (await answers(url, signal)) return true
    if (elapsed() >= readyTimeoutOf(options)) return false
    await timers.wait(pollInterval, signal)
  }
  return true
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(5_000)])
    const answer = await fetch(url, { redirect: 'manual', headers: { connection: 'close' }, signal: limit })
    await answer.body?.cancel()
    return true
  } catch {
    return false
  }
}
