import { platform, startTimer } from './platform-time.js'

/** A wait that can be ended early. */
export interface Pause {
  /** Resolves when the time has passed or the wait was ended. */
  readonly over: Promise<void>
  end(): void
}

/** Starts a wait of some milliseconds of wall time. */
export function startPause(milliseconds: number): Pause {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => {
    const timer = platform.setTimeout(resolve, milliseconds)
    end = () => {
      platform.clearTimeout(timer)
      resolve()
    }
  })
  return { over, end }
}

/** Thrown when something takes longer than its limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Performs something with a limit of wall time, in milliseconds, and ends it when another signal aborts. It holds the limit
 * itself until then: what follows a signal, such as a `Request`, is held weakly, and a limit that nobody holds may never fire.
 * @throws TimeLimitError, or the reason of the signal
 */
export async function withinLimit<Result>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  let end = (_reason: unknown): void => undefined
  const ended = new Promise<never>((_, reject) => {
    end = (reason) => {
      reject(reason)
      ending.abort(reason)
    }
  })
  const follow = (): void => end(signal?.reason)
  const timer = platform.setTimeout(
    () => end(new TimeLimitError(`It took more than ${milliseconds} ms.`)),
    milliseconds,
  )
  signal?.addEventListener('abort', follow, { once: true })
  if (signal?.aborted) follow()
  try {
    const result = act(ending.signal)
    // It may fail after its end, which nobody observes.
    result.catch(() => undefined)
    return await Promise.race([result, ended])
  } finally {
    platform.clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}

/** Starts measuring wall time; returns a function that returns the milliseconds since then. */
export function stopwatch(): () => number {
  const started = platform.now()
  return () => platform.now() - started
}

/** Starts measuring this process's processor time; returns a function that returns the milliseconds used since then. */
export function processorStopwatch(): () => number {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const usage = process?.cpuUsage
  // A browser does not expose it.
  if (!usage) return () => 0
  const before = usage()
  return () => {
    const { user, system } = usage(before)
    return (user + system) / 1000
  }
}

/**
 * Yields to the event loop once, so that sockets and signals are served during long work. Uses no timer, since a test
 * with fake timers would never continue.
 */
export function yieldToEventLoop(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/** Milliseconds for which long work may block the event loop. */
const maxBlockingTime = 25

/**
 * Returns a function that long work calls between its steps; it returns a promise to await whenever the work has
 * blocked the event loop for too long.
 * @example const yieldIfDue = createYielder(); for (const step of steps) { perform(step); await yieldIfDue() }
 */
export function createYielder(): () => Promise<void> | undefined {
  let elapsed = stopwatch()
  return () => {
    if (elapsed() <= maxBlockingTime) return undefined
    return yieldToEventLoop().then(() => {
      elapsed = stopwatch()
    })
  }
}

/** Performs the steps of long work, and lets others work between them; returns the result. */
export async function inTurns<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  const yieldIfDue = createYielder()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const due = yieldIfDue()
    if (due) await due
  }
}

/** Performs the steps of long work at once; returns the result. */
export function lastOf<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Returns a unique id, for marking things outside of the simulated worlds, such as processes. */
export function uniqueMark(): string {
  return globalThis.crypto.randomUUID()
}

/** Returns the machine's time, in milliseconds since the epoch: for facts outside of the simulated worlds. */
export function wallTime(): number {
  return platform.date()
}

/** The longest delay of a platform timer, in milliseconds. */
export const maxTimerDelay = 2_147_483_647

interface Wait {
  /** When it ends, in elapsed milliseconds. */
  readonly due: number
  readonly end: () => void
  /** Whether it lets the process exit. */
  readonly background: boolean
  disarm: () => void
}

/** What waits follow: a duration that passes at a speed, and jumps when time is skipped. */
interface Elapsing {
  elapsed(): number
  /** Milliseconds that pass per millisecond of the machine; 0 while it only jumps. */
  readonly rate: number
}

const machine: Elapsing = { elapsed: () => platform.now(), rate: 1 }

/** Waits for durations, by default of wall time. */
export class Timers {
  readonly #waits = new Set<Wait>()
  readonly #source: Elapsing

  constructor(source = machine) {
    this.#source = source
  }

  /** Waits for a duration, or until the signal aborts; a `background` wait does not keep the process alive. */
  wait(duration: number, signal?: AbortSignal, background = false): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        wait.disarm()
        this.#waits.delete(wait)
        // A signal may live as long as the program; its listeners must not accumulate.
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const wait: Wait = { due: this.#source.elapsed() + duration, disarm: () => undefined, end, background }
      signal?.addEventListener('abort', end, { once: true })
      this.#waits.add(wait)
      this.#arm(wait)
    })
  }

  /** The number of waits, and when the first of them ends, in elapsed milliseconds; undefined if there is none. */
  get count(): number {
    return this.#waits.size
  }

  get next(): number | undefined {
    return this.#waits.size === 0 ? undefined : Math.min(...[...this.#waits].map(({ due }) => due))
  }

  /** Adapts every wait after the source has jumped or changed its speed. */
  rearm(): void {
    for (const wait of this.#waits) this.#arm(wait)
  }

  /** Ends every wait. */
  end(): void {
    for (const { end } of this.#waits) end()
  }

  #arm(wait: Wait): void {
    wait.disarm()
    const { rate } = this.#source
    const left = wait.due - this.#source.elapsed()
    if (left <= 0) {
      wait.end()
      return
    }
    if (rate === 0) return
    const next = left / rate > maxTimerDelay ? () => this.#arm(wait) : wait.end
    wait.disarm = startTimer(next, Math.min(maxTimerDelay, left / rate), wait.background)
  }
}
