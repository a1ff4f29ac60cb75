/** What a user has asked for with Ctrl-C, or the system with SIGTERM. */
export interface Interruption {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal
  /** Leaves further signals to the system. */
  end(): void
}

/** Listens for signals that ask the program to end; at a second one, it ends at once, and takes its commands with it. */
export function listenForInterruption(): Interruption {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort()
  }
  // The last of them comes when a terminal is closed, which commands in sessions of their own hear nothing of.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  const end = (): void => {
    for (const signal of signals) process.off(signal, stop)
  }
  return { signal: controller.signal, end }
}
