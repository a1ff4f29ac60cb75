import type { EntryInput } from '../../../story/overlays/moves.js'
import type { RequestNumber } from '../request-number.js'
import { atRequest, type ElementKind, listedIdentities, momentsOf, type PoolFacts } from './kind.js'

/** A message that comes in right before a request gets its response, or some milliseconds after the start. */
export interface MailElement {
  readonly vary: 'mail'
  readonly when: RequestNumber | { readonly after: number }
  readonly form: MailForm
  readonly receive: Receive
  /** How many copies arrive at that request; one by default. */
  readonly times?: number
}

/** The form of a message. */
export type MailForm =
  | BodyForm
  | ('again' | 'many' | 'late' | 'encoded' | 'answer-first' | 'meanwhile')
  | AutomaticForm

/** Mail that no person has written. */
type AutomaticForm = 'away' | 'bounce' | 'digest'

type BodyForm = 'plain' | 'other-address' | 'empty' | 'html-only' | 'odd' | 'huge'

type Receive = NonNullable<EntryInput['receive']>

/** The bodies of mail by form. */
export const mailBodies: Readonly<Record<BodyForm, Receive>> = {
  plain: { text: 'Is there any news? I would like to know how this goes on.' },
  'other-address': { from: 'Kim Park <kim@elsewhere.example>', text: 'I write from another address.' },
  empty: { text: '' },
  'html-only': { html: '<p>Is there <b>any</b> news?</p>' },
  odd: { text: 'Zażółć gęślą jaźń — 東京 😀 \u202Eabc\u202C e\u0301 {} <>&"' },
  huge: { text: '{{lorem.words(4000)}}' },
}

const encoded = [
  'From: =?utf-8?Q?Kim_=22K=22_Park=2C_=E6=9D=B1=E4=BA=AC?= <kim@elsewhere.example>',
  'Message-ID: <encoded@elsewhere.example>',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe, and =',
  'a broken line.',
].join('\n')

const question = [
  'From: Kim Park <kim@elsewhere.example>',
  'Subject: A question on its way',
  'Message-ID: <question@elsewhere.example>',
  '',
  'Have you got my first mail?',
].join('\n')

const answer = [
  'From: Kim Park <kim@elsewhere.example>',
  'Subject: Re: A question on its way',
  'Message-ID: <answer@elsewhere.example>',
  'In-Reply-To: <question@elsewhere.example>',
  '',
  'I have found it meanwhile.',
].join('\n')

const automatic: Readonly<Record<AutomaticForm, string>> = {
  away: [
    'From: Kim Park <kim@elsewhere.example>',
    'Subject: Automatic reply: Your message',
    'Message-ID: <away@elsewhere.example>',
    'Auto-Submitted: auto-replied',
    'X-Auto-Response-Suppress: All',
    'Precedence: auto_reply',
    '',
    'I am out of the office until Monday.',
  ].join('\n'),
  bounce: [
    'Return-Path: <>',
    'From: Mail Delivery System <mailer-daemon@elsewhere.example>',
    'Subject: Undelivered mail returned to sender',
    'Message-ID: <bounce@elsewhere.example>',
    'Auto-Submitted: auto-replied',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'Your message could not be delivered to one of its recipients.',
    '--part',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.elsewhere.example',
    '',
    'Final-Recipient: rfc822; kim@elsewhere.example',
    'Action: failed',
    'Status: 5.1.1',
    '--part--',
    '',
  ].join('\n'),
  digest: [
    'From: The weekly list <weekly@lists.example>',
    'Subject: This week',
    'Message-ID: <digest@lists.example>',
    'Auto-Submitted: auto-generated',
    'Precedence: list',
    'List-Id: <weekly.lists.example>',
    'List-Unsubscribe: <https://lists.example/unsubscribe>',
    '',
    'Four people have written. What do you think of it?',
  ].join('\n'),
}

interface Form {
  readonly words: string
  readonly mail: Receive
  /** The advice for a client that fails under it. */
  readonly lesson: keyof typeof lessons
  /** The threads it joins: those at some positions of the list, those with a key, a new thread, or those that are answered. */
  readonly into: 'any' | 'placed' | 'new' | 'its-own' | 'answered'
  /**
   * `any` if the time matters, since the message moves threads; contents matter as soon as the message is
   * there.
   */
  readonly at: 'any' | 'early'
}

