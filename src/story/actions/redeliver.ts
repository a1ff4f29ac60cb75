import { z } from '../../base/schema.js'
import { eventTypes } from '../../contract/resources.js'
import { defineAction } from './action.js'

const delivery = z
  .strictObject({
    event: z.enum(eventTypes).describe('The event type.'),
    nth: z.int().min(1).default(1).describe('Which of its deliveries, from 1 for the first.'),
  })
  .meta({ id: 'redeliver', title: 'redeliver', description: 'A delivery that is sent again.' })

export const redeliver = defineAction({
  describe: 'A delivery is sent again.',
  schema: delivery,
  resolve: (_, redeliver) => () => ({ commands: [], redeliver }),
})
