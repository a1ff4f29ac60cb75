import { once } from '../../base/once.js'
import { type IdentityPatch, identityPatchSchema } from '../../contract/resources.js'
import { tickOf } from '../assumptions/settle.js'
import type { IdentityRow } from '../model/rows.js'
import { renderIdentity } from '../rendering/resources.js'
import { identityOfPath } from './identity-lookup.js'
import { readJsonBody } from './json-body.js'
import { defineOperation, type OperationContext } from './operation.js'
import { resourceReply } from './reply.js'
import { ignoredHint } from './request.js'
import { notFound, reject } from './request-error.js'

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
export function changesOf(context: Settling, body: Readonly<Record<string, unknown>>): Changes {
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
