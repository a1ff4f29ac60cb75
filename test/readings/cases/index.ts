import type { GapCases } from '../gap-case.js'
import { authenticationCases } from './authentication.js'
import { errorCases } from './errors.js'
import { identityCases } from './identities.js'
import { limitCases } from './limits.js'
import { messageListCases } from './message-lists.js'
import { messageCases } from './messages.js'
import { requestCases } from './requests.js'
import { threadPageCases, threadScopeCases } from './thread-lists.js'
import { threadCases } from './threads.js'
import { webhookCases } from './webhooks.js'

/** How a client meets each gap, in the order of the register. */
export const cases: GapCases = {
  ...authenticationCases,
  ...errorCases,
  ...requestCases,
  ...identityCases,
  ...threadPageCases,
  ...threadScopeCases,
  ...threadCases,
  ...messageListCases,
  ...messageCases,
  ...webhookCases,
  ...limitCases,
}