const lessons = {
  moving: 'Read the first page again until it has nothing new: new mail moves threads between pages.',
  disordered:
    'Keep the ids of the messages that you have handled: a message may arrive long after it was sent, and after replies to it.',
  unread: 'Read a thread to its end right before you reply there, whatever you have read or heard before.',
  contents:
    'Accept whatever a message may contain: no text, only HTML, a long body, any characters, no subject.',
  automatic:
    'Look at the header fields of a message before you reply to it: docs/fuzz.md lists those of automatic mail.',
} as const

const { plain } = mailBodies

const forms: Readonly<Record<MailForm, Form>> = {
  plain: { words: 'a message', mail: plain, lesson: 'moving', into: 'any', at: 'any' },
  'other-address': {
    ...{ words: 'a message from another address', mail: mailBodies['other-address'] },
    ...{ lesson: 'moving', into: 'any', at: 'any' },
  },
  empty: ofContents('a message without a body', mailBodies.empty),
  'html-only': ofContents('a message with only an HTML body', mailBodies['html-only']),
  odd: ofContents('a message with odd characters', mailBodies.odd),
  huge: ofContents('a huge message', mailBodies.huge),
  /** The latest message of a thread once more. */
  again: { words: 'the latest message', mail: { again: true }, lesson: 'moving', into: 'placed', at: 'any' },
  /** More messages in one instant than a page holds. */
  many: { words: 'a message', mail: plain, lesson: 'moving', into: 'new', at: 'any' },
  /** Sent long before it arrives. */
  late: {
    ...{ words: 'a message that was sent long ago', mail: { at: '-400d', ...plain } },
    ...{ lesson: 'disordered', into: 'any', at: 'early' },
  },
  /** An encoded name and body, and no subject. */
  encoded: {
    ...ofContents('a message with an encoded name and no subject', { eml: encoded }),
    into: 'its-own',
  },
  /** A reply; the message that it replies to arrives only at the next request. */
  'answer-first': {
    ...{ words: 'a reply that arrives before the message it replies to', mail: { eml: answer } },
    ...{ lesson: 'disordered', into: 'its-own', at: 'any' },
  },
  /** Newer than what the client has read of a thread in which it answers. */
  meanwhile: {
    ...{ words: 'a newer message', mail: plain, lesson: 'unread' },
    ...{ into: 'answered', at: 'early' },
  },
  away: ofProgram('an out-of-office reply', automatic.away),
  bounce: ofProgram('a bounce', automatic.bounce),
  digest: ofProgram('the digest of a list', automatic.digest),
}

function ofProgram(words: string, eml: string): Form {
  return { words, mail: { eml }, lesson: 'automatic', into: 'placed', at: 'any' }
}

function ofContents(words: string, mail: Receive): Form {
  return { words, mail, lesson: 'contents', into: 'any', at: 'early' }
}

/** The maximum number of messages that arrive in one instant; more would show nothing new. */
const maxBurst = 50

