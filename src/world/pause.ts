/** A wait that lets itself be ended. */
export interface Pause {
  /** Settled when the time is over, or when the wait was ended. */
  readonly over: Promise<void>
  /** Ends it at once. */
  end(): void
}

/** Waits some milliseconds of wall time. */
export function startPause(milliseconds: number): Pause {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    end = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  return { over, end }
}
