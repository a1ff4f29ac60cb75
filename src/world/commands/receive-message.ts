import { z } from '../../contract/schema.js'
import { defineCommand, existing } from './command.js'
import { type AddedMail, addMail, mailFields } from './mail.js'

/** Puts mail from outside into an agent's mailbox. */
export const receiveMessage = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('receive-message'),
      /** `Display Name <address>`. */
      from: z.string().min(1),
      /** Recipient addresses, as the message names them. */
      to: z.array(z.string()).min(1),
      ...mailFields(),
    }),
  apply(world, command): AddedMail {
    const added = addMail(world, { ...command, direction: 'inbound' })
    const { agent_handle: agentHandle } = existing(world, 'identity', command.identity_id)
    world.tell({ type: 'message.received', message: added.message, agentHandle, recipient: null })
    return added
  },
})
