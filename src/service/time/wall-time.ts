/** A timer or a clock that a library for fake timers has put in the place of the platform's. */
interface Faked {
  readonly clock?: Readonly<Record<string, unknown>>
}

/**
 * The platform's timers and clock as they were when this file was loaded: a test may have faked those that are global since, and
 * its time is not that of a wait for the simulator.
 */
export const platform = capture()

function capture() {
  const { performance } = globalThis
  // If they were faked before, the fakes know what they replaced.
  const clock = original('Date')
  const isFaked = clock !== Date
  const [setTimer, clearTimer, queue] = [
    original('setTimeout'),
    original('clearTimeout'),
    original('queueMicrotask'),
  ]
  return {
    // Browsers refuse to call them as methods of another object.
    setTimeout: (act: () => void, milliseconds: number) => setTimer(act, milliseconds),
    clearTimeout: (timer: ReturnType<typeof setTimeout>) => clearTimer(timer),
    queueMicrotask: (act: () => void) => queue(act),
    isPresent: () => globalThis.setTimeout === setTimer,
    /** Milliseconds since the epoch. */
    date: (): number => clock.now(),
    /** Milliseconds of a clock that nobody sets. */
    now: isFaked ? () => clock.now() : performance.now.bind(performance),
  }
}

function original<Name extends 'setTimeout' | 'clearTimeout' | 'queueMicrotask' | 'Date'>(
  name: Name,
): (typeof globalThis)[Name] {
  const present: (typeof globalThis)[Name] & Faked = globalThis[name]
  return (present.clock?.[`_${name}`] as (typeof globalThis)[Name] | undefined) ?? present
}

/** Calls a function as soon as the platform's timer is over, or one that a test fakes and moves. Returns what ends it. */
export function startTimer(act: () => void, milliseconds: number, background = false): () => void {
  const handle = platform.setTimeout(act, milliseconds)
  const { setTimeout: present, clearTimeout: clear } = globalThis
  const faked = platform.isPresent() ? undefined : present(act, milliseconds)
  // Some fakes are numbers.
  if (background) for (const one of [handle, faked]) (one as { unref?: () => void } | undefined)?.unref?.()
  return () => {
    platform.clearTimeout(handle)
    if (faked !== undefined) clear(faked)
  }
}

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
  readonly end: () => void
  disarm: () => void
}

/** Waits for durations of wall time. */
export class Timers {
  readonly #waits = new Set<Wait>()

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
      const start = (left: number): void => {
        const next = left > maxTimerDelay ? () => start(left - maxTimerDelay) : end
        wait.disarm = startTimer(next, Math.min(maxTimerDelay, left), background)
      }
      const wait: Wait = { disarm: () => undefined, end }
      signal?.addEventListener('abort', end, { once: true })
      this.#waits.add(wait)
      start(Math.max(0, duration))
    })
  }

  /** Ends every wait. */
  end(): void {
    for (const { end } of this.#waits) end()
  }
}
