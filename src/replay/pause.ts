import { startPause } from '../world/index.js'

/** Waits some milliseconds of wall time, no longer than until the signal says so. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { over, end } = startPause(milliseconds)
  signal.addEventListener('abort', end, { once: true })
  await over
  signal.removeEventListener('abort', end)
}
