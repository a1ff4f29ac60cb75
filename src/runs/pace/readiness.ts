import { stopwatch, Timers } from '../../service/world/index.js'
import type { PlayOptions } from '../options.js'
import { isListening, type LocalReceiver } from '../receivers.js'

/** Signs that an agent is up, so that its story may begin. */
export interface ReadySigns {
  /** Where it responds, with any status; if given, nothing else is a sign. */
  readonly url: string | undefined
  /** Where it receives deliveries. */
  readonly receivers: readonly LocalReceiver[]
  readonly activity: RequestActivity
}

/** Milliseconds between two checks. */
const pollInterval = 50

/** Milliseconds without a request after which an agent has finished its first requests. */
const quiet = 250

/** The milliseconds after which the story begins even if the agent keeps sending requests. */
const longestStart = 5_000

/** Records when a server last responded to a request. */
export class RequestActivity {
  #sinceLast: (() => number) | undefined

  /** Notes a request. */
  note(): void {
    this.#sinceLast = stopwatch()
  }

  /** Whether there was any request. */
  get any(): boolean {
    return this.#sinceLast !== undefined
  }

  /** Returns whether there was no request for some milliseconds. */
  isQuiet(milliseconds = quiet): boolean {
    return !this.#sinceLast || this.#sinceLast() >= milliseconds
  }
}

/** Returns how long to wait for an agent, in milliseconds of wall time: longer if its URL is known. */
export function readyTimeoutOf({ ready, readyTimeout }: Pick<PlayOptions, 'ready' | 'readyTimeout'>): number {
  return readyTimeout ?? (ready === undefined ? 10_000 : 60_000)
}

/**
 * Waits until an agent is up, at most for the given milliseconds of wall time, and then until its first requests are
 * done. Time stands still meanwhile, so that the result does not depend on the speed of the machine. Returns whether
 * there was a sign of the agent.
 */
export async function waitForAgent(signs: ReadySigns, most: number, signal: AbortSignal): Promise<boolean> {
  const ready = await waitUntil(() => isReady(signs, signal), most, signal)
  const sinceReady = stopwatch()
  const isQuiet = async (): Promise<boolean> => sinceReady() >= quiet && signs.activity.isQuiet()
  if (ready) await waitUntil(isQuiet, longestStart, signal)
  return ready
}

async function waitUntil(isSo: () => Promise<boolean>, most: number, signal: AbortSignal): Promise<boolean> {
  const elapsed = stopwatch()
  const timers = new Timers()
  while (!signal.aborted) {
    if (await isSo()) return true
    if (elapsed() >= most) return false
    await timers.wait(pollInterval, signal)
  }
  return false
}

async function isReady({ url, receivers, activity }: ReadySigns, signal: AbortSignal): Promise<boolean> {
  if (url !== undefined) return answers(url, signal)
  if (activity.any) return true
  const up = await Promise.all(receivers.map(isListening))
  return up.length > 0 && up.every((listening) => listening)
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
