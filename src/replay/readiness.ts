import { stopwatch } from '../world/index.js'
import type { ReplayOptions } from './options.js'
import { pause } from './pause.js'
import { isListening, type LocalReceiver } from './receivers.js'

/** By what an agent is known to be up, so that its story may begin. */
export interface ReadySigns {
  /** Where it answers, with whatever status; then nothing else is a sign. */
  readonly url: string | undefined
  /** Where it receives deliveries. */
  readonly receivers: readonly LocalReceiver[]
  readonly requests: RequestsHeard
}

/** Milliseconds between looks. */
const beat = 50

/** Milliseconds without a request after which an agent has done what it does first. */
const quiet = 250

/** Milliseconds after which the story begins, though the agent still asks for one thing after another. */
const longest = 5_000

/** The requests a server had, as they are answered. */
export class RequestsHeard {
  #sinceLast: (() => number) | undefined

  /** Notes one. */
  note(): void {
    this.#sinceLast = stopwatch()
  }

  /** Whether there was any. */
  get any(): boolean {
    return this.#sinceLast !== undefined
  }

  /** Whether there was none in the last moment. */
  get areQuiet(): boolean {
    return !this.#sinceLast || this.#sinceLast() >= quiet
  }
}

/** How long an agent is waited for, in milliseconds of wall time: where it is known how it shows, and otherwise. */
export function readyTimeoutOf({
  ready,
  readyTimeout,
}: Pick<ReplayOptions, 'ready' | 'readyTimeout'>): number {
  return readyTimeout ?? (ready === undefined ? 10_000 : 60_000)
}

/**
 * Waits until an agent is up, at most so many milliseconds of wall time, and then until it has asked for what it wants
 * first: time stands still until then, so that how far it gets does not hang on how fast the machine is. Gives whether
 * anything was seen of it.
 */
export async function waitForAgent(signs: ReadySigns, most: number, signal: AbortSignal): Promise<boolean> {
  const ready = await waitUntil(() => isReady(signs, signal), most, signal)
  const sinceReady = stopwatch()
  const isQuiet = async (): Promise<boolean> => sinceReady() >= quiet && signs.requests.areQuiet
  if (ready) await waitUntil(isQuiet, longest, signal)
  return ready
}

async function waitUntil(isSo: () => Promise<boolean>, most: number, signal: AbortSignal): Promise<boolean> {
  const elapsed = stopwatch()
  while (!signal.aborted) {
    if (await isSo()) return true
    if (elapsed() >= most) return false
    await pause(beat, signal)
  }
  return false
}

async function isReady({ url, receivers, requests }: ReadySigns, signal: AbortSignal): Promise<boolean> {
  if (url !== undefined) return answers(url, signal)
  if (requests.any) return true
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
