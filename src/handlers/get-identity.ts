import { renderIdentity } from '../world/index.js'
import type { Call } from './call.js'
import { decodeHandle, identityOfPath } from './path-handle.js'
import { type Reply, resourceReply } from './reply.js'

/** `GET /api/v1/identities/{handle}`: with or without `@`, the same identity. @see interface 4.1 */
export function getIdentity(call: Call): Reply {
  const identity = identityOfPath(call, decodeHandle(call.handle))
  return resourceReply(call.render.one(identity, renderIdentity))
}
