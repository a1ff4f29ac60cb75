import { type Answer, describeExchange } from '../answer.js'
import { onlyOf } from './probe.js'

/** What is known about a gap. */
export interface Finding {
  /** The only assumption under which a service answers so; undefined if that is unclear. */
  readonly assumption: string | undefined
  /** The exchanges that show it, or why it is unclear. */
  readonly because: string
}

/** Returns what answers show, if they fit one assumption only. */
export function findingOf(fitting: readonly string[], answers: readonly Answer[]): Finding {
  const assumption = onlyOf(fitting)
  const seen = answers.map(describeExchange).slice(0, 3).join('; ')
  return {
    assumption,
    because: assumption === undefined ? `several assumptions fit, or none: ${seen}` : seen,
  }
}

/** Says why a gap is unclear. */
export function unclear(because: string): Finding {
  return { assumption: undefined, because }
}
