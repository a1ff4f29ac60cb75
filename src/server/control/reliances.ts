import type { Route } from './route.js'

/** `GET /_sim/reliances`: the silent points of the interface that requests so far relied on. */
export const reliancesRoute: Route = {
  path: '/reliances',
  answers: {
    GET: (simulator) => ({ reliances: simulator.reliances() }),
  },
}
