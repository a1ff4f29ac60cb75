import type { IdentityRow } from '../model/index.js'
import type { Call } from './call.js'

/** The identity of the caller's organization with that handle, written without `@`. */
export function findIdentity(call: Call, handle: string): IdentityRow | undefined {
  const { store, organization } = call
  return call.settle('identities.handle-case', {
    exact: () => store.identityByHandle(organization.id, handle),
    insensitive: () =>
      store.identityByHandle(organization.id, handle) ??
      store.identityByFoldedHandle(organization.id, handle),
  })
}

/** The identity an `agent` filter names. */
export function findFilteredAgent(call: Call, agent: string): IdentityRow | undefined {
  if (!agent.startsWith('@')) return findIdentity(call, agent)
  const identity = findIdentity(call, agent.slice(1))
  return call.settle('threads.agent-at-prefix', {
    'same-agent': () => identity,
    'no-match': () => undefined,
  })
}
