import { healthRoute } from './health.js'
import { openApiRoute } from './openapi.js'
import { readingsRoute } from './readings.js'
import { reliancesRoute } from './reliances.js'
import type { Route } from './route.js'

/** All there is below `/_sim`. */
export const routes: readonly Route[] = [healthRoute, openApiRoute, readingsRoute, reliancesRoute]
