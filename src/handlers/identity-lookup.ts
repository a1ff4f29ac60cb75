import { expectedOneOf, shorten } from '../contract/text.js'
import type { IdentityRow } from '../model/index.js'
import { handlePattern } from '../world/index.js'
import type { OperationContext } from './operation.js'
import { notFound, RequestError, reject } from './request-error.js'

/** What a look-up of an identity needs. */
type LookupContext = Pick<OperationContext, 'store' | 'organization' | 'settle'>

/** Returns the identity of the caller's organization with a handle, written without `@`. */
function findIdentity(context: LookupContext, handle: string): IdentityRow | undefined {
  const { store, organization } = context
  return context.settle('identities.handle-case', {
    exact: () => store.identityBy('handle', organization.id, handle),
    insensitive: () =>
      store.identityBy('handle', organization.id, handle) ??
      store.identityBy('foldedHandle', organization.id, handle),
  })
}

/** Returns the identity that an `agent` filter names; hints at those there are if it names none. */
export function findFilteredAgent(context: OperationContext, agent: string): IdentityRow | undefined {
  const found = findNamedAgent(context, agent)
  // Hints of a rehearsal are dropped, and this compares all handles.
  if (!found && !context.rehearsal) {
    const { store, organization, hints } = context
    const ids = store.identities(organization.id).page({ order: 'created' })
    const handles = store.rows('identity', ids).map(({ agent_handle }) => agent_handle)
    hints.add(`agent=${JSON.stringify(shorten(agent))} matches no agent${expectedOneOf(agent, handles, '.')}`)
  }
  return found
}

function findNamedAgent(context: LookupContext, agent: string): IdentityRow | undefined {
  if (!agent.startsWith('@')) return findIdentity(context, agent)
  const identity = findIdentity(context, agent.slice(1))
  return context.settle('threads.agent-at-prefix', {
    'same-agent': () => identity,
    'no-match': () => undefined,
  })
}

/** Returns the identity whose handle, with or without `@`, is in a path. @throws RequestError */
export function identityOfPath(context: OperationContext, name: string): IdentityRow {
  const handle = name.startsWith('@') ? name.slice(1) : name
  settleHandleFormat(context, handle)
  return findIdentity(context, handle) ?? unknownHandle(context, handle)
}

/** Refuses what cannot be a handle. @throws RequestError */
export function settleHandleFormat({ settle }: Pick<OperationContext, 'settle'>, handle: string): void {
  if (handlePattern.test(handle)) return
  settle('identities.handle-format', {
    'not-found': () => notFound('agent', handle),
    rejected: () =>
      reject(`"${handle}" cannot be a handle: it is too long, or has characters that handles cannot have.`),
  })
}

function unknownHandle(context: OperationContext, handle: string): never {
  if (isTaken(context, handle)) {
    context.settle('auth.other-organization', {
      'not-found': () => notFound('agent', handle),
      forbidden: () => {
        throw new RequestError('forbidden', `The agent "${handle}" belongs to another organization.`)
      },
    })
  }
  return notFound('agent', handle)
}

/** Returns whether any organization has an identity with a handle. */
function isTaken({ store, settle }: OperationContext, handle: string): boolean {
  return settle('identities.handle-case', {
    exact: () => store.identityBy('handleAnywhere', handle) !== undefined,
    insensitive: () => store.identityBy('foldedHandleAnywhere', handle) !== undefined,
  })
}
