import { webhookSchema } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'

/** A subscription as the control API shows it. */
export const subscriptionSchema = webhookSchema().extend({
  secret: z
    .string()
    .describe(
      'What its deliveries are signed with, where a reading has them signed: shown here, and nowhere else.',
    ),
})
