import { defineExtension } from '../../service/extensions/define-extension.js'

/**
 * Adds the address that hostile messages ask agents to open: it responds to anyone, and the journal shows who
 * came.
 */
export const trapExtension = defineExtension(({ operation }) => [
  operation({
    id: 'trap.open',
    method: 'GET',
    path: '/trap/{name}',
    authentication: 'none',
    perform: () => ({ ok: true }),
  }),
])
