import type { Amount } from '../../world/index.js'
import type { ScenarioExpectation } from '../format/index.js'

/** How many there have to be: one or more, where no number is given. */
export function amountOf({ times, at_least, at_most }: ScenarioExpectation): Amount {
  if (times !== undefined) return { least: times, most: times }
  return { least: at_least ?? (at_most === undefined ? 1 : 0), most: at_most ?? null }
}
