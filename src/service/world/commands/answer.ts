import { z } from '../../../base/schema.js'
import { keptAnswerFields } from '../kept-answers.js'
import { defineCommand } from './command.js'

/**
 * Keeps the response to a request with an `Idempotency-Key`, for later requests with that key.
 */
export const keepAnswer = defineCommand({
  schema: () => z.strictObject({ type: z.literal('keep-answer'), ...keptAnswerFields() }),
  apply(world, { type: _, ...answer }): void {
    world.answer = { ...answer, kept_at: world.now() }
  },
})
