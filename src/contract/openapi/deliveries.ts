import { eventTypes } from '../events.js'
import type { DeliveryObject, OpenApiDocument } from './document.js'
import { gapsConcerning, type NoteGaps } from './gap-notes.js'
import { gapsOfReceivers } from './gap-places.js'
import { json } from './paths.js'

/** The deliveries of the event types that are shown. @see interface 6 */
export function createDeliveries(noteGaps: NoteGaps): OpenApiDocument['webhooks'] {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: delivery(type, noteGaps) }]))
}

function delivery(type: string, noteGaps: NoteGaps): DeliveryObject {
  return {
    summary: `Delivery of ${type}`,
    description:
      'Sent to a subscription that lists the type. What emits it, and method, headers and body of the ' +
      'request, are not shown: POST and JSON stand in for them.',
    'x-interface-part': '6',
    ...noteGaps(gapsConcerning('events')),
    requestBody: { description: 'Any body: its shape is not shown.', content: { [json]: { schema: {} } } },
    responses: {
      default: {
        description: 'Which answers count as success, and what follows a failure, is not shown.',
        ...noteGaps(gapsOfReceivers),
      },
    },
  }
}
