import { z } from '../../contract/schema.js'
import type { MessageRow } from '../../model/index.js'
import { defineCommand } from './command.js'
import { outcomeFields, tellOutcome } from './outcome.js'

/** Mail an agent sent reached its recipient. @see interface 6 */
export const deliverMessage = defineCommand({
  schema: () => z.strictObject({ type: z.literal('deliver-message'), ...outcomeFields() }),
  apply: (world, command): MessageRow => tellOutcome(world, 'message.delivered', command),
})
