import { WorldError } from './errors.js'
import { idPrefixes } from './rows.js'

/** Where users find valid ids, over HTTP and in process. */
const listings = {
  organization: 'the scenario has them',
  identity: 'GET /_sim/identities and sim.identities.list() list them',
  thread: 'GET /_sim/threads and sim.threads.list() list them',
  message: 'GET /_sim/threads/{id} and sim.mailbox.conversation(id) list those of a thread',
  attachment: 'GET /_sim/threads/{id} and sim.mailbox.conversation(id) list those of a thread',
  webhook: 'GET /_sim/webhooks and sim.webhooks.list() list them',
  value: 'GET /_sim/snapshot and sim.snapshot() have them',
  delivery: 'GET /_sim/deliveries and sim.deliveries.list() list those that are kept',
} as const

/** Creates the error for an unknown id. It says if the id is of another kind, and where valid ids are listed. */
export function unknownId(kind: keyof typeof listings, id: string, where = 'in this world'): WorldError {
  const other = Object.entries(idPrefixes).find(([name, prefix]) => {
    return name !== kind && name in listings && String(id).startsWith(`${prefix}_`)
  })
  const mistaken = other
    ? `, since this is the id of ${/^[aio]/.test(other[0]) ? 'an' : 'a'} ${other[0]}`
    : ''
  return new WorldError('not-found', `There is no ${kind} "${id}" ${where}${mistaken}; ${listings[kind]}.`)
}
