import { defineGap } from './gap.js'

/**
 * Silent points of threads: the pages of their list, its filters, and a thread itself. @see interface 2.2, 3,
 * 4.3, 8
 */
export const threadGaps = {
  'threads.order': defineGap({
    question: 'In which order are threads listed?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      'last-message-desc':
        'The thread with the latest `last_message_at` comes first – for example an old thread gets a new message → it moves to the top of the first page',
      'last-message-asc':
        'The thread with the earliest `last_message_at` comes first – for example an old thread gets a new message → it moves to the end of the last page',
      'created-desc':
        'The thread with the latest `created_at` comes first – for example an old thread gets a new message → it stays below every newer thread',
      'created-asc':
        'The thread with the earliest `created_at` comes first – for example a new thread begins → it appears at the end of the last page',
      unspecified:
        'The order is a seeded shuffle, the same for every page and every request – for example the newest thread may be anywhere, but paging still returns each thread once',
    },
    worst: 'unspecified',
    advice:
      'Never assume that the first thread is the newest: read every page and sort by the field you need. ' +
      'Identify threads by `id`, and start each poll at the first page: new mail moves threads between pages.',
    evidence: 'Inkbox, AgentMail, Resend: newest activity first.',
  }),
  'threads.total': defineGap({
    question: 'What does `total` count in the list of threads?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      'all-matches':
        '`total` counts every thread that matches the filters, whether or not it is on this page – for example 120 threads match, limit=50 → 50 threads, "total": 120',
      'page-size':
        '`total` counts the threads in this response only – for example 120 threads match, limit=50 → 50 threads, "total": 50',
      'all-threads':
        '`total` counts every thread of the organization, regardless of the filters – for example 120 threads match of 400, limit=50 → 50 threads, "total": 400',
    },
    worst: 'page-size',
    advice:
      'Page until a response has fewer threads than its limit, and stop there; use `total` for display only.',
    evidence: 'wirebox-sh/docs: its client pages until the offset reaches total. Mailpit counts the mailbox.',
  }),
  'threads.agent-and-mailbox': defineGap({
    question: 'Which threads match when both `agent` and `mailbox` are given?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      both: 'Only threads that satisfy both filters (the intersection) – for example agent=eva&mailbox=max@agents.example → no thread',
      either:
        'Threads that satisfy at least one filter (the union) – for example agent=eva&mailbox=max@agents.example → the threads of eva and of max',
      'agent-wins':
        '`agent` decides and `mailbox` is ignored – for example agent=eva&mailbox=max@agents.example → the threads of eva',
      'mailbox-wins':
        '`mailbox` decides and `agent` is ignored – for example agent=eva&mailbox=max@agents.example → the threads of max',
      rejected:
        'A request with both is invalid, even if they agree – for example agent=eva&mailbox=eva@agents.example → 400',
    },
    worst: 'rejected',
    advice: 'Give `agent` or `mailbox`, never both; an agent has one mailbox, so one filter is enough.',
    evidence: 'none',
  }),
  'threads.limit-out-of-range': defineGap({
    question: 'What happens if `limit` is not an integer from 1 to 100?',
    parts: ['4.3', '8'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      rejected: 'The request is invalid – for example limit=0, limit=101, limit=-1 or limit=abc → 400',
      clamped:
        'An integer becomes the nearest bound, and anything else becomes the default of 50 – for example limit=0 or limit=-1 → 1 thread; limit=101 → 100 threads; limit=abc → 50 threads',
      default:
        'Such a value is ignored, as if `limit` were not given – for example limit=0, limit=101, limit=-1 or limit=abc → 50 threads',
    },
    worst: 'rejected',
    advice: 'Send an integer from 1 to 100, checked in your own code, and page for more.',
    evidence: 'wirebox-sh/docs: 400 on a bad query. Emailit: 400. Mailpit: the default.',
  }),
  'threads.offset-out-of-range': defineGap({
    question: 'What happens if `offset` is negative or not an integer?',
    parts: ['4.3', '8'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      rejected:
        'The request is invalid; an offset past the end is valid and gives an empty page – for example offset=-1 or offset=abc → 400; offset=9000 → 200, "threads": []',
      zero: 'The list starts at its beginning; an offset past the end gives an empty page – for example offset=-1 or offset=abc → 200, the first page; offset=9000 → 200, "threads": []',
    },
    worst: 'rejected',
    advice:
      'Send an integer of 0 or more, checked in your own code; an empty page means the end of the list.',
    evidence: 'wirebox-sh/docs: 400 on a bad query. Emailit: 400. Mailpit: the default.',
  }),
  'threads.unknown-agent': defineGap({
    question: 'What does a filter by an unknown agent or mailbox return?',
    parts: ['4.3', '7'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      empty:
        'The filter matches nothing and the list is empty – for example agent=nobody → 200, "threads": []',
      'not-found':
        'An agent or mailbox that the organization does not have gets a 404 – for example agent=nobody or mailbox=nobody@agents.example → 404',
    },
    worst: 'not-found',
    advice:
      'Treat a 404 and an empty list alike: there are no threads. ' +
      'To learn whether an agent exists, read its identity.',
    evidence: 'none',
  }),
  'threads.agent-at-prefix': defineGap({
    question: 'Does a filter by agent accept a handle with a leading `@`?',
    parts: ['4.3', '4.4', '4.5'],
    concerns: ['threads.list', 'messages.list', 'webhooks.list'],
    learnedBy: 'reads',
    assumptions: {
      'same-agent':
        'The `@` is dropped, so both forms name the same agent – for example agent=@eva → the threads of eva',
      'no-match':
        'The `@` counts as part of the handle, so the agent is unknown – for example agent=@eva → 200, "threads": []',
    },
    worst: 'no-match',
    advice: 'Strip a leading `@` from a handle before you filter by it.',
    evidence: 'Reading an identity accepts both forms.',
  }),
  'threads.mailbox-case': defineGap({
    question: 'Does the case of a mailbox address in a filter matter?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      insensitive:
        'The local part and the domain match in any case – for example mailbox=EVA@Agents.Example → the threads of eva@agents.example',
      exact:
        'The case of every letter must match the stored address – for example mailbox=EVA@Agents.Example → 200, "threads": []',
    },
    worst: 'exact',
    advice: 'Filter by `mailbox_address` exactly as the identity has it, or by `agent` instead.',
    evidence: 'common practice for email',
  }),
  'threads.unscoped': defineGap({
    question: 'Which threads are listed when neither `agent` nor `mailbox` is given?',
    parts: ['4.3'],
    concerns: ['threads.list'],
    learnedBy: 'reads',
    assumptions: {
      all: 'Every thread of the organization of the key – for example GET /api/v1/mail/threads → the threads of eva, max and every other agent',
      rejected:
        'One of the two filters is required; without either, the request is invalid – for example GET /api/v1/mail/threads → 400',
      empty:
        'No thread is in scope and the list is empty – for example GET /api/v1/mail/threads → 200, "threads": []',
    },
    worst: 'rejected',
    advice: 'Give `agent` or `mailbox` with every request; for several agents, send one request for each.',
    evidence: 'The interface calls both filters optional (4.3).',
  }),
  'threads.unread-after-read': defineGap({
    question: 'Does listing the messages of a thread mark it as read?',
    parts: ['2.2', '3', '4.4'],
    concerns: ['threads.list', 'messages.list', 'Thread.unread'],
    // Listing the messages of an unread thread may mark it as read permanently.
    learnedBy: 'writes',
    assumptions: {
      'stays-unread':
        'Listing messages never changes `unread` – for example messages?thread_id=thrd_5kq8 is listed → the thread still has "unread": true',
      'becomes-read':
        'Listing messages by the `thread_id` of a thread sets its `unread` to false – for example messages?thread_id=thrd_5kq8 is listed → the thread now has "unread": false',
    },
    worst: 'becomes-read',
    advice:
      'Remember by `id` which messages you have handled, and treat `unread` only as a hint. ' +
      'To find threads with new messages, look for a changed `message_count` or `last_message_at`.',
    evidence: 'wirebox-sh/docs: in its later docs, marking as read is a PATCH on the message.',
  }),
  'threads.unread-after-reply': defineGap({
    question: 'Does an outbound reply in a thread clear `unread`?',
    parts: ['2.2', '3'],
    concerns: ['threads.list', 'Thread.unread'],
    // A thread may be read or unread for other reasons, and the interface has no way to send a reply.
    learnedBy: 'none',
    assumptions: {
      'stays-unread':
        'A message that the agent sends does not change `unread` – for example eva replies in an unread thread → it still has "unread": true',
      'becomes-read':
        'A message that the agent sends sets `unread` of its thread to false – for example eva replies in an unread thread → it now has "unread": false',
    },
    worst: 'stays-unread',
    advice:
      'Never take `unread` to mean that nobody has replied: look at the `direction` of the newest message of the thread.',
    evidence: 'none',
  }),
  'threads.snippet': defineGap({
    question: 'Which message of a thread gives its `snippet`?',
    parts: ['2.2'],
    concerns: ['threads.list', 'Thread.snippet'],
    learnedBy: 'reads',
    assumptions: {
      latest:
        '`snippet` is taken from the newest message, inbound or outbound – for example "Where is my parcel?", then "It ships today." → "snippet": "It ships today."',
      first:
        '`snippet` is taken from the oldest message and never changes – for example "Where is my parcel?", then "It ships today." → "snippet": "Where is my parcel?"',
    },
    worst: 'first',
    advice: 'Show `snippet` to people, but base no decision on it; for the latest text, list the messages.',
    evidence: 'wirebox-sh/docs: a preview of the latest message.',
  }),
  'threads.forward': defineGap({
    question: 'Does a forwarded message belong to the thread of the original?',
    parts: ['1', '2.2'],
    concerns: ['threads.list', 'messages.list', 'Message.thread_id'],
    learnedBy: 'none',
    assumptions: {
      stays:
        'Yes: it is in the thread of the original, and so are the replies to it – for example eva forwards a question to bob → the thread of the question has it as its latest message',
      'begins-a-thread':
        'No: it begins a thread of its own – for example eva forwards a question to bob → a thread "Fwd: …" beside that of the question',
    },
    worst: 'stays',
    advice:
      'Reply to the message that you mean, by its id and to its sender, never to the latest message of a thread: ' +
      'that may have been written to somebody else, or by somebody else.',
    evidence:
      'Gmail keeps a forwarded message in the thread; most services that send for programs begin another one.',
  }),
  'threads.new-subject': defineGap({
    question: 'Does a reply with another subject stay in its thread?',
    parts: ['1', '2.2'],
    concerns: ['threads.list', 'messages.list', 'Message.thread_id'],
    learnedBy: 'by-hand',
    assumptions: {
      stays:
        'Yes: it stays in the thread of the message that it replies to, whatever its subject – for example a reply to "Lamp" with the subject "Chair" → the third message of the thread "Lamp"',
      'begins-a-thread':
        'No: unless only marks such as `Re:` differ, it begins a thread – for example a reply to "Lamp" with the subject "Chair" → the first message of a thread "Chair"',
    },
    worst: 'begins-a-thread',
    advice:
      'Keep the subject in a reply, and do not take a thread for everything that a person has written about something: ' +
      'look for the `in-reply-to` in `headers`, and for other threads with the same person.',
    evidence: 'Gmail begins a thread when the subject changes; programs that follow References do not.',
  }),
} as const
