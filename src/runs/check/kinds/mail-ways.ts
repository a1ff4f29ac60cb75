import { addEntries, type FurtherEntry, type Moment, moveEntries, writeMailAs } from '../../../story/edits.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import type { DisturbedStory, Effect } from '../disturbance.js'
import { afterMs, atRequest, timedMail } from './used.js'

/** One way in which mail disturbs an agent. */
interface MailWay {
  /** How many parts follow the name of the way in an id. */
  readonly parts: number
  readonly advice: string
  /** Returns what happens; undefined if the scenario has no place for it. What is added has the key. */
  effect(parts: readonly string[], story: DisturbedStory, key: string): Omit<Effect, 'advice'> | undefined
}

/** A question, so that it calls for an answer. */
const question = 'There is something I forgot to ask: when exactly will this be settled? Please let me know.'

/** Mail that no person writes, there from the start, or in answer to what the agent sends. */
const automatic = {
  away: {
    words: 'an automatic reply',
    from: 'Kim Park <kim@elsewhere.example>',
    subject: 'Automatic reply: Your message',
    fields: ['Auto-Submitted: auto-replied', 'X-Auto-Response-Suppress: All', 'Precedence: auto_reply'],
    lines: ['I am out of the office until Monday, and read my mail then.'],
  },
  bounce: {
    words: 'a bounce of a message to somebody else',
    from: 'Mail Delivery System <mailer-daemon@elsewhere.example>',
    subject: 'Undelivered mail returned to sender',
    fields: [
      'Return-Path: <>',
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=part',
    ],
    lines: [
      ...['--part', 'Content-Type: text/plain', ''],
      ...['Your message could not be delivered to one of its recipients.', ''],
      ...['--part', 'Content-Type: message/delivery-status', ''],
      ...['Reporting-MTA: dns; mx.elsewhere.example', ''],
      ...['Final-Recipient: rfc822; kim@elsewhere.example', 'Action: failed', 'Status: 5.1.1'],
      ...['--part--', ''],
    ],
  },
  list: {
    words: 'the digest of a mailing list',
    from: 'The weekly list <weekly@lists.example>',
    subject: 'This week',
    fields: [
      ...['Precedence: list', 'List-Id: <weekly.lists.example>'],
      'List-Unsubscribe: <https://lists.example/unsubscribe>',
    ],
    lines: ['Four people have written. What do you think of it?'],
  },
  machine: {
    words: 'a message that a machine sends',
    from: 'Status <no-reply@status.example>',
    subject: 'Your weekly report is ready',
    fields: ['Auto-Submitted: auto-generated'],
    lines: ['The report of this week is ready. This message was sent automatically.'],
  },
} as const

/** The names of mail that no person writes. */
export const automaticMail = Object.keys(automatic) as (keyof typeof automatic)[]

const readFields =
  'Look at the header fields of a message before you answer it: Auto-Submitted, Precedence, List-Id and an empty Return-Path mark what no person wrote.'

