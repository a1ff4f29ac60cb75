import { createOpenApi } from '../../contract/openapi.js'
import { version } from '../version.js'
import type { Route } from './route.js'

/** `GET /_sim/openapi.json`: the documented interface, with the readings in force. */
export const openApiRoute: Route = {
  path: '/openapi.json',
  answers: {
    GET: ({ readings }) => createOpenApi({ version, readings: readings.current() }),
  },
}
