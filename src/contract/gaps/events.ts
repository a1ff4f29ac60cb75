import { defineGap } from './gap.js'

/**
 * Silent points of events: the request of a delivery; when, how often and to whom it is sent. @see interface
 * 6
 */
export const eventGaps = {
  'events.envelope': defineGap({
    question: 'What shape does the body of a delivery have?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      'id-event-data':
        'An object of `id`, `event`, `created_at` and `data` – for example {"id": "evt_6d", "event": "message.received", "created_at": "…", "data": {…}}',
      'type-timestamp-data':
        'An object of `type`, `timestamp` and `data` – for example {"type": "message.received", "timestamp": "…", "data": {…}}',
      flat: 'The fields of `data` are at the top level, beside `event` – for example {"event": "message.received", "message_id": "msg_3fw9", "thread_id": "thrd_5kq8", …}',
    },
    worst: 'flat',
    advice: 'Read the type from `event` or else `type`, and the fields from `data` or else the body itself.',
    evidence: 'wirebox-sh/docs: {id, event, created_at, data}. Standard Webhooks: {type, timestamp, data}.',
  }),
  'events.data': defineGap({
    question: 'What does the data of a delivery carry?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      flat: 'The ids of the message and the thread, the handle, and some fields of the message – for example "data": {"message_id": "msg_3fw9", "thread_id": "thrd_5kq8", "agent_handle": "eva", …}',
      nested:
        'The whole message as the list of messages returns it, in a field `message` – for example "data": {"message": {"id": "msg_3fw9", "thread_id": "thrd_5kq8", …}, …}',
      'flat-full':
        'The ids and every field of the message side by side, including its text and attachments – for example "data": {"message_id": "msg_3fw9", "mailbox_address": "eva@…", "text": "…", "html": "…", …}',
    },
    worst: 'flat',
    advice:
      'Take only the ids, from `message_id` and `thread_id` or from `message.id` and `message.thread_id`. ' +
      'Then read the message itself in the list of messages of that thread.',
    evidence: 'wirebox-sh/docs: ids and fields side by side. Inkbox: the resource nested.',
  }),
  'events.body-bytes': defineGap({
    question: 'How is the JSON of a delivery written?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      compact:
        'Without spaces, and with all letters as they are, in UTF-8 – for example {"event":"message.received","data":{"subject":"Grüße","url":"https://…"}}',
      spaced:
        'With a space after each comma and colon, and with all letters as they are, in UTF-8 – for example {"event": "message.received", "data": {"subject": "Grüße", "url": "https://…"}}',
      escaped:
        'Without spaces; letters beyond ASCII and slashes are escaped – for example {"event":"message.received","data":{"subject":"Gr\\u00fc\\u00dfe","url":"https:\\/\\/…"}}',
    },
    worst: 'spaced',
    advice:
      'Verify a signature over the bytes that were received, before any body parser; JSON that is parsed and written again ' +
      'has other bytes. Read the fields with a JSON parser.',
    evidence: 'Python writes spaces by default, PHP escapes by default, and most others write compact JSON.',
  }),
  'events.token-placement': defineGap({
    question: 'How is `auth_token` sent in a delivery?',
    parts: ['2.4', '6'],
    concerns: ['events', 'Webhook.auth_token'],
    learnedBy: 'by-hand',
    assumptions: {
      'authorization-bearer':
        'As the bearer credentials of the `Authorization` header – for example auth_token is s3cret → Authorization: Bearer s3cret',
      'x-auth-token':
        'As the value of an `X-Auth-Token` header – for example auth_token is s3cret → X-Auth-Token: s3cret',
      'not-sent': 'Not at all – for example auth_token is s3cret → no header carries it',
    },
    worst: 'not-sent',
    advice:
      'Check the token if one arrives, in `Authorization` or in `X-Auth-Token`, and refuse a wrong one. ' +
      'Since there may be none, use a URL that cannot be guessed, and verify what a delivery claims by reading it from the service.',
    evidence: 'wirebox-sh/docs: Authorization: Bearer.',
  }),
  'events.signature': defineGap({
    question: 'Which signature headers does a delivery carry?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      none: 'A delivery is not signed – for example a delivery → no signature header',
      'standard-webhooks':
        'The three headers of Standard Webhooks, with an HMAC-SHA256 in base64 – for example webhook-id: evt_6d, webhook-timestamp: 1767603600, webhook-signature: v1,K5oZ…',
      'timestamped-hmac':
        'One header with a time in seconds and a hexadecimal HMAC-SHA256 of the time, a dot and the body – for example a delivery → X-Webhook-Signature: t=1767603600,v1=5257a8…',
    },
    worst: 'none',
    advice:
      'Do not trust the body: take only ids from it, and read the message from the service. ' +
      'Verify a signature, if there is one, over the raw bytes of the body.',
    evidence: 'wirebox-sh/docs: `t=,v1=` with HMAC-SHA256. AgentMail: Svix headers.',
  }),
  'events.retries': defineGap({
    question: 'When is a failed delivery retried?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      'exponential-5':
        'Up to five times; the first wait is about 10 seconds, and each wait is about four times as long as the one before – for example a receiver that always responds with 500 → six attempts at growing intervals',
      none: 'Never: the first failure is final – for example a receiver that responds with 500 once → one attempt, and the event is lost',
      svix: 'Up to seven times, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h – for example a receiver that is down for an hour → it gets the event on the fifth attempt',
    },
    worst: 'none',
    advice:
      'Do not rely on retries: list threads regularly to find what you have missed, and expect repeated deliveries.',
    evidence: 'wirebox-sh/docs: exponential, up to 5. Svix: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h.',
  }),
  'events.retry-after': defineGap({
    question: "Is a receiver's `Retry-After` honoured?",
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      ignored:
        'No: the next attempt follows the schedule – for example a receiver responds with 503 and Retry-After: 120 → the next attempt comes as after any failure',
      honoured:
        'Yes: the next attempt comes when the receiver asks for it, regardless of the schedule – for example a receiver responds with 503 and Retry-After: 120 → the next attempt comes 2 minutes later',
    },
    worst: 'ignored',
    advice: 'Respond immediately under any load, and do the work afterwards; do not rely on a pause.',
    evidence: 'none',
  }),
  'events.gone': defineGap({
    question: 'What happens to a delivery if the receiver responds with 410 Gone?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      retried:
        'It is a failure like any other, and is retried – for example a receiver responds with 410 → the same attempts as after a 500',
      final:
        'The delivery has failed permanently; later events are still delivered – for example a receiver responds with 410 → one attempt, and the event is lost',
    },
    worst: 'final',
    advice: 'Never respond with 410 unless you can afford to lose the event.',
    evidence: 'Standard Webhooks: a sender stops sending to an endpoint that responds with 410.',
  }),
  'events.timeout': defineGap({
    question: 'How long may a receiver take to respond to a delivery?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      '10s':
        'An attempt without a response after 10 seconds has failed – for example a receiver responds with 200 after 7 s → succeeded; after 12 s → failed',
      '5s': 'An attempt without a response after 5 seconds has failed – for example a receiver responds with 200 after 3 s → succeeded; after 7 s → failed',
      '15s':
        'An attempt without a response after 15 seconds has failed – for example a receiver responds with 200 after 12 s → succeeded; after 20 s → failed',
      '30s':
        'An attempt without a response after 30 seconds has failed – for example a receiver responds with 200 after 20 s → succeeded; after 40 s → failed',
    },
    worst: '5s',
    advice: 'Respond within 5 seconds: store the event, respond, and do the work afterwards.',
    evidence: 'wirebox-sh/docs: 10 s. Mailpit: 5 s. Svix: 15 s.',
  }),
  'events.success': defineGap({
    question: 'Which responses of a receiver count as success?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      '2xx':
        'Every status from 200 to 299; a redirect is a failure and is not followed – for example a receiver responds with 204 → succeeded; 302 → failed',
      '200-only':
        'Only the status 200; a redirect is a failure and is not followed – for example a receiver responds with 204 → failed; 302 → failed',
    },
    worst: '200-only',
    advice: 'Respond with exactly 200, and without a redirect.',
    evidence: 'wirebox-sh/docs: 2xx.',
  }),
  'events.duplicates': defineGap({
    question: 'Can a delivery that succeeded arrive again?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      'exactly-once':
        'No: after a success, the same event is not sent again – for example a receiver responds with 200 to ten events → it receives ten requests',
      'occasional-duplicate':
        'Yes: occasionally, as the seed decides, the same event is sent once more – for example a receiver responds with 200 to ten events → it may receive an eleventh request with a known id',
    },
    worst: 'occasional-duplicate',
    advice:
      'Remember the message id and event type of each event you handle, and handle each pair only once.',
    evidence: 'Every provider that delivers at least once sends duplicates.',
  }),
  'events.order': defineGap({
    question: 'In which order do deliveries arrive?',
    parts: ['6'],
    concerns: ['events'],
    learnedBy: 'by-hand',
    assumptions: {
      'in-order':
        'First attempts go out in the order in which the events happened – for example messages A, B, C arrive → deliveries A, B, C',
      shuffled:
        'First attempts of events close in time go out in an order that the seed decides – for example messages A, B, C arrive → deliveries B, A, C',
    },
    worst: 'shuffled',
    advice:
      'Order by the times of the messages, not by arrival, and read the state of the thread at every event.',
    evidence: 'common practice',
  }),
  'events.listed': defineGap({
    question: 'Is a message listed when its `message.received` is delivered?',
    parts: ['6', '4.3', '4.4'],
    concerns: ['events', 'threads.list', 'messages.list'],
    learnedBy: 'by-hand',
    assumptions: {
      'before-the-event':
        'Yes: a message is listed before its event is sent – for example the receiver lists the thread → the message of the event is in it',
      'after-the-event':
        'Not always: where a subscription is told of new mail, a list leaves out what was received less than two seconds ago – for example the receiver lists the messages of the thread at once → without the message; 2 s later → with it',
    },
    worst: 'after-the-event',
    advice:
      'If the message of an event is missing, look again after a few seconds, or respond with 503 so that the event comes again. ' +
      'Never take an event as handled before you have read its message.',
    evidence: 'Services that send events from a queue and list from an index document such delays.',
  }),
  'events.bounced-sender': defineGap({
    question: 'Which subscriptions get `message.delivered` and `message.bounced`?',
    parts: ['6'],
    concerns: ['events', 'Webhook.agent_handle'],
    learnedBy: 'by-hand',
    assumptions: {
      'sending-agent':
        'Subscriptions to the type that are scoped to the sending agent or to no agent – for example an email from eva bounces → the webhooks of eva and the unscoped ones, not those of max',
      organization:
        'Every subscription of the organization to the type, regardless of its scope – for example an email from eva bounces → the webhooks of eva, of max and the unscoped ones',
    },
    worst: 'sending-agent',
    advice:
      'Look up whose message it is, and skip the messages of other agents. ' +
      'An unscoped subscription sees the bounces of every agent under both assumptions.',
    evidence: 'none',
  }),
} as const
