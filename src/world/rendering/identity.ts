import type { Identity } from '../../contract/resources.js'
import type { IdentityRow } from '../../model/index.js'
import type { Render } from './renderer.js'
import { timestamp } from './timestamp.js'

/** An identity as answers carry it. @see interface 2.1 */
export const renderIdentity: Render<IdentityRow> = (row, { settle }): Identity => ({
  id: row.id,
  agent_handle: row.agent_handle,
  display_name: row.display_name,
  description: row.description,
  mailbox_address: row.mailbox_address,
  created_at: timestamp(row.created_at, settle),
  updated_at: timestamp(row.updated_at, settle),
})
