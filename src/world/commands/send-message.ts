import { z } from '../../contract/schema.js'
import { formatMailbox } from '../../mail/index.js'
import { defineCommand, existing } from './command.js'
import { type AddedMail, addMail, mailFields } from './mail.js'

/** Puts mail an agent wrote into its mailbox, as outbound. */
export const sendMessage = defineCommand({
  schema: () =>
    z.strictObject({
      type: z.literal('send-message'),
      /** Recipient addresses. */
      to: z.array(z.string()).min(1),
      ...mailFields(),
    }),
  apply(world, command): AddedMail {
    const identity = existing(world, 'identity', command.identity_id)
    const from = formatMailbox({ name: identity.display_name ?? '', address: identity.mailbox_address })
    const added = addMail(world, { ...command, direction: 'outbound', from })
    for (const recipient of command.to) {
      if (!world.bounces(recipient)) continue
      const { agent_handle: agentHandle } = identity
      world.tell({ type: 'message.bounced', message: added.message, agentHandle, recipient })
    }
    return added
  },
})
