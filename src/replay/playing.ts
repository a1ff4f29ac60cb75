import type { Simulator } from '../simulator/simulator.js'
import { type ClockMode, parseInstant, speedOf } from '../world/index.js'
import { pause } from './pause.js'

/** Milliseconds of wall time between looks at the clock, which an agent may have moved or given another mode. */
const beat = 200

/** Has a story go on as a clock has it, exactly to its end, or until the signal says so; then time stands still. */
export async function playUntil(
  { clock }: Simulator,
  { mode, end, signal }: { readonly mode: ClockMode; readonly end: number; readonly signal: AbortSignal },
): Promise<void> {
  if (Number.isFinite(end)) clock.stopAt(end)
  clock.setMode(mode)
  for (let left = end - now(clock); left > 0 && !signal.aborted; left = end - now(clock)) {
    const speed = speedOf(clock.mode)
    await pause(speed === 0 ? beat : Math.min(beat, Math.ceil(left / speed)), signal)
  }
  if (clock.mode !== 'frozen') clock.setMode('frozen')
}

/** Has what is left of a story happen at once, and waits for deliveries that are under way. */
export async function playOut({ clock }: Simulator, end: number): Promise<void> {
  await clock.advance(Math.max(0, end - now(clock)))
}

function now(clock: Simulator['clock']): number {
  return parseInstant(clock.now()) as number
}
