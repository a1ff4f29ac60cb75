import { readMore } from '../../base/help.js'
import { didYouMean, expectedOneOf, shorten } from '../../base/text.js'
import { handlePattern, type IdentityRow } from '../model/rows.js'
import type { OperationContext } from './operation.js'
import { notFound, RequestError, reject } from './request-error.js'

/** What a look-up of an identity requires. */
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

/**
 * Returns the identity that an `agent` filter names; adds a hint with the existing handles if it names none.
 */
export function findFilteredAgent(context: OperationContext, agent: string): IdentityRow | undefined {
  const found = findNamedAgent(context, agent)
  if (!found) hintAtNoMatch(context, 'agent', agent)
  return found
}

/** Adds a hint that a filter selects no identity of the organization, with the values that would. */
export function hintAtNoMatch(context: OperationContext, filter: 'agent' | 'mailbox', value: string): void {
  // Hints of a rehearsal are dropped, and this compares all values.
  if (context.rehearsal) return
  const field = filter === 'agent' ? 'agent_handle' : 'mailbox_address'
  const known = ownIdentities(context).map((identity) => identity[field])
  const given = `${filter}=${JSON.stringify(shorten(value))}`
  context.hints.add(
    `${given} matches no ${filter}${expectedOneOf(value, known, '.')}${readMore('no-such-agent')}`,
  )
}

function ownIdentities({ store, organization }: LookupContext): IdentityRow[] {
  return store.rows('identity', store.identities(organization.id).page({ order: 'created' }))
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

/** Refuses a text that cannot be a handle. @throws RequestError */
function settleHandleFormat({ settle }: Pick<OperationContext, 'settle'>, handle: string): void {
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
  const known = ownIdentities(context).map(({ agent_handle }) => agent_handle)
  return notFound('agent', handle, didYouMean(handle, known) || undefined)
}

/** Returns whether any organization has an identity with a handle. */
function isTaken({ store, settle }: OperationContext, handle: string): boolean {
  return settle('identities.handle-case', {
    exact: () => store.identityBy('handleAnywhere', handle) !== undefined,
    insensitive: () => store.identityBy('foldedHandleAnywhere', handle) !== undefined,
  })
}
