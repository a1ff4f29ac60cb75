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