const ways: Readonly<Record<string, MailWay>> = {
  meanwhile: {
    parts: 5,
    advice:
      'Read a thread to its end right before you answer there, and again once you have; take as handled only what you have read.',
    effect([operation = '', nth, handle, place, from = ''], _, key) {
      const receive = { to: handle, place: Number(place), from, text: question }
      return {
        words: `${from} writes again between the look at the thread and the answer (at ${operation} ${nth})`,
        edit: adding({ key, ...atRequest(operation, Number(nth)), receive } as FurtherEntry),
        expects: {
          describe: `${from}, who writes again, is answered.`,
          invariant: 'answers-everyone',
          people: [from],
        },
      }
    },
  },
  'after-answer': {
    parts: 3,
    advice: 'Take as handled only the messages that you have read, not the whole thread.',
    effect: ([nth, to, from = ''], _, key) => ({
      words: `${from} writes again in the thread just as message ${nth} of the agent is sent`,
      edit: adding({ key, ...onceSent(nth), receive: { to, place: 1, from, text: question } }),
      expects: {
        describe: `${from}, who writes again, is answered.`,
        sent: { to: from },
        after: key,
        at_least: 1,
      },
    }),
  },
  again: {
    parts: 2,
    advice:
      'Recognize a message that comes again by its Message-ID, or by its sender, date and words, and do not answer it again.',
    effect: ([nth, to], _, key) => ({
      words: `the message that answer ${nth} is about arrives a second time`,
      edit: adding({ key, ...onceSent(nth), receive: { to, place: 1, again: true } }),
    }),
  },
  'long-inbox': {
    parts: 2,
    advice: 'Ask for the next page of threads until one has fewer entries than its limit.',
    effect([handle = '', threads], story, key) {
      // What the agent itself has sent, from elsewhere, calls for no answer, and so for no request to a model.
      const send = {
        from: handle,
        to: '{{internet.email}}',
        subject: 'For your information: {{lorem.words(3)}}',
        text: 'This is only for your information; nothing is to be done or answered. {{lorem.sentence}}',
      }
      return {
        words: `${threads} newer threads fill the first page of the inbox of ${handle}`,
        edit: adding({ key, ...afterMs(firstMail(handle, story)), send, ...times(threads) }),
      }
    },
  },
  'long-thread': {
    parts: 3,
    advice: 'Ask for the next page of messages until one has fewer entries than its limit.',
    effect([handle = '', messages, from], story, key) {
      const receive = { to: handle, place: 1, from, text: 'And one more detail: {{lorem.sentence}}' }
      return {
        words: `${from} writes ${messages} more messages in one thread, more than a page`,
        edit: adding({ key, ...afterMs(firstMail(handle, story)), receive, ...times(messages) }),
      }
    },
  },
  'html-only': {
    parts: 0,
    advice: 'Read the HTML of a message that has no text.',
    effect: () => ({
      words: 'every message is written as HTML only',
      edit: (document) =>
        writeMailAs(document, 'html-only', ({ text, html }) => text !== undefined || html !== undefined),
    }),
  },
  together: {
    parts: 1,
    advice: 'Tell messages by their ids, not by their times: two may have the same one.',
    effect([name], story) {
      const mails = timedMail(story)
      const place = mails.findIndex((one) => one.name === name)
      const [mail, next] = [mails[place], mails[place + 1]]
      if (!mail || !next) return undefined
      return {
        words: `"${next.name}" comes in the same second as "${name}"`,
        edit: (document) => moveEntries(document, new Map([[next.name, afterMs(mail.after)]])),
      }
    },
  },
  'away/sent': {
    parts: 1,
    advice: readFields,
    effect([nth], _, key) {
      const { words, fields, lines } = automatic.away
      const headers = Object.fromEntries(fields.map((field) => field.split(': ')))
      const answer = { subject: 'Automatic reply: {{sent.subject}}', headers, text: lines[0] }
      return {
        words: `${words} comes back for message ${nth} of the agent`,
        edit: adding({ key, ...onceSent(nth), receive: { in_reply_to: 'sent', ...answer } }),
      }
    },
  },
  ...Object.fromEntries(automaticMail.map((name) => [`${name}/start`, automaticWay(name)])),
}

function automaticWay(name: keyof typeof automatic): MailWay {
  const { words, from, subject, fields, lines } = automatic[name]
  const id = `Message-ID: <${name}@elsewhere.example>`
  const eml = [`From: ${from}`, `Subject: ${subject}`, id, ...fields, '', ...lines].join('\n')
  return {
    parts: 1,
    advice: readFields,
    effect: ([to], { document }, key) => ({
      words: `${words} comes`,
      edit: adding({ key, after: document.webhooks?.length ? '1s' : '0s', receive: { to, eml } }),
    }),
  }
}

function adding(entry: FurtherEntry): NonNullable<Effect['edit']> {
  return (document: ScenarioInput) => addEntries(document, [entry])
}

function onceSent(nth: string | undefined): Moment {
  return { when: { sent: {}, nth: Number(nth) } }
}

function times(count: string | undefined): Pick<FurtherEntry, 'repeat'> {
  return Number(count) > 1 ? { repeat: { times: Number(count) } } : {}
}

/** Returns when the first mail of the story comes to an agent, in milliseconds after the start; 0 if all is there before. */
export function firstMail(handle: string, story: DisturbedStory): number {
  const own = timedMail(story).find(({ entry: { receive } }) => {
    const to = [receive.to ?? []].flat()
    return to.length === 0 || to.some((one) => one.replace(/^@/, '') === handle)
  })
  return own?.after ?? 0
}

/** Returns what mail does that an id names, without `mail/`; undefined if the scenario has nothing of that name. */
export function mailEffect(id: readonly string[], story: DisturbedStory, key: string): Effect | undefined {
  const [first = '', second] = id
  const name = [`${first}/${second}`, first].find((one) => Object.hasOwn(ways, one))
  const way = name === undefined ? undefined : ways[name]
  if (!way || name === undefined) return undefined
  const given = id.slice(name.split('/').length)
  // The name of an entry may have slashes.
  const parts = way === ways['together'] ? [given.join('/')] : given
  if (parts.length !== way.parts) return undefined
  const effect = way.effect(parts, story, key)
  return effect && { advice: way.advice, ...effect }
}
