import { version } from '../version.js'
import type { Route } from './route.js'

/** `GET /_sim/health`: that the server is there, and what it serves. */
export const healthRoute: Route = {
  path: '/health',
  answers: {
    GET: ({ scenario, clock }) => ({ status: 'ok', version, scenario, now: clock.now() }),
  },
}
