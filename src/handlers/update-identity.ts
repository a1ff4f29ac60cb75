import { once } from '../contract/once.js'
import { type IdentityPatch, identityPatchSchema } from '../contract/resources.js'
import type { IdentityRow } from '../model/index.js'
import { renderIdentity } from '../world/index.js'
import type { Call } from './call.js'
import { readJsonBody } from './json-body.js'
import { decodeHandle, identityOfPath } from './path-handle.js'
import { notFound, reject } from './refusal.js'
import { type Reply, resourceReply } from './reply.js'

type Changes = { readonly [Field in keyof IdentityPatch]?: string | null }

const fields = once(() => Object.keys(identityPatchSchema().shape) as (keyof IdentityPatch)[])

/** `PATCH /api/v1/identities/{handle}`: sets display name and description. @see interface 4.2 */
export async function updateIdentity(call: Call): Promise<Reply> {
  identityToUpdate(call)
  const changes = changesOf(call, (await readJsonBody(call)) ?? {})
  // Looked up again: the world may have changed while the body came in.
  const identity = identityToUpdate(call)
  const update = Object.keys(changes).length > 0 || isTouched(call)
  const updated = update ? apply(call, identity, changes) : identity
  return resourceReply(call.render.one(updated, renderIdentity))
}

function identityToUpdate(call: Call): IdentityRow {
  const handle = decodeHandle(call.handle)
  if (handle.startsWith('@')) {
    call.settle('identities.patch-at-handle', {
      'same-identity': () => undefined,
      'not-found': () => notFound('agent', handle),
      rejected: () => reject(`The handle of an update is written without "@": "${handle.slice(1)}".`),
    })
  }
  return identityOfPath(call, handle)
}

/** The fields to set; one wrong field refuses them all. */
function changesOf(call: Call, body: Readonly<Record<string, unknown>>): Changes {
  const changes: { [Field in keyof IdentityPatch]?: string | null } = {}
  for (const [name, value] of Object.entries(body)) {
    const field = fields().find((known) => known === name)
    if (field === undefined) settleUnknownField(call, name)
    else if (value === null) changes[field] = settleNull(call, field)
    else if (typeof value === 'string') changes[field] = value
    else reject(`${field} must be a string.`)
  }
  return changes
}

function settleUnknownField(call: Call, name: string): void {
  call.settle('identities.patch-unknown-fields', {
    ignored: () => undefined,
    rejected: () => reject(`An identity has no field "${name}" to update; there is ${fields().join(', ')}.`),
  })
}

function settleNull(call: Call, field: string): string | null {
  // Weighed, since a field that is wrong for another reason still refuses the update.
  return call.settle('identities.patch-null', {
    rejected: () => reject(`${field} must be a string, not null.`),
    'empty-string': () => '',
    null: () => null,
  })
}

/** Whether an update that sets nothing still counts as one. */
function isTouched(call: Call): boolean {
  return call.settle(
    'identities.patch-empty-body',
    {
      unchanged: () => false,
      touched: () => true,
      rejected: () => reject(`The body sets nothing; give ${fields().join(' or ')}.`),
    },
    'shown',
  )
}

function apply(call: Call, identity: IdentityRow, changes: Changes): IdentityRow {
  // A time of update must be seen to move on, so it moves by what answers can show.
  const tick = call.settle('format.timestamps', { milliseconds: () => 1, seconds: () => 1000 }, 'shown')
  return call.apply({ type: 'update-identity', identity_id: identity.id, tick, ...changes })
}
