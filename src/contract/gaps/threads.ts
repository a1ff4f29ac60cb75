import { defineGap } from './gap.js'

/** Silent points of a thread itself. @see interface 2.2, 3 */
export const threadGaps = {
  'threads.unread-after-read': defineGap({
    question: 'Does listing the messages of a thread mark it as read?',
    parts: ['2.2', '3', '4.4'],
    concerns: ['threads.list', 'messages.list', 'Thread.unread'],
    readings: [
      {
        name: 'stays-unread',
        means: 'Listing messages never changes `unread`.',
        example: 'messages?thread_id=thrd_5kq8 is listed → the thread still has "unread": true',
      },
      {
        name: 'becomes-read',
        means: 'Listing messages by the `thread_id` of a thread sets its `unread` to false.',
        example: 'messages?thread_id=thrd_5kq8 is listed → the thread now has "unread": false',
      },
    ],
    worst: 'becomes-read',
    advice:
      'Remember by `id` which messages you have handled, and take `unread` for a hint at most. ' +
      'Find threads with news by a `message_count` or `last_message_at` that has changed.',
    evidence: 'SI: in its later docs, reading is a PATCH on the message.',
  }),
  'threads.unread-after-reply': defineGap({
    question: 'Does an outbound reply in a thread clear `unread`?',
    parts: ['2.2', '3'],
    concerns: ['threads.list', 'Thread.unread'],
    readings: [
      {
        name: 'stays-unread',
        means: 'A message that the agent sends leaves `unread` as it was.',
        example: 'eva replies in an unread thread → it still has "unread": true',
      },
      {
        name: 'becomes-read',
        means: 'A message that the agent sends sets `unread` of its thread to false.',
        example: 'eva replies in an unread thread → it now has "unread": false',
      },
    ],
    worst: 'stays-unread',
    advice:
      'Never take `unread` for unanswered: look at the `direction` of the newest message of the thread.',
    evidence: 'none',
  }),
  'threads.snippet': defineGap({
    question: 'Which message of a thread gives its `snippet`?',
    parts: ['2.2'],
    concerns: ['threads.list', 'Thread.snippet'],
    readings: [
      {
        name: 'latest',
        means: '`snippet` is taken from the newest message, inbound or outbound.',
        example: '"Where is my parcel?", then "It ships today." → "snippet": "It ships today."',
      },
      {
        name: 'first',
        means: '`snippet` is taken from the oldest message and never changes.',
        example: '"Where is my parcel?", then "It ships today." → "snippet": "Where is my parcel?"',
      },
    ],
    worst: 'first',
    advice: 'Show `snippet` to people and decide nothing by it; for the newest words, list the messages.',
    evidence: 'SI: a preview of the latest message.',
  }),
} as const
