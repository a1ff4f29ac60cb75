import { defineGap, everyOperation } from './gap.js'

/** Silent points of limits and of the format of responses. @see interface 1, 2, 8 */
export const limitGaps = {
  'limits.rate': defineGap({
    question: 'How many requests may a key make in a minute?',
    parts: ['8'],
    concerns: everyOperation,
    learnedBy: 'by-hand',
    assumptions: {
      none: 'Any number – for example 500 requests in a minute → 500 times 200',
      '60-per-minute':
        "60 in a minute of the world's clock; further requests get 429 with `Retry-After` – for example the 61st request of one key in a minute → 429, Retry-After: 24",
    },
    worst: '60-per-minute',
    advice:
      'Send at most one request per second with a key, counting every page of a list. ' +
      'After a 429, wait as long as `Retry-After` says before you retry.',
    evidence: 'wirebox-sh/docs, AgentMail, Resend: 429 with Retry-After.',
  }),
  'limits.body-size': defineGap({
    question: 'How large may the body of a request be?',
    parts: ['4.2', '8'],
    concerns: ['identities.update'],
    learnedBy: 'writes',
    assumptions: {
      '1mb':
        'Up to 1,048,576 bytes; a larger body gets 413 Content Too Large – for example PATCH with a description of 200 kB → 200; of 2 MB → 413, nothing changed',
      '100kb':
        'Up to 102,400 bytes; a larger body gets 413 Content Too Large – for example PATCH with a description of 200 kB → 413, nothing changed',
    },
    worst: '100kb',
    advice: 'Keep the body of an update below 100 kB, and do not retry a request that got 413.',
    evidence: 'common practice',
  }),
  'format.timestamps': defineGap({
    question: 'How precise are timestamps?',
    parts: ['2.1', '2.2', '2.3', '2.4'],
    concerns: [
      'Identity.created_at',
      'Identity.updated_at',
      'Thread.last_message_at',
      'Thread.created_at',
      'Message.created_at',
      'Webhook.created_at',
      'Webhook.updated_at',
      'events',
    ],
    learnedBy: 'reads',
    assumptions: {
      milliseconds:
        'Always three decimals of a second, and a final Z – for example a quarter second past nine → "2026-01-05T09:00:00.250Z"',
      seconds:
        'Whole seconds, with the fraction truncated, and a final Z. What comes within a second of the last message of its thread is dated in the next second – for example a quarter second past nine → "2026-01-05T09:00:00Z"',
    },
    worst: 'seconds',
    advice:
      'Parse timestamps before you compare them, since the two forms do not sort correctly as text. ' +
      'Expect equal timestamps in different threads, and never distinguish messages by their time.',
    evidence: 'Both are ISO 8601 in UTC and end in Z.',
  }),
  'format.cors': defineGap({
    question: 'May a web page of another origin read the responses?',
    parts: ['1'],
    concerns: everyOperation,
    learnedBy: 'reads',
    assumptions: {
      none: 'No: responses carry no `Access-Control-*` fields, and preflights fail – for example a fetch from https://app.example → the browser blocks it',
      permissive:
        'Yes: responses carry `Access-Control-Allow-Origin: *`, and preflights succeed. A seed never chooses it, because any page that is open on this machine could then read the mail – for example OPTIONS /api/v1/mail/threads from https://app.example → 204, Access-Control-Allow-Origin: *',
    },
    byNameOnly: ['permissive'],
    worst: 'none',
    advice:
      'Call the service from a server, never from a web page, which would also expose the key to its visitors.',
    evidence: 'none',
  }),
} as const
