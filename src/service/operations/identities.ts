import { readMore } from '../../base/help.js'
import { once } from '../../base/once.js'
import { didYouMean, expectedOneOf, shorten } from '../../base/text.js'
import { type IdentityPatch, identityPatchSchema } from '../../contract/resources.js'
import { tickOf } from '../assumptions/settle.js'
import { handlePattern, type IdentityRow } from '../model/rows.js'
import { renderIdentity } from '../rendering/resources.js'
import { defineOperation, type OperationContext, readJsonBody } from './operation.js'
import { resourceReply } from './reply.js'
import { ignoredHint } from './request.js'
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
function identityOfPath(context: OperationContext, name: string): IdentityRow {
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

/** `GET /api/v1/identities/{handle}`: returns an identity; the handle may begin with `@`. @see interface 4.1 */
export const getIdentity = defineOperation({
  id: 'identities.get',
  perform(context) {
    const identity = identityOfPath(context, context.params.handle)
    return resourceReply(context.render.one(identity, renderIdentity))
  },
})

type Settling = Pick<OperationContext, 'settle'>

type Changes = { readonly [Field in keyof IdentityPatch]?: string | null }

/** The fields of an identity that an update may set. @see interface 4.2 */
export const editableFields = once(() => Object.keys(identityPatchSchema().shape) as (keyof IdentityPatch)[])

/** `PATCH /api/v1/identities/{handle}`: sets display name and description. @see interface 4.2 */
export const updateIdentity = defineOperation({
  id: 'identities.update',
  async perform(context) {
    identityToUpdate(context)
    const body = (await readJsonBody(context)) ?? {}
    const changes = changesOf(context, body)
    const known: readonly string[] = editableFields()
    for (const name of Object.keys(body)) {
      if (!known.includes(name)) context.hints.add(ignoredHint('field', name, known))
    }
    // Looked up again: the world may have changed while the body was being read.
    const identity = identityToUpdate(context)
    const update = Object.keys(changes).length > 0 || isTouched(context)
    const updated = update ? apply(context, identity, changes) : identity
    return resourceReply(context.render.one(updated, renderIdentity))
  },
})

function identityToUpdate(context: OperationContext<'handle'>): IdentityRow {
  const { handle } = context.params
  if (handle.startsWith('@')) settleAtHandle(context, handle)
  return identityOfPath(context, handle)
}

/** Settles a handle that is written with `@`. @throws RequestError */
function settleAtHandle({ settle }: Settling, handle: string): void {
  settle('identities.patch-at-handle', {
    'same-identity': () => undefined,
    'not-found': () => notFound('agent', handle),
    rejected: () => reject(`The handle of an update is written without "@": "${handle.slice(1)}".`),
  })
}

/** Returns the fields to set; one invalid field refuses the whole update. */
function changesOf(context: Settling, body: Readonly<Record<string, unknown>>): Changes {
  const changes: { [Field in keyof IdentityPatch]?: string | null } = {}
  for (const [name, value] of Object.entries(body)) {
    const field = editableFields().find((known) => known === name)
    if (field === undefined) settleUnknownField(context, name)
    else if (value === null) changes[field] = settleNull(context, field)
    else if (typeof value === 'string') changes[field] = value
    else reject(`${field} must be a string.`)
  }
  return changes
}

function settleUnknownField(context: Settling, name: string): void {
  context.settle('identities.patch-unknown-fields', {
    ignored: () => undefined,
    rejected: () =>
      reject(`An identity has no field "${name}" to update; expected one of ${editableFields().join(', ')}.`),
  })
}

function settleNull(context: Settling, field: string): string | null {
  // Only possible, because with another invalid field the update would be refused under every assumption.
  return context.settle('identities.patch-null', {
    rejected: () => reject(`${field} must be a string, not null.`),
    'empty-string': () => '',
    null: () => null,
  })
}

/** Returns whether an update without any field still counts as an update. */
function isTouched(context: Settling): boolean {
  return context.settle(
    'identities.patch-empty-body',
    {
      unchanged: () => false,
      touched: () => true,
      rejected: () => reject(`The body sets no field; give ${editableFields().join(' or ')}.`),
    },
    'certain',
  )
}

function apply(context: OperationContext, identity: IdentityRow, changes: Changes): IdentityRow {
  // `updated_at` must visibly advance, so it advances by at least the precision of responses.
  const tick = tickOf(context.settle, 'certain')
  return context.apply({ type: 'update-identity', identity_id: identity.id, tick, ...changes })
}
