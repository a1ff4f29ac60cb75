import { version } from '../../base/package.js'
import { z } from '../../base/schema.js'
import { createOpenApi } from '../../contract/openapi.js'
import type { Simulator } from '../simulator/simulator.js'
import { assumptionRoutes, assumptions } from './assumptions.js'
import { clock, clockRoutes, timeline } from './clock.js'
import { type Control, type ControlRoute, control } from './control.js'
import { createDocument } from './document.js'
import { faults } from './faults.js'
import { judgingRoutes } from './judging.js'
import { journal, logRoutes } from './log.js'
import { mail, mailRoutes } from './mail.js'
import { identities, mailbox, threads } from './mailboxes.js'
import { deliveryRoutes, webhooks } from './webhooks.js'
import { worldRoutes } from './worlds.js'

/** A control that the control API has. */
export type Route = Control<Simulator> & ControlRoute<Simulator>

/** The routes that describe the server. */
const aboutRoutes = [
  control({
    route: 'GET /health',
    summary:
      'Reports that the server is running, and what it serves; 503 if it cannot write changes to its state.',
    ofServer: true,
    agents: true,
    answer: () =>
      z.object({ status: z.literal('ok'), version: z.string(), scenario: z.string(), now: z.string() }),
    async perform({ scenario, clock, persistence }: Simulator) {
      await persistence?.check()
      return { status: 'ok', version, scenario, now: clock.now() }
    },
  }),
  control({
    route: 'GET /control.json',
    summary: 'Returns the description of the control API as OpenAPI 3.1.',
    ofServer: true,
    perform: (_: Simulator): object => createDocument(routes, version),
  }),
  control({
    route: 'GET /openapi.json',
    summary:
      'Returns the description of the simulated service as OpenAPI 3.1, with the assumptions in force.',
    perform({ assumptions, extensions, view }: Simulator) {
      return createOpenApi({ version, assumptions: assumptions.current(), extensions, server: view.base })
    },
  }),
]

/** Everything that a tester can do to a world, by its family; entries without a route are for programs in this process. */
const families: readonly object[] = [
  ...[aboutRoutes, worldRoutes, mail, mailRoutes, threads, mailbox, identities, webhooks, deliveryRoutes],
  ...[clock, timeline, clockRoutes, faults, journal, logRoutes, judgingRoutes, assumptionRoutes, assumptions],
]

/** Every route below `/_sim`, in the order of the documentation. */
export const routes: readonly Route[] = families.flatMap((family) => {
  return Object.values<Partial<Route>>(family as never).filter((one): one is Route => one.route !== undefined)
})
