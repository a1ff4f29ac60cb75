import { defineGap } from './gap.js'

/** Silent points of a message itself. @see interface 2.3 */
export const messageGaps = {
  'messages.headers': defineGap({
    question: 'How do the full RFC headers appear in a message?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.headers'],
    readings: [
      {
        name: 'omitted',
        means: 'They do not appear: a message has the documented fields and no others.',
        example: '{"id": "msg_3fw9", "subject": "Hello", …} without "headers"',
      },
      {
        name: 'object',
        means: '`headers` maps each header field name in lower case to its value, or to all if repeated.',
        example: '"headers": {"message-id": "<a1@shop.example>", "received": ["from mx1 …", "from mx2 …"]}',
      },
      {
        name: 'list',
        means: '`headers` lists the header fields one by one, in the order of the message.',
        example: '"headers": [{"name": "Received", "value": "from mx1 …"}, {"name": "Message-ID", …}]',
      },
    ],
    worst: 'omitted',
    advice:
      'Use the documented fields wherever they say what you need, and treat `headers` as optional. ' +
      'Accept both forms: an object with lower-case names, and a list of `name` and `value`.',
    evidence: 'The interface promises the headers and shows no names (2.3).',
  }),
  'messages.outbound-direction': defineGap({
    question: 'Which `direction` has a message that the agent sent?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.direction'],
    readings: [
      {
        name: 'outbound',
        means: 'It is the counterpart of `inbound`.',
        example: 'eva replies → "direction": "outbound"',
      },
      {
        name: 'sent',
        means: 'It says what was done with the message.',
        example: 'eva replies → "direction": "sent"',
      },
    ],
    worst: 'sent',
    advice: 'Compare with `inbound` only: every other `direction` is mail that the agent sent.',
    evidence: 'SI, Inkbox: outbound. Mailosaur: Sent.',
  }),
  'messages.empty-body': defineGap({
    question: 'What stands for the body that a text-only or HTML-only message does not have?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.text', 'Message.html'],
    readings: [
      {
        name: 'empty-string',
        means: 'The missing body is the empty string.',
        example: 'a message without an HTML part → "text": "Hello", "html": ""',
      },
      {
        name: 'null',
        means: 'The missing body is null.',
        example: 'a message without an HTML part → "text": "Hello", "html": null',
      },
      {
        name: 'absent',
        means: 'The field of the missing body is left out.',
        example: 'a message without an HTML part → "text": "Hello" and no "html"',
      },
    ],
    worst: 'absent',
    advice: "Read a body as `message.text ?? ''`, and fall back to the other one where it is empty.",
    evidence: 'The interface types both fields as string (2.3).',
  }),
  'messages.attachment-entry': defineGap({
    question: 'Which fields does an attachment entry have?',
    parts: ['2.3'],
    concerns: ['messages.list', 'Message.attachments'],
    readings: [
      {
        name: 'full',
        means: 'Six fields: `id`, `filename`, `content_type`, `size_bytes`, `content_id`, `url`.',
        example: '{"id": "att_7h", "filename": "a.pdf", …, "size_bytes": 512, "content_id": …, "url": "…"}',
      },
      {
        name: 'url-only',
        means: 'One field: `url`.',
        example: '{"url": "https://mail.test/files/att_7h"}',
      },
      {
        name: 'download-url',
        means: 'Five fields: `id`, `filename`, `content_type`, `size`, `download_url`.',
        example: '{"id": "att_7h", "filename": "a.pdf", …, "size": 512, "download_url": "…"}',
      },
    ],
    worst: 'url-only',
    advice:
      'Take `url`, else `download_url`; treat the name, the type and `size_bytes` or `size` as optional. ' +
      'Where they are missing, look at the headers of the download.',
    evidence:
      'SI: later docs have id, filename, content_type, size_bytes, content_id, url. Resend, AgentMail: download_url.',
  }),
  'messages.attachment-url': defineGap({
    question: 'Does fetching the URL of an attachment need the key?',
    parts: ['2.3', '5'],
    concerns: ['Message.attachments'],
    readings: [
      {
        name: 'open',
        means: 'The URL is enough by itself.',
        example: 'GET the URL without Authorization → 200 and the file',
      },
      {
        name: 'required',
        means: 'The URL needs the same bearer key as the list of messages.',
        example: 'GET the URL without Authorization → 401; with the key → 200 and the file',
      },
    ],
    worst: 'required',
    advice:
      'Send the key with the download when the URL has the origin of the service, and to no other origin.',
    evidence: 'SI: later docs have a signed URL that expires.',
  }),
} as const
