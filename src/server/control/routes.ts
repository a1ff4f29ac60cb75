import { clockRoutes } from './clock.js'
import { createAboutRoutes } from './document.js'
import { eventRoutes } from './events.js'
import { expectationRoutes } from './expectations.js'
import { faultRoutes } from './faults.js'
import { journalRoutes } from './journal.js'
import { mailRoutes } from './mail.js'
import { identityRoutes, mailboxRoutes } from './mailbox.js'
import { readingRoutes } from './readings.js'
import type { ControlRoute } from './route.js'
import { webhookRoutes } from './webhooks.js'
import { worldRoutes } from './worlds.js'

/** Every route below `/_sim`, in the order of the documentation. */
export const routes: readonly ControlRoute[] = [
  ...createAboutRoutes(() => routes),
  ...worldRoutes,
  ...mailRoutes,
  ...mailboxRoutes,
  ...identityRoutes,
  ...webhookRoutes,
  ...clockRoutes,
  ...expectationRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...eventRoutes,
  ...readingRoutes,
]
