import type { AttachmentEntry } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { expectKeys } from '../../conformance/assertions.js'
import { messagesPath } from '../../conformance/mailbox.js'
import { lampFiles } from '../../conformance/scenario.js'
import type { Answer } from '../../conformance/transport.js'
import { fetchPhoto, messagesOf } from '../asked.js'
import type { Asked, GapCases } from '../gap-case.js'
import { messagesIn, refusedWith } from '../seen.js'

const documented = [
  'id',
  'thread_id',
  'direction',
  'from',
  'to',
  'subject',
  'text',
  'html',
  'attachments',
  'created_at',
]

/** An agent without mail, one with only text mail, and eva's latest mail with text and HTML. */
const empty: Asked = { path: messagesPath({ agent: 'Night_Shift.bot-1' }) }
const inboundText: Asked = { path: messagesPath({ agent: 'max' }) }
const textAndHtml: Asked = { path: messagesPath({ agent: 'eva', limit: 1 }) }

const thanks = (answer: Answer) => {
  const [message, ...others] = messagesIn(answer)
  expect(others).toEqual([])
  expect(message).toMatchObject({ subject: 'Thanks', text: 'All is well.' })
  return message as NonNullable<typeof message>
}

/** Asserts the directions of a conversation, newest first. */
const hasDirections =
  (...directions: readonly string[]) =>
  (answer: Answer) =>
    expect(messagesIn(answer).map(({ direction }) => direction)).toEqual(directions)

/** Asserts that the entries of the lamp's files have these fields, and returns them. */
function entriesWith(answer: Answer, fields: readonly string[]): AttachmentEntry[] {
  const entries = messagesIn(answer).flatMap(({ attachments }) => attachments)
  expect(entries).toHaveLength(lampFiles.length)
  for (const entry of entries) expectKeys(entry, fields)
  return entries
}

/** Silent points of a message itself. */
export const messageCases = {
  'messages.headers': {
    request: messagesOf('Thanks'),
    sees: {
      omitted: (answer) => expectKeys(thanks(answer), documented),
      object: (answer) => {
        expectKeys(thanks(answer), [...documented, 'headers'])
        expect(thanks(answer).headers).toMatchObject({
          subject: 'Thanks',
          from: 'Ann Lee <ann@shop.example>',
        })
      },
      list: (answer) => {
        expectKeys(thanks(answer), [...documented, 'headers'])
        expect(thanks(answer).headers).toContainEqual({ name: 'Subject', value: 'Thanks' })
      },
    },
    quiet: [empty],
  },
  'messages.outbound-direction': {
    request: messagesOf('Where is my lamp?'),
    sees: {
      outbound: hasDirections('inbound', 'outbound', 'inbound'),
      sent: hasDirections('inbound', 'sent', 'inbound'),
    },
    quiet: [inboundText],
  },
  'messages.empty-body': {
    request: messagesOf('Thanks'),
    sees: {
      'empty-string': (answer) => expect(thanks(answer).html).toBe(''),
      null: (answer) => expect(thanks(answer).html).toBe(null),
      absent: (answer) => expect(thanks(answer)).not.toHaveProperty('html'),
    },
    quiet: [textAndHtml, empty],
  },
  'messages.attachment-entry': {
    request: messagesOf('Broken lamp'),
    sees: {
      full: (answer) => {
        const fields = ['id', 'filename', 'content_type', 'size_bytes', 'content_id', 'url']
        const [photo] = entriesWith(answer, fields)
        expect(photo).toMatchObject({ filename: 'lamp photo.png', size_bytes: 256, content_id: 'photo-1' })
      },
      'url-only': (answer) => {
        entriesWith(answer, ['url'])
      },
      'download-url': (answer) => {
        const [photo] = entriesWith(answer, ['id', 'filename', 'content_type', 'size', 'download_url'])
        expect(photo).toMatchObject({ filename: 'lamp photo.png', size: 256 })
      },
    },
    quiet: [messagesOf('Thanks'), inboundText],
  },
  'messages.attachment-url': {
    request: async (mailbox) => ({ ...(await fetchPhoto(mailbox)), key: null }),
    sees: {
      open: (answer) => {
        expect(answer.status).toBe(200)
        expect([...answer.body]).toEqual([...lampFiles[0].bytes])
      },
      required: refusedWith(401),
    },
    quiet: [fetchPhoto, { path: '/attachments/att_000000000000/a.txt' }],
  },
} satisfies Partial<GapCases>
