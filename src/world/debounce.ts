/** Has something done once it has not been asked for again for a while. */
export interface Debounced {
  /** Asks for it. */
  (): void
  /** Calls off what has been asked for. */
  cancel(): void
}

/** What does `action` once it has not been asked for again for `quiet` milliseconds; it keeps no process alive. */
export function debounce(action: () => void, quiet: number): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = (): void => clearTimeout(timer)
  const ask = (): void => {
    cancel()
    timer = setTimeout(action, quiet)
    ;(timer as { unref?: () => void }).unref?.()
  }
  return Object.assign(ask, { cancel })
}
