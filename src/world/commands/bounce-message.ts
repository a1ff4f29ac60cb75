import { z } from '../../contract/schema.js'
import type { MessageRow } from '../../model/index.js'
import { defineCommand } from './command.js'
import { outcomeFields, tellOutcome } from './outcome.js'

/** Mail an agent sent came back. @see interface 6 */
export const bounceMessage = defineCommand({
  schema: () => z.strictObject({ type: z.literal('bounce-message'), ...outcomeFields() }),
  apply: (world, command): MessageRow => tellOutcome(world, 'message.bounced', command),
})
