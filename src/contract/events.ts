/** The event types the interface shows; the full list is not shown. @see interface 6 */
export const eventTypes = ['message.received', 'message.delivered', 'message.bounced'] as const

/** One of the event types the interface shows. */
export type EventType = (typeof eventTypes)[number]
