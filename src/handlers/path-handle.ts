import type { IdentityRow } from '../model/index.js'
import { handlePattern } from '../world/index.js'
import type { Call } from './call.js'
import { findIdentity } from './find-identity.js'
import { notFound, Refusal, reject } from './refusal.js'

/** The handle in a path, decoded; `@` still before it where it was given. */
export function decodeHandle(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return reject(`"${encoded}" is not valid percent-encoding.`)
  }
}

/** The identity a path names, with or without `@`. @throws Refusal */
export function identityOfPath(call: Call, given: string): IdentityRow {
  const handle = given.startsWith('@') ? given.slice(1) : given
  if (!handlePattern.test(handle)) {
    call.settle('identities.handle-format', {
      'not-found': () => notFound('agent', handle),
      rejected: () => reject(`"${handle}" cannot be a handle: it has characters no handle has, or too many.`),
    })
  }
  return findIdentity(call, handle) ?? refuseUnknown(call, handle)
}

function refuseUnknown(call: Call, handle: string): never {
  if (isTaken(call, handle)) {
    call.settle('auth.other-organization', {
      'not-found': () => notFound('agent', handle),
      forbidden: () => {
        throw new Refusal('forbidden', `The agent "${handle}" belongs to another organization.`)
      },
    })
  }
  return notFound('agent', handle)
}

/** Whether some organization has an identity with that handle. */
function isTaken({ store, settle }: Call, handle: string): boolean {
  return settle('identities.handle-case', {
    exact: () => store.identityAnywhere(handle) !== undefined,
    insensitive: () => store.identityByFoldedHandleAnywhere(handle) !== undefined,
  })
}
