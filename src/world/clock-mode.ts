import { ClockError } from './errors.js'

/** `real` is the machine's clock; `frozen` and `10x` begin at the scenario's start. */
export type ClockMode = 'real' | 'frozen' | `${number}x`

/** Reads a clock mode. @throws ClockError `unknown-mode` */
export function parseClockMode(text: string): ClockMode {
  const speed = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1])
  if (text === 'real' || text === 'frozen' || (speed > 0 && Number.isFinite(speed))) {
    return text as ClockMode
  }
  throw new ClockError(
    'unknown-mode',
    `There is no clock "${text}"; choose real, frozen or a speed such as 10x.`,
  )
}

/** How many milliseconds pass in one of the machine's; 0 while time stands still. */
export function speedOf(mode: ClockMode): number {
  return mode === 'frozen' ? 0 : mode === 'real' ? 1 : Number.parseFloat(mode)
}
