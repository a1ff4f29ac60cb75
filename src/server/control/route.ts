import type { Simulator } from '../../simulator/simulator.js'

/** The methods routes of the control API have. */
export type ControlMethod = 'GET' | 'PATCH'

/** Gives what a request is answered with, as JSON; `body` is that of a PATCH. @throws ControlError, ReadingError */
export type Answer = (simulator: Simulator, body: unknown) => unknown

/** One path of the control API. */
export interface Route {
  /** The path below `/_sim`. */
  readonly path: `/${string}`
  readonly answers: Readonly<Partial<Record<ControlMethod, Answer>>>
}

/** The methods of a route, for people: `GET and PATCH`. */
export function methodsOf({ answers }: Route): string {
  return Object.keys(answers).join(' and ')
}

/** The methods of a route, for `Allow`. */
export function allowOf({ answers }: Route): string {
  return Object.keys(answers)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}
