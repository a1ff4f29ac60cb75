import { defineGap } from './gap.js'

/** Silent points of messages: their list, and a message itself. @see interface 2.3, 4.4, 8 */
export const messageGaps = {
  'messages.order': defineGap({
    question: 'In which order are messages listed?',
    parts: ['4.4'],
    concerns: ['messages.list'],
    learnedBy: 'reads',
    assumptions: {
      'created-desc':
        'The newest message comes first, with or without `thread_id` – for example thread_id=thrd_5kq8 → the reply from 11:00, then the question from 09:00',
      'created-asc':
        'The oldest message comes first, with or without `thread_id` – for example thread_id=thrd_5kq8 → the question from 09:00, then the reply from 11:00',
      'chronological-in-thread':
        'The oldest message comes first when `thread_id` is given, the newest first otherwise – for example thread_id=thrd_5kq8 → 09:00, 11:00; without it → 11:00, 09:00',
      unspecified:
        'The order is a seeded shuffle, the same for every page and every request – for example the newest message may be anywhere, but its place is the same in every response',
    },
    worst: 'unspecified',
    advice:
      'Sort by `created_at` yourself, and never assume that the first or the last message is the newest. ' +
      'A list that is cut off at its limit may lack the newest message, so ask for one thread at a time.',
    evidence:
      'wirebox-sh/docs: its later docs list the newest first, and the messages of a thread chronologically.',
  }),
  'messages.total': defineGap({
    question: 'What does `total` count in the list of messages?',
    parts: ['4.4'],
    concerns: ['messages.list'],
    learnedBy: 'reads',
    assumptions: {
      'all-matches':
        '`total` counts every message that matches the filters, whether or not it is in this response – for example 80 messages match, limit=50 → 50 messages, "total": 80',
      'page-size':
        '`total` counts the messages in this response only – for example 80 messages match, limit=50 → 50 messages, "total": 50',
      'all-messages':
        '`total` counts every message of the organization, regardless of the filters – for example 80 messages match of 900, limit=50 → 50 messages, "total": 900',
    },
    worst: 'page-size',
    advice:
      'Compare the number of messages with the `message_count` of the thread to check that you have all of them. ' +
      'Use `total` for display only.',
    evidence: 'wirebox-sh/docs: its client pages until the offset reaches total. Mailpit counts the mailbox.',
  }),
  'messages.offset': defineGap({
    question: 'Does the list of messages have an `offset` parameter?',
    parts: ['4.4', '8'],
    concerns: ['messages.list'],
    learnedBy: 'reads',
    assumptions: {
      ignored:
        'It has none; an `offset` has no effect – for example 80 messages match, offset=50 → the first 50 messages again',
      honoured:
        'It does, as in the list of threads: that many matches are skipped – for example 80 messages match, offset=50 → the last 30 messages',
      rejected: 'It has none; an `offset` makes the request invalid – for example offset=50 → 400',
    },
    worst: 'rejected',
    advice:
      'Do not use one: ask for one thread at a time with `limit=100`, and compare with `message_count`. ' +
      'For a longer thread try an `offset`, and stop at a 400 or 422, or at a page without a new `id`.',
    evidence: 'Not documented, but the comparable list of threads has it.',
  }),
  'messages.limit-maximum': defineGap({
    question: 'What is the upper bound of `limit` in the list of messages?',
    parts: ['4.4', '8'],
    concerns: ['messages.list'],
    learnedBy: 'reads',
    assumptions: {
      '100':
        '`limit` goes from 1 to 100 – for example 700 messages match, limit=100 → 100 messages; limit=101 is out of range',
      '500':
        '`limit` goes from 1 to 500 – for example 700 messages match, limit=500 → 500 messages; limit=501 is out of range',
      none: '`limit` is 1 or more, without an upper bound – for example 700 messages match, limit=5000 → 700 messages',
    },
    worst: '100',
    advice:
      'Ask for at most 100, which is within every bound, and never assume that one response is complete.',
    evidence: 'wirebox-sh/docs: 1 to 100. Gmail: 500. Mailosaur: 1000.',
  }),
  'messages.limit-out-of-range': defineGap({
    question: 'What happens if `limit` is out of bounds or not an integer?',
    parts: ['4.4', '8'],
    concerns: ['messages.list'],
    learnedBy: 'reads',
    assumptions: {
      rejected: 'The request is invalid – for example limit=0, limit=-1 or limit=abc → 400',
      clamped:
        'An integer becomes the nearest bound, and anything else becomes the default of 50 – for example limit=0 or limit=-1 → 1 message; limit=abc → 50 messages',
      default:
        'Such a value is ignored, as if `limit` were not given – for example limit=0, limit=-1 or limit=abc → 50 messages',
    },
    worst: 'rejected',
    advice: 'Send an integer from 1 to 100, checked in your own code, or leave `limit` out for 50.',
    evidence: 'wirebox-sh/docs: 400 on a bad query. Emailit: 400. Mailpit: the default.',
  }),
  'messages.unknown-thread': defineGap({
    question: 'What does a filter by an unknown thread or agent return?',
    parts: ['4.4', '7'],
    concerns: ['messages.list'],
    learnedBy: 'reads',
    assumptions: {
      empty:
        'The filter matches nothing and the list is empty – for example thread_id=thrd_gone → 200, "messages": []',
      'not-found':
        'A thread or agent that the organization does not have gets a 404 – for example thread_id=thrd_gone or agent=nobody → 404',
    },
    worst: 'not-found',
    advice: 'Treat a 404 and an empty list alike: there are no messages.',
    evidence: 'none',
  }),
  'messages.headers': defineGap({
    question: 'How do the full RFC headers appear in a message?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.headers'],
    learnedBy: 'reads',
    assumptions: {
      object:
        '`headers` maps each header field name in lower case to its value, or to a list if it is repeated – for example "headers": {"message-id": "<a1@shop.example>", "received": ["from mx1 …", "from mx2 …"]}',
      list: '`headers` lists the header fields one by one, in the order of the message – for example "headers": [{"name": "Received", "value": "from mx1 …"}, {"name": "Message-ID", …}]',
      omitted:
        'They do not appear: a message has only the documented fields – for example {"id": "msg_3fw9", "subject": "Hello", …} without "headers"',
    },
    worst: 'omitted',
    advice:
      'Use the documented fields wherever they contain what you need, and treat `headers` as optional. ' +
      'Accept both forms: an object with lower-case names, and a list of `name` and `value`.',
    evidence: 'The interface says that the list carries full RFC headers, but documents no names (2.3).',
  }),
  'messages.authentication': defineGap({
    question: 'How does a received message show whether its sender is authentic?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.headers', 'Message.authentication'],
    learnedBy: 'reads',
    assumptions: {
      headers:
        'The headers begin with the fields that the receiving server added: `Return-Path`, `Received` and `Authentication-Results` – for example "authentication-results": "mx.agents.example; spf=pass …; dkim=pass …; dmarc=pass header.from=shop.example"',
      field:
        'A field `authentication` has the results, and the headers are those that the sender wrote – for example "authentication": {"spf": "pass", "dkim": "pass", "dmarc": "pass"}',
      omitted:
        'It does not: the headers are those that the sender wrote – for example "headers": {"message-id": "<a1@shop.example>", "from": …} without "authentication-results"',
    },
    worst: 'omitted',
    advice:
      'Act on what a sender may decide only if `authentication.dmarc`, or `dmarc` in the first `Authentication-Results` of your own ' +
      'server, is `pass`. Without either, treat the sender as unknown: anybody can write any From.',
    evidence:
      'RFC 8601: the field Authentication-Results. Amazon SES and Postmark report verdicts beside the message.',
  }),
  'messages.outbound-direction': defineGap({
    question: 'What is the `direction` of a message that the agent sent?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.direction'],
    learnedBy: 'reads',
    assumptions: {
      outbound:
        'It is `outbound`, the counterpart of `inbound` – for example eva replies → "direction": "outbound"',
      sent: 'It is `sent`, which describes what was done with the message – for example eva replies → "direction": "sent"',
    },
    worst: 'sent',
    advice: 'Compare with `inbound` only: a message with any other `direction` was sent by the agent.',
    evidence: 'wirebox-sh/docs, Inkbox: outbound. Mailosaur: Sent.',
  }),
  'messages.empty-body': defineGap({
    question: 'How is the missing body of a text-only or HTML-only message represented?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.text', 'Message.html'],
    learnedBy: 'reads',
    assumptions: {
      'empty-string':
        'The missing body is the empty string – for example a message without an HTML part → "text": "Hello", "html": ""',
      null: 'The missing body is null – for example a message without an HTML part → "text": "Hello", "html": null',
      absent:
        'The field of the missing body is left out – for example a message without an HTML part → "text": "Hello" and no "html"',
    },
    worst: 'absent',
    advice: "Read a body as `message.text ?? ''`, and fall back to the other one if it is empty.",
    evidence: 'The interface types both fields as string (2.3).',
  }),
  'messages.empty-sender': defineGap({
    question: 'How is the sender of a message shown whose From has no address, such as a bounce?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.from'],
    learnedBy: 'reads',
    assumptions: {
      'as-written':
        'With empty brackets, as in the message – for example From: MAILER-DAEMON <> → "from": "MAILER-DAEMON <>"; From: <> → "from": "<>"',
      'name-only':
        'As the name alone, which may be empty – for example From: MAILER-DAEMON <> → "from": "MAILER-DAEMON"; From: <> → "from": ""',
    },
    worst: 'name-only',
    advice: 'Reply only if `from` has an address, which contains `@`; mail without one wants no reply.',
    evidence:
      'The interface gives the form `Display Name <local@domain>` (2.3). RFC 5321: bounces have none.',
  }),
  'messages.attachment-entry': defineGap({
    question: 'Which fields does an attachment entry have?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.attachments'],
    learnedBy: 'reads',
    assumptions: {
      full: 'Six fields: `id`, `filename`, `content_type`, `size_bytes`, `content_id`, `url` – for example {"id": "att_7h", "filename": "a.pdf", …, "size_bytes": 512, "content_id": …, "url": "…"}',
      'url-only': 'One field: `url` – for example {"url": "https://mail.test/files/att_7h"}',
      'download-url':
        'Five fields: `id`, `filename`, `content_type`, `size`, `download_url` – for example {"id": "att_7h", "filename": "a.pdf", …, "size": 512, "download_url": "…"}',
    },
    worst: 'url-only',
    advice:
      'Take `url`, else `download_url`; treat the name, the type and `size_bytes` or `size` as optional. ' +
      'If they are missing, look at the headers of the download.',
    evidence:
      'wirebox-sh/docs: later docs have id, filename, content_type, size_bytes, content_id, url. Resend, AgentMail: download_url.',
  }),
  'messages.attachment-url': defineGap({
    question: 'Does fetching the URL of an attachment require the key?',
    parts: ['2.3', '5'],
    concerns: ['Message.attachments'],
    learnedBy: 'reads',
    assumptions: {
      open: 'The URL alone is enough – for example GET the URL without Authorization → 200 and the file',
      required:
        'The URL requires the same bearer key as the list of messages – for example GET the URL without Authorization → 401; with the key → 200 and the file',
    },
    worst: 'required',
    advice: 'Send the key when the URL has the origin of the service, and never to another origin.',
    evidence: 'wirebox-sh/docs: later docs have a signed URL that expires.',
  }),
} as const
