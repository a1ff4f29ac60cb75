import * as conversations from './suite/1-conversations.js'
import * as service from './suite/1-service.js'
import * as agentIdentity from './suite/2.1-agent-identity.js'
import * as thread from './suite/2.2-thread.js'
import * as attachments from './suite/2.3-attachments.js'
import * as headers from './suite/2.3-headers.js'
import * as message from './suite/2.3-message.js'
import * as webhook from './suite/2.4-webhook-subscription.js'
import * as states from './suite/3-states.js'
import * as getIdentity from './suite/4.1-get-identity.js'
import * as updateSilentPoints from './suite/4.2-silent-points.js'
import * as updateIdentity from './suite/4.2-update-identity.js'
import * as threadsPaging from './suite/4.3-threads-paging.js'
import * as threadsScope from './suite/4.3-threads-scope.js'
import * as messages from './suite/4.4-messages.js'
import * as messagesPaging from './suite/4.4-messages-paging.js'
import * as webhooks from './suite/4.5-webhooks.js'
import * as query from './suite/4-query.js'
import * as authentication from './suite/5-authentication.js'
import * as events from './suite/6-events.js'
import * as errors from './suite/7-errors.js'
import * as pathsAndMethods from './suite/7-paths-and-methods.js'
import * as limits from './suite/8-limits.js'
import * as versioning from './suite/9-versioning.js'
import type { Transport } from './transport.js'

/** The suite, in the order of the interface. */
export const parts: readonly { describePart(transport: Transport): void }[] = [
  service,
  conversations,
  agentIdentity,
  thread,
  message,
  headers,
  attachments,
  webhook,
  states,
  query,
  getIdentity,
  updateIdentity,
  updateSilentPoints,
  threadsScope,
  threadsPaging,
  messages,
  messagesPaging,
  webhooks,
  authentication,
  events,
  errors,
  pathsAndMethods,
  limits,
  versioning,
]
