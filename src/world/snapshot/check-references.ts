import { sizeOfBase64 } from '../../mail/index.js'
import { type MailboxStore, type ModelName, modelNames, type Rows } from '../../model/index.js'
import { contentHash } from '../commands/mail.js'
import type { Snapshot } from './document.js'
import { contradiction, type Place } from './refusal.js'

/** The rows of a snapshot as they lie over their base. */
export interface Layers {
  readonly store: MailboxStore
  /** Whether the scenario has no such row. */
  isNew(model: ModelName, id: string): boolean
}

/** Checks what one row speaks of. */
type Check<Row> = (row: Row, place: Place, layers: Layers) => void

/** Checks that whatever the rows of a snapshot speak of is there, and fits. @throws SnapshotError */
export function checkReferences({ rows }: Snapshot, layers: Layers): void {
  for (const model of modelNames) {
    const check = checks[model] as Check<Rows[ModelName]>
    for (const [index, row] of rows[model].entries()) check(row, ['rows', model, index], layers)
  }
}

const checks: { readonly [M in ModelName]: Check<Rows[M]> } = {
  organization(row, place, { store }) {
    for (const [index, key] of row.api_keys.entries()) {
      if (store.organizationByKey(key)?.id === row.id) continue
      throw contradiction([...place, 'api_keys', index], 'the key belongs to another organization already')
    }
  },

  identity(row, place, { store, isNew }) {
    needs(store, 'organization', row.organization_id, [...place, 'organization_id'])
    if (!isNew('identity', row.id)) return
    const { organization_id: organization, agent_handle: handle, mailbox_address: address } = row
    if (store.identityByHandle(organization, handle)?.id !== row.id) {
      throw contradiction([...place, 'agent_handle'], `another identity has the handle "${handle}"`)
    }
    if (store.identityByFoldedMailbox(organization, address)?.id !== row.id) {
      throw contradiction([...place, 'mailbox_address'], `another identity has the address "${address}"`)
    }
  },

  thread(row, place, { store }) {
    const identity = needs(store, 'identity', row.identity_id, [...place, 'identity_id'])
    agrees(row.organization_id, identity.organization_id, 'its identity', [...place, 'organization_id'])
  },

  message(row, place, { store }) {
    const thread = needs(store, 'thread', row.thread_id, [...place, 'thread_id'])
    agrees(row.identity_id, thread.identity_id, 'its thread', [...place, 'identity_id'])
    agrees(row.organization_id, thread.organization_id, 'its thread', [...place, 'organization_id'])
    for (const [index, id] of row.attachment_ids.entries()) {
      const at = [...place, 'attachment_ids', index]
      const attachment = needs(store, 'attachment', id, at)
      if (attachment.message_id === row.id) continue
      throw contradiction(at, `"${id}" is a file of the message "${attachment.message_id}"`)
    }
  },

  attachment(row, place, { store, isNew }) {
    const message = needs(store, 'message', row.message_id, [...place, 'message_id'])
    if (!message.attachment_ids.includes(row.id)) {
      throw contradiction([...place, 'message_id'], `the message "${message.id}" does not list this file`)
    }
    const size = sizeOfBase64(row.content)
    if (row.size_bytes !== size) {
      throw contradiction(
        [...place, 'size_bytes'],
        `expected ${size}, which the content has; found ${row.size_bytes}`,
      )
    }
    // Files are served by their id alone, whatever the world: one id is one file.
    if (isNew('attachment', row.id) && !row.id.endsWith(contentHash(row))) {
      throw contradiction(
        [...place, 'id'],
        'it follows from the name, the type and the content, which are others',
      )
    }
  },

  webhook(row, place, { store }) {
    needs(store, 'organization', row.organization_id, [...place, 'organization_id'])
    const { agent_handle: handle } = row
    if (handle !== null && !store.identityByHandle(row.organization_id, handle)) {
      throw contradiction([...place, 'agent_handle'], `there is no identity with the handle "${handle}"`)
    }
  },
}

/** The row that is spoken of. */
function needs<M extends ModelName>(store: MailboxStore, model: M, id: string, place: Place): Rows[M] {
  const row = store.get(model, id)
  if (row) return row
  throw contradiction(place, `there is no ${model} "${id}", neither here nor in the scenario`)
}

function agrees(found: string, expected: string, whose: string, place: Place): void {
  if (found === expected) return
  throw contradiction(place, `expected "${expected}", that of ${whose}; found "${found}"`)
}
