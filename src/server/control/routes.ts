import { clockRoute } from './clock.js'
import { deliveriesRoute, oneDeliveryRoute, redeliverRoute } from './deliveries.js'
import { createDocumentRoute } from './document-route.js'
import { eventsRoute } from './events.js'
import { faultsRoute, oneFaultRoute } from './faults.js'
import { healthRoute } from './health.js'
import { identitiesRoute, oneIdentityRoute } from './identities.js'
import { commandsRoute, journalRoute } from './journal.js'
import { harRoute } from './journal-har.js'
import { messagesRoute } from './messages.js'
import { openApiRoute } from './openapi.js'
import { bouncedRoute, deliveredRoute } from './outcomes.js'
import { readingsRoute } from './readings.js'
import { reliancesRoute } from './reliances.js'
import type { Route } from './route.js'
import { snapshotRoute } from './snapshot.js'
import { readRoute, unreadRoute } from './threads.js'
import { timelineRoute } from './timeline.js'
import { oneWebhookRoute, webhooksRoute } from './webhooks.js'
import { resetRoute, worldRoute } from './world.js'
import { oneWorldRoute, worldsRoute } from './worlds.js'

/** All there is below `/_sim`, in the order in which people are told of it. */
export const routes: readonly Route[] = [
  healthRoute,
  createDocumentRoute(() => routes),
  openApiRoute,
  worldsRoute,
  oneWorldRoute,
  worldRoute,
  resetRoute,
  snapshotRoute,
  messagesRoute,
  deliveredRoute,
  bouncedRoute,
  readRoute,
  unreadRoute,
  identitiesRoute,
  oneIdentityRoute,
  webhooksRoute,
  oneWebhookRoute,
  deliveriesRoute,
  oneDeliveryRoute,
  redeliverRoute,
  clockRoute,
  timelineRoute,
  faultsRoute,
  oneFaultRoute,
  journalRoute,
  harRoute,
  commandsRoute,
  eventsRoute,
  readingsRoute,
  reliancesRoute,
]
