import { isJsonObject, parseJson } from '../../../base/json.js'
import { z } from '../../../base/schema.js'
import { WorldError } from '../../model/errors.js'
import type { ValueRow } from '../../model/rows.js'
import { formatInstant } from '../../time/time.js'
import { keptAnswerFields } from '../kept-answers.js'
import { type CommandContext, defineCommand, organizationOf } from './command.js'

/** Returns the id of what an organization keeps under a key. */
export function valueId(organizationId: string, key: string): string {
  return `val_${organizationId}/${encodeURIComponent(key)}`
}

const keyText = () => z.string().regex(/^\S.{0,199}$/, 'expected a key of at most 200 characters')

/** Keeps a value for an extension, or removes it. */
export const setValue = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('set-value'),
      organization_id: z.string().optional(),
      key: keyText(),
      /** The value as JSON text; null removes it. */
      json: z.string().nullable(),
    }),
  apply(world, { organization_id, key, json }): void {
    const organization = organizationOf(world, organization_id)
    const id = valueId(organization.id, key)
    if (json === null) {
      world.store.remove('value', id)
      return
    }
    const known = world.store.get('value', id)
    const now = world.now()
    const begun = { ordinal: world.store.nextOrdinal('value'), created_at: now }
    const row = { ...begun, ...known, id, organization_id: organization.id, key, json, updated_at: now }
    world.store.put('value', row)
  },
})

/** Approves or rejects the latest of the values of a kind that are pending. */
export const decideValue = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('decide-value'),
      organization_id: z.string().optional(),
      /** The key of the value, or what comes before `/` in it. */
      of: keyText(),
      status: z.enum(['approved', 'rejected']),
      reason: z.string().optional(),
    }),
  apply(world, { organization_id, of, status, reason }): void {
    const { id } = organizationOf(world, organization_id)
    const pending = latestPending(world, id, of)
    if (!pending) {
      const remedy = `an extension keeps it with state.set("${of}/…", { status: "pending" })`
      throw new WorldError('not-found', `Nothing of "${of}" is pending; ${remedy}.`)
    }
    const [row, value] = pending
    const decided = { ...value, status, decided_at: formatInstant(world.now()), ...(reason && { reason }) }
    world.store.put('value', { ...row, json: JSON.stringify(decided), updated_at: world.now() })
  },
})

function latestPending(
  { store }: CommandContext,
  organizationId: string,
  of: string,
): [ValueRow, object] | undefined {
  const latestFirst = store.values(organizationId).page({ order: 'created', descending: true })
  for (const row of store.rows('value', latestFirst)) {
    if (row.key !== of && !row.key.startsWith(`${of}/`)) continue
    const value = parseJson(row.json)
    if (isJsonObject(value) && value['status'] === 'pending') return [row, value]
  }
  return undefined
}

/**
 * Keeps the response to a request with an `Idempotency-Key`, for later requests with that key.
 */
export const keepAnswer = defineCommand({
  schema: () => z.strictObject({ type: z.literal('keep-answer'), ...keptAnswerFields() }),
  apply(world, { type: _, ...answer }): void {
    world.answer = { ...answer, kept_at: world.now() }
  },
})
