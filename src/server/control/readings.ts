import type { Simulator } from '../../simulator/simulator.js'
import type { ReadingChoices } from '../../world/index.js'
import { ControlError } from './control-error.js'
import type { Route } from './route.js'

/** `GET /_sim/readings`: the reading of every gap, and who chose it. `PATCH`: changes some, all or none of them. */
export const readingsRoute: Route = {
  path: '/readings',
  answers: {
    GET: show,
    PATCH: (simulator, body) => {
      simulator.readings.set(choicesOf(body))
      return show(simulator)
    },
  },
}

function show({ readings }: Simulator): object {
  return { readings: readings.current(), origins: readings.origins() }
}

function choicesOf(body: unknown): ReadingChoices {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ControlError(
      'invalid_body',
      'The body must be a JSON object of readings by gap, such as {"threads.total": "page-size"}.',
    )
  }
  for (const [gap, reading] of Object.entries(body)) {
    if (typeof reading === 'string') continue
    throw new ControlError(
      'invalid_body',
      `The reading of "${gap}" must be a string, such as "page-size" or "401".`,
    )
  }
  return body as ReadingChoices
}
