import { renderIdentity } from '../rendering/resources.js'
import { identityOfPath } from './identity-lookup.js'
import { defineOperation } from './operation.js'
import { resourceReply } from './reply.js'

/** `GET /api/v1/identities/{handle}`: returns an identity; the handle may begin with `@`. @see interface 4.1 */
export const getIdentity = defineOperation({
  id: 'identities.get',
  perform(context) {
    const identity = identityOfPath(context, context.params.handle)
    return resourceReply(context.render.one(identity, renderIdentity))
  },
})
