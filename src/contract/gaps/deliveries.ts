import { defineGap } from './gap.js'

/** Silent points of when, how often and to whom events are delivered. @see interface 6 */
export const deliveryGaps = {
  'events.retries': defineGap({
    question: 'When is a failed delivery tried again?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'exponential-5',
        means: 'Up to five times, each wait about four times the one before, the first about 10 seconds.',
        example: 'a receiver that always answers 500 → six attempts, further and further apart',
      },
      {
        name: 'none',
        means: 'Never: the first failure is final.',
        example: 'a receiver that answers 500 once → one attempt, and the event is lost',
      },
      {
        name: 'svix',
        means: 'Up to seven times, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h.',
        example: 'a receiver that is down for an hour → it gets the event at the fifth attempt',
      },
    ],
    worst: 'none',
    advice:
      'Count on no retry: list threads now and then to find what no delivery told you, and expect repeats.',
    evidence: 'SI: exponential, up to 5. Svix: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h.',
  }),
  'events.retry-after': defineGap({
    question: "Is a receiver's `Retry-After` honoured?",
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'ignored',
        means: 'No: the next attempt comes when the schedule says.',
        example: 'a receiver answers 503 with Retry-After: 120 → the next attempt comes as after any failure',
      },
      {
        name: 'honoured',
        means:
          'Yes: the next attempt comes when the receiver asks for it, instead of when the schedule says.',
        example: 'a receiver answers 503 with Retry-After: 120 → the next attempt comes 2 minutes later',
      },
    ],
    worst: 'ignored',
    advice: 'Answer at once whatever the load, and do the work afterwards; count on no pause you ask for.',
    evidence: 'none',
  }),
  'events.gone': defineGap({
    question: 'What becomes of a delivery that a receiver answers with 410 Gone?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'retried',
        means: 'It is a failure like any other, and is tried again.',
        example: 'a receiver answers 410 → the attempts of a receiver that answers 500',
      },
      {
        name: 'final',
        means: 'The delivery has failed for good; later events are delivered all the same.',
        example: 'a receiver answers 410 → one attempt, and the event is lost',
      },
    ],
    worst: 'final',
    advice: 'Never answer 410 unless you mean to lose the event.',
    evidence: 'Standard Webhooks: a sender stops sending to an endpoint that answers 410.',
  }),
  'events.timeout': defineGap({
    question: 'How long may a receiver take to answer a delivery?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: '10s',
        means: 'An attempt without an answer after 10 seconds has failed.',
        example: 'a receiver answers 200 after 7 s → succeeded; after 12 s → failed',
      },
      {
        name: '5s',
        means: 'An attempt without an answer after 5 seconds has failed.',
        example: 'a receiver answers 200 after 3 s → succeeded; after 7 s → failed',
      },
      {
        name: '15s',
        means: 'An attempt without an answer after 15 seconds has failed.',
        example: 'a receiver answers 200 after 12 s → succeeded; after 20 s → failed',
      },
      {
        name: '30s',
        means: 'An attempt without an answer after 30 seconds has failed.',
        example: 'a receiver answers 200 after 20 s → succeeded; after 40 s → failed',
      },
    ],
    worst: '5s',
    advice: 'Answer within 5 seconds: store the event, answer, and do the work afterwards.',
    evidence: 'SI: 10 s. Mailpit: 5 s. Svix: 15 s.',
  }),
  'events.success': defineGap({
    question: 'Which answers of a receiver count as success?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: '2xx',
        means: 'Every status from 200 to 299; a redirect is a failure and is not followed.',
        example: 'a receiver answers 204 → succeeded; 302 → failed',
      },
      {
        name: '200-only',
        means: 'The status 200 alone; a redirect is a failure and is not followed.',
        example: 'a receiver answers 204 → failed; 302 → failed',
      },
    ],
    worst: '200-only',
    advice: 'Answer with the status 200 itself, and without a redirect.',
    evidence: 'SI: 2xx.',
  }),
  'events.duplicates': defineGap({
    question: 'Can a delivery that succeeded arrive again?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'exactly-once',
        means: 'No: after a success the same event does not come again by itself.',
        example: 'a receiver answers 200 to ten events → it has seen ten requests',
      },
      {
        name: 'occasional-duplicate',
        means: 'Yes: now and then, as the seed decides, the same event is sent once more.',
        example: 'a receiver answers 200 to ten events → it may see an eleventh request with a known id',
      },
    ],
    worst: 'occasional-duplicate',
    advice: 'Remember the message id and the event type of what you have handled, and handle no pair twice.',
    evidence: 'Every provider that delivers at least once duplicates.',
  }),
  'events.order': defineGap({
    question: 'In which order do deliveries arrive?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'in-order',
        means: 'First attempts go out in the order in which the events happened.',
        example: 'messages A, B, C arrive → deliveries A, B, C',
      },
      {
        name: 'shuffled',
        means: 'First attempts of events close in time go out in an order that the seed decides.',
        example: 'messages A, B, C arrive → deliveries B, A, C',
      },
    ],
    worst: 'shuffled',
    advice:
      'Order by the times of the messages, not by arrival, and read the state of the thread at every event.',
    evidence: 'common practice',
  }),
  'events.bounced-sender': defineGap({
    question: 'Which subscriptions get `message.delivered` and `message.bounced`?',
    parts: ['6'],
    concerns: ['events', 'Webhook.agent_handle'],
    readings: [
      {
        name: 'sending-agent',
        means: 'Subscriptions to the type that are scoped to the sending agent or to none.',
        example: 'mail of eva bounces → the webhooks of eva and the unscoped ones, not those of max',
      },
      {
        name: 'organization',
        means: 'Every subscription of the organization to the type, whatever its scope.',
        example: 'mail of eva bounces → the webhooks of eva, of max and the unscoped ones',
      },
    ],
    worst: 'sending-agent',
    advice:
      'Look up whose message it is, and skip the mail of other agents. ' +
      'An unscoped subscription sees the bounces of every agent under both readings.',
    evidence: 'none',
  }),
} as const
