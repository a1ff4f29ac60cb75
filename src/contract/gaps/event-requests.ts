import { defineGap } from './gap.js'

/** Silent points of the request a delivery is made of. @see interface 6 */
export const eventRequestGaps = {
  'events.envelope': defineGap({
    question: 'Which shape does the body of a delivery have?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'id-event-data',
        means: 'An object of `id`, `event`, `created_at` and `data`.',
        example: '{"id": "evt_6d", "event": "message.received", "created_at": "…", "data": {…}}',
      },
      {
        name: 'type-timestamp-data',
        means: 'An object of `type`, `timestamp` and `data`.',
        example: '{"type": "message.received", "timestamp": "…", "data": {…}}',
      },
      {
        name: 'flat',
        means: 'The fields of `data` stand beside `event` at the top level.',
        example: '{"event": "message.received", "message_id": "msg_3fw9", "thread_id": "thrd_5kq8", …}',
      },
    ],
    worst: 'flat',
    advice:
      'Read the type from `event`, else from `type`, and the fields from `data`, else from the body itself.',
    evidence: 'SI: {id, event, created_at, data}. Standard Webhooks: {type, timestamp, data}.',
  }),
  'events.data': defineGap({
    question: 'What does the data of a delivery carry?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'flat',
        means: 'The ids of message and thread, the handle, and single fields of the message.',
        example: '"data": {"message_id": "msg_3fw9", "thread_id": "thrd_5kq8", "agent_handle": "eva", …}',
      },
      {
        name: 'nested',
        means: 'The whole message as the list of messages shows it, in a field `message`.',
        example: '"data": {"message": {"id": "msg_3fw9", "thread_id": "thrd_5kq8", …}, …}',
      },
    ],
    worst: 'flat',
    advice:
      'Take only the ids, from `message_id` and `thread_id` or from `message.id` and `message.thread_id`. ' +
      'Then read the message itself in the list of messages of that thread.',
    evidence: 'SI: ids and fields side by side. Inkbox: the resource nested.',
  }),
  'events.token-placement': defineGap({
    question: 'How does `auth_token` travel in a delivery?',
    parts: ['2.4', '6'],
    concerns: ['events', 'Webhook.auth_token'],
    readings: [
      {
        name: 'authorization-bearer',
        means: 'As the bearer credentials of the `Authorization` header.',
        example: 'auth_token is s3cret → Authorization: Bearer s3cret',
      },
      {
        name: 'x-auth-token',
        means: 'As the value of an `X-Auth-Token` header.',
        example: 'auth_token is s3cret → X-Auth-Token: s3cret',
      },
      {
        name: 'not-sent',
        means: 'Not at all.',
        example: 'auth_token is s3cret → no header carries it',
      },
    ],
    worst: 'not-sent',
    advice:
      'Compare the token where one comes, in `Authorization` or in `X-Auth-Token`, and refuse a wrong one. ' +
      'Since none may come, give the webhook a URL nobody can guess, and read back what a delivery claims.',
    evidence: 'SI: Authorization: Bearer.',
  }),
  'events.signature': defineGap({
    question: 'Which signature headers does a delivery carry?',
    parts: ['6'],
    concerns: ['events'],
    readings: [
      {
        name: 'none',
        means: 'A delivery is not signed.',
        example: 'a delivery → no signature header',
      },
      {
        name: 'standard-webhooks',
        means: 'The three headers of Standard Webhooks, with a base64 HMAC-SHA256.',
        example: 'webhook-id: evt_6d, webhook-timestamp: 1767603600, webhook-signature: v1,K5oZ…',
      },
      {
        name: 'timestamped-hmac',
        means: 'One header with a time in seconds and a hexadecimal HMAC-SHA256 of time, a dot and body.',
        example: 'a delivery → X-Webhook-Signature: t=1767603600,v1=5257a8…',
      },
    ],
    worst: 'none',
    advice:
      'Trust no body: take ids from it, and read the message from the service. ' +
      'Verify a signature where one comes, over the raw bytes of the body.',
    evidence: 'SI: `t=,v1=` with HMAC-SHA256. AgentMail: Svix headers.',
  }),
} as const