export const mailKind: ElementKind<MailElement> = {
  elements(facts) {
    const { limits } = facts.base
    const lists = momentsOf(facts.base).filter(
      ({ request }) => request === 'threads.list' || request === 'messages.list',
    )
    const [first] = lists
    const early = lists.filter(({ request, nth }) => request === first?.request && nth <= 2)
    const limit = Math.min(100, Math.max(1, ...[...limits].filter((one) => one > 1)))
    const tried = formsFor(facts)
    return listedIdentities(facts).flatMap(({ handle: to, threads = [] }) => {
      const keyed = threads.flatMap(({ key }) => (key === undefined ? [] : [key])).slice(0, 4)
      const placed = [...new Set([-1, limit + 1, 2, 1])].map((place) => ({ to, place }))
      const begun = {
        to,
        subject: 'A question about something else',
        from: 'Kim Park <kim@elsewhere.example>',
      }
      const targets: Readonly<Record<Form['into'], readonly Receive[]>> = {
        any: [...placed, begun, ...keyed.map((thread) => ({ to, thread }))],
        placed,
        new: [begun],
        'its-own': [{ to }],
        answered: [],
      }
      return [
        ...newsOf(facts, to),
        ...tried.flatMap((form) => {
          const { mail: received, into, at } = forms[form]
          const times = form === 'many' ? { times: Math.min(limit, maxBurst) + 1 } : {}
          return targets[into].flatMap((target) => {
            const receive = { ...target, ...received }
            return (at === 'any' ? lists : early).map((when) => {
              return { vary: 'mail', when, form, ...times, receive } as const
            })
          })
        }),
      ]
    })
  },
  describe({ when, form, receive: { to, thread, place, subject }, times }) {
    const what = times === undefined ? forms[form].words : `a message, ${times} times simultaneously,`
    const where =
      thread !== undefined
        ? `arrives in the thread ${thread}`
        : place !== undefined
          ? `arrives ${form === 'again' ? 'once more ' : ''}in the thread at place ${place} of ${to}`
          : `begins ${subject === undefined ? 'a thread' : `the thread "${subject}"`} of ${to}`
    return `${momentIn(when)}, ${what} ${where}`
  },
  advice: ({ form }) => lessons[forms[form].lesson],
  changes({ receive: { thread, place } }) {
    return ['mail', 'meanwhile', ...(thread === undefined && place === undefined ? [] : ['threads' as const])]
  },
  isMet(element, played, base) {
    return played.happened.has(nameOf(element)) && base.requests + played.requests > 0
  },
  form: ({ form }) => form,
  spot({ when, receive: { to, place, thread } }) {
    return JSON.stringify([when, to, place ?? thread ?? null])
  },
  adds: ({ times = 1 }) => times,
  // A client has to tolerate bodies of other forms.
  plain({ receive: { to, thread, place } }, all) {
    return all.find(({ form, when, receive }) => {
      const isThere = receive.to === to && receive.thread === thread && receive.place === place
      return form === 'plain' && 'nth' in when && when.nth === 1 && isThere
    })
  },
  entries(element) {
    const { when, receive, times, form } = element
    const key = nameOf(element)
    const repeat = times !== undefined && { repeat: { times } }
    const moment = 'after' in when ? { after: `${when.after}ms` } : { when }
    const entry = { key, ...moment, receive, ...repeat } as EntryInput
    if (form !== 'answer-first' || 'after' in when) return [entry]
    const asked = { ...receive, eml: question }
    return [
      entry,
      {
        key: `the message that ${key} replies to`,
        when: { ...when, nth: when.nth + 1 },
        receive: asked,
      } as EntryInput,
    ]
  },
}

/**
 * Returns the forms that are tried. Many clients are never meant to get automatic mail, so only one whose story says that it
 * answers none gets it.
 */
function formsFor({ document: { expect = [] } }: PoolFacts): MailForm[] {
  const isClaimed = expect.some((one) => 'invariant' in one && one.invariant === 'ignores-automatic-mail')
  return (Object.keys(forms) as MailForm[]).filter((form) => isClaimed || !(form in automatic))
}

/** Returns the name of the entry, from which all its generated values are derived. */
function nameOf({ form, when, receive: { to, thread, place, subject } }: MailElement): string {
  const where = thread ?? (place === undefined ? (subject ?? 'a new thread') : `place ${place}`)
  const moment = 'after' in when ? `after ${when.after} ms` : `at ${when.request} ${when.nth}`
  return `${form} mail ${moment} to ${to}, ${where}`
}

/** Returns newer messages for the threads in which the client answers, which come after it has read them. */
function newsOf({ base }: PoolFacts, handle: string): readonly MailElement[] {
  const own = base.lateNews?.().filter(({ to }) => to === handle) ?? []
  return own.map(({ when, to, from, place }) => {
    return { vary: 'mail', when, form: 'meanwhile', receive: { to, place, from, ...plain } }
  })
}

function momentIn(when: MailElement['when']): string {
  return 'after' in when ? `${when.after / 1000} s after the start` : atRequest(when)
}

/** Returns whether an element is mail that a client has to read before it answers. */
export function isLateNews({ form }: MailElement): boolean {
  return form === 'meanwhile'
}
