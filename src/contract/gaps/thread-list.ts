import { defineGap } from './gap.js'

/** Silent points of the pages of the list of threads. @see interface 4.3, 8 */
export const threadListGaps = {
  'threads.order': defineGap({
    question: 'In which order are threads listed?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'last-message-desc',
        means: 'The thread with the latest `last_message_at` comes first.',
        example: 'an old thread gets a new message → it moves to the top of the first page',
      },
      {
        name: 'last-message-asc',
        means: 'The thread with the earliest `last_message_at` comes first.',
        example: 'an old thread gets a new message → it moves to the end of the last page',
      },
      {
        name: 'created-desc',
        means: 'The thread with the latest `created_at` comes first.',
        example: 'an old thread gets a new message → it stays below every younger thread',
      },
      {
        name: 'created-asc',
        means: 'The thread with the earliest `created_at` comes first.',
        example: 'a new thread begins → it appears at the end of the last page',
      },
      {
        name: 'unspecified',
        means: 'The order is a seeded shuffle, the same for every page and every request.',
        example: 'the newest thread stands anywhere, yet limit and offset still show each thread once',
      },
    ],
    worst: 'unspecified',
    advice:
      'Never take the first thread for the newest: read every page and sort by the field you need. ' +
      'Know threads by `id`, and begin each poll at the start: new mail moves threads between pages.',
    evidence: 'Inkbox, AgentMail, Resend: newest activity first.',
  }),
  'threads.total': defineGap({
    question: 'What does `total` count in the list of threads?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'all-matches',
        means: '`total` counts every thread that matches the filters, on this page or not.',
        example: '120 threads match, limit=50 → 50 threads, "total": 120',
      },
      {
        name: 'page-size',
        means: '`total` counts the threads in this answer only.',
        example: '120 threads match, limit=50 → 50 threads, "total": 50',
      },
      {
        name: 'all-threads',
        means: '`total` counts every thread of the organization, whatever the filters.',
        example: '120 threads match of 400, limit=50 → 50 threads, "total": 400',
      },
    ],
    worst: 'page-size',
    advice:
      'Page until an answer has fewer threads than its limit, and stop there; use `total` for display only.',
    evidence: 'SI: its client pages until the offset reaches total. Mailpit counts the mailbox.',
  }),
  'threads.agent-and-mailbox': defineGap({
    question: 'Which threads match when both `agent` and `mailbox` are given?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'both',
        means: 'Only threads that satisfy both filters, which is the intersection.',
        example: 'agent=eva&mailbox=max@agents.example → no thread',
      },
      {
        name: 'either',
        means: 'Threads that satisfy at least one filter, which is the union.',
        example: 'agent=eva&mailbox=max@agents.example → the threads of eva and of max',
      },
      {
        name: 'agent-wins',
        means: '`agent` decides and `mailbox` is ignored.',
        example: 'agent=eva&mailbox=max@agents.example → the threads of eva',
      },
      {
        name: 'mailbox-wins',
        means: '`mailbox` decides and `agent` is ignored.',
        example: 'agent=eva&mailbox=max@agents.example → the threads of max',
      },
      {
        name: 'rejected',
        means: 'Giving both is an invalid request, even when they agree.',
        example: 'agent=eva&mailbox=eva@agents.example → 400',
      },
    ],
    worst: 'rejected',
    advice:
      'Give `agent` or `mailbox`, never both; an agent has one mailbox, so that one filter says it all.',
    evidence: 'none',
  }),
  'threads.limit-out-of-range': defineGap({
    question: 'What does a `limit` outside 1 to 100, or one that is no integer, do?',
    parts: ['4.3', '8'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'rejected',
        means: 'The request is invalid.',
        example: 'limit=0, limit=101, limit=-1 or limit=abc → 400',
      },
      {
        name: 'clamped',
        means: 'An integer becomes the nearest bound, and anything else the default of 50.',
        example: 'limit=0 or limit=-1 → 1 thread; limit=101 → 100 threads; limit=abc → 50 threads',
      },
      {
        name: 'default',
        means: 'Any such value counts as if `limit` were not given.',
        example: 'limit=0, limit=101, limit=-1 or limit=abc → 50 threads',
      },
    ],
    worst: 'rejected',
    advice: 'Send an integer from 1 to 100, checked in your own code, and page for more.',
    evidence: 'SI: 400 on a bad query. Emailit: 400. Mailpit: the default.',
  }),
  'threads.offset-out-of-range': defineGap({
    question: 'What does an `offset` below 0, or one that is no integer, do?',
    parts: ['4.3', '8'],
    concerns: ['threads.list'],
    readings: [
      {
        name: 'rejected',
        means: 'The request is invalid; an offset past the end is not, and gives an empty page.',
        example: 'offset=-1 or offset=abc → 400; offset=9000 → 200, "threads": []',
      },
      {
        name: 'zero',
        means: 'The list starts at its beginning; an offset past the end gives an empty page.',
        example: 'offset=-1 or offset=abc → 200, the first page; offset=9000 → 200, "threads": []',
      },
    ],
    worst: 'rejected',
    advice:
      'Send an integer of 0 or more, checked in your own code; an empty page means that the list has ended.',
    evidence: 'SI: 400 on a bad query. Emailit: 400. Mailpit: the default.',
  }),
} as const
