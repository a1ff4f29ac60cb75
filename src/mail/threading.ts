import { addressBudget, parseMailboxList } from './address.js'
import { messageIdsIn } from './encoded-words.js'
import { readInstant, receivedInstant } from './header-date.js'
import { isNamed } from './parameters.js'
import { type ParsedMail, unknownSender } from './parsed-mail.js'

const endOfTime = 253_402_300_799_999

/** The facts of a message that decide which thread it belongs to. */
export interface MailToThread {
  readonly messageId: string | null
  /** The message ids that it refers to, the closest one last. */
  readonly named: readonly string[]
  /** The base is '' if the message has no subject; it then joins no thread by subject. */
  readonly subject: BaseSubject
  /** The addresses of all participants, in lower case. */
  readonly people: readonly string[]
  /** The time in its Date or Received headers, in milliseconds since the epoch; undefined if they have none. */
  readonly date: number | undefined
}

/** A stored message. */
interface KeptMail {
  readonly id: string
  readonly message_id: string | null
  readonly in_reply_to: string | null
  /** As received; null for a message that was not received as an email. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]> | null
  readonly created_at: number
}

/**
 * Returns the facts on which the thread of a stored message depends, so that mail from every source is
 * threaded in the same way. A message that was not received as an email has a Message-ID made from its id,
 * and no subject.
 */
export function threadingFacts({ id, message_id, in_reply_to, headers, created_at }: KeptMail): MailToThread {
  const values = (field: string) =>
    (headers ?? []).filter(([name]) => isNamed(name, field)).map(([, value]) => value)
  const first = (name: string) => values(name).find((value) => value !== '') ?? ''
  const nearestFirst = [
    ...(in_reply_to === null ? [] : [in_reply_to]),
    ...messageIdsIn(first('in-reply-to')),
    ...messageIdsIn(first('references')).toReversed(),
  ]
  const read = addressBudget()
  const people = ['from', 'to', 'cc'].flatMap(values).flatMap((value) => parseMailboxList(read(value)))
  return {
    messageId: message_id ?? (headers ? null : `<${id}>`),
    named: [...new Set(nearestFirst)].reverse(),
    subject: baseSubject(first('subject')),
    people: [...new Set(people.map(({ address }) => address.toLowerCase()))],
    date: headers ? (readInstant(first('date')) ?? receivedInstant(headers)) : created_at,
  }
}

/** The thread of the first message that has or names an id, or of the latest one with a subject and a participant. */
interface KnownThread {
  readonly thread: string
  readonly order: number
}

/**
 * Finds the thread of a message among those of the messages before it, in any number of mailboxes. A world's index adds
 * to that of its base.
 */
export class ThreadIndex {
  readonly #known = new Map<string, KnownThread>()
  readonly #base: ThreadIndex | undefined

  constructor(base?: ThreadIndex) {
    this.#base = base
  }

  /** Adds a message of a mailbox with its thread; one of a higher `order` counts as later. */
  add(mailbox: string, mail: MailToThread, thread: string, order: number): void {
    const known = { thread, order }
    const own = mail.messageId === null ? [] : [`${mailbox} message ${mail.messageId}`]
    for (const key of [...own, ...namedBy(mail).map((id) => `${mailbox} named ${id}`)]) {
      if (!this.byKey(key)) this.#known.set(key, known)
    }
    for (const key of subjectKeys(mailbox, mail)) {
      if ((this.byKey(key)?.order ?? order) <= order) this.#known.set(key, known)
    }
  }

  /**
   * Returns the thread that a message joins: that of the nearest message to which it refers, or else of one that names the
   * same message; or else, if its subject has the mark of a reply or of a forwarded message, that of the latest message
   * with the same base subject and a participant in common other than `address`, which is the mailbox's own.
   */
  threadOf(mailbox: string, mail: MailToThread, address: string): string | undefined {
    // Its own id as well: it may come twice, or after its replies.
    const ids = [...namedBy(mail).toReversed(), ...(mail.messageId === null ? [] : [mail.messageId])]
    for (const kind of ['message', 'named']) {
      for (const id of ids) {
        const known = this.byKey(`${mailbox} ${kind} ${id}`)
        if (known) return known.thread
      }
    }
    if (!mail.subject.marked) return undefined
    const found = subjectKeys(mailbox, mail, address.toLowerCase()).flatMap((key) => this.byKey(key) ?? [])
    return found.toSorted((one, other) => other.order - one.order)[0]?.thread
  }

  /** Returns the thread that is known under a key, here or in the base. */
  byKey(key: string): KnownThread | undefined {
    return this.#known.get(key) ?? this.#base?.byKey(key)
  }
}

/** Returns the keys of the base subject with each known participant except the mailbox itself; none without a subject. */
function subjectKeys(mailbox: string, { subject: { base }, people }: MailToThread, own?: string): string[] {
  if (base === '') return []
  const others = people.filter((address) => address !== own && address !== unknownSender.address)
  return others.map((address) => `${mailbox} subject ${address} ${base}`)
}

/** Returns the ids to which a message refers, the closest one last. */
function namedBy({ named, people }: MailToThread): string[] {
  const known = new Set(people)
  // `In-Reply-To: Your mail to <support@agents.example>` has an address, which would connect unrelated messages
  return named.filter((id) => !known.has(id.slice(1, -1).toLowerCase()))
}

/** The messages of one conversation. */
interface MailThread {
  /** The message id that began the conversation, even if that mail is missing; undefined if no mail has an id. */
  readonly root: string | undefined
  /** The positions of its messages in the input, oldest first. */
  readonly mails: readonly number[]
}

/**
 * Groups the messages of one mailbox into threads, in the order in which the threads began: each message in order of dates,
 * by `ThreadIndex`.
 *
 * The interface groups messages into conversations and does not document how, so this is a choice:
 * docs/decisions/README.md.
 * @param address The bare address of the mailbox.
 * @see interface 1, RFC 5322 section 3.6.4, RFC 5256 section 2.1
 */
export function threadMails(mails: readonly MailToThread[], address: string): MailThread[] {
  const index = new ThreadIndex()
  const threads: { root: string | undefined; mails: number[] }[] = []
  for (const [order, position] of inDateOrder(mails).entries()) {
    const mail = mails[position] as MailToThread
    const thread = Number(index.threadOf('', mail, address) ?? threads.length)
    threads[thread] ??= { root: namedBy(mail)[0] ?? mail.messageId ?? undefined, mails: [] }
    threads[thread].mails.push(position)
    index.add('', mail, String(thread), order)
  }
  return threads
}

/**
 * Returns the positions of messages, oldest first. Without a date, replies come last and other messages
 * first. Messages with the same date are ordered by their depth in the conversation; a reply that refers to
 * no message is deeper than a message that is not a reply. Remaining ties are broken by content, not by the
 * order of the input.
 */
export function inDateOrder(mails: readonly MailToThread[]): number[] {
  const keys = mails.map((mail, position) => {
    const depth = 2 * mail.named.length + Number(mail.subject.marked)
    return { mail, position, depth, date: mail.date ?? (depth > 0 ? endOfTime : -endOfTime) }
  })
  keys.sort((a, b) => a.date - b.date || a.depth - b.depth || compare(a.mail, b.mail))
  return keys.map(({ position }) => position)
}

function compare(...mails: [MailToThread, MailToThread]): number {
  const [a = '', b = ''] = mails.map(({ messageId, subject, people, named }) => {
    return [messageId ?? '', subject.base, ...people, ...named].join(' ')
  })
  return Number(a > b) - Number(a < b)
}

/** Returns all ids that a message refers to except its `inReplyTo`, the closest one last. */
export function furtherReferences({ references, answered }: ParsedMail): string[] {
  return [...references, ...answered.slice(1).toReversed()]
}

/** A subject without the marks of replies and forwarded messages. */
interface BaseSubject {
  /** In lower case, for comparison; '' if nothing remains. */
  readonly base: string
  /** Whether the subject had the mark of a reply or of a forwarded message. */
  readonly marked: boolean
}

// The marks that mail programs write, by language; RFC 5256 only has `re`, `fw` and `fwd`
const marks = [
  'aw|antw(?:ort)?|wg', // German
  'doorst|betr', // Dutch
  'sv|svar|vs|vb', // Danish, Norwegian, Swedish
  'vl', // Finnish
  'réf|tr', // French
  'rif|r|i', // Italian
  'rv|res|resp|enc', // Spanish, Portuguese
  'odp|pd', // Polish
  'odg', // Croatian, Slovenian
  'vá|továbbítás', // Hungarian
  'ynt|ilt', // Turkish
  'απ|σχετ|πρθ', // Greek
  'отв|ответ|пересл', // Russian
  'bls|trs', // Indonesian
  'trả lời', // Vietnamese
  'رد|إعادة توجيه', // Arabic
  'השב|תגובה|הועבר', // Hebrew
  '回复|回覆|答复|答覆|转发|轉寄|轉發', // Chinese
  '返信|転送', // Japanese
  '답장|회신|전달', // Korean
].join('|')

// Only these can have a number; `R2: results` is not a second reply
const countedMarks = 're|fwd?|aw|sv|回复'
const counted = String.raw`(?:${countedMarks}) ?(?:\(\d{1,4}\)|[\^*]?\d{1,4})`
// The second one is used in East Asia
const colon = '[:：]'
// `[lamps] Re[2]: `
const leader = new RegExp(
  String.raw`^(?:\[[^\][]*\] ?)*(?:${counted}|(?:re|fwd?|${marks})(?: ?\[[^\][]*\])?) ?${colon} ?`,
  'iu',
)
const listName = /^\[[^\][]*\] ?(?=\S)/
const trailer = / ?\(fwd\)$/i
const wrapped = /^\[fwd:(.*)\]$/i
// The longest line of RFC 5322; more is not needed for a comparison
const maxLength = 998

/**
 * Removes the marks of replies and forwarded messages, in the languages of common mail programs, and the
 * names of mailing lists from a decoded subject.
 * @example baseSubject('AW: [lamps] Re[2]: Broken lamp (fwd)') // { base: 'broken lamp', marked: true }
 * @see RFC 5256 section 2.1
 */
export function baseSubject(subject: string): BaseSubject {
  let rest = subject.slice(0, maxLength).normalize('NFC').replace(/\s+/gu, ' ').trim()
  let marked = false
  for (let before = ''; before !== rest; ) {
    before = rest
    const bare = rest.replace(trailer, '').replace(leader, '')
    const inner = wrapped.exec(bare)?.[1]?.trim()
    marked ||= bare !== rest || inner !== undefined
    rest = inner ?? bare.replace(listName, '')
  }
  return { base: rest.toLowerCase(), marked }
}

const forwardMarks = [
  'fwd?|wg|doorst|vb|vl|tr|enc|pd|továbbítás|ilt|πρθ|пересл|trs',
  'إعادة توجيه|הועבר|转发|轉寄|轉發|転送|전달',
].join('|')
const forwardLeader = new RegExp(
  String.raw`^(?:\[[^\][]*\] ?)*(?:${forwardMarks}) ?(?:[\[(]?\d{1,4}[\])]?)? ?${colon}`,
  'iu',
)

/** Returns whether a decoded subject has the mark of a forwarded message, in the languages of common mail programs. */
export function isForwarded(subject: string): boolean {
  const text = subject.slice(0, maxLength).normalize('NFC').replace(/\s+/gu, ' ').trim()
  return forwardLeader.test(text) || trailer.test(text) || wrapped.test(text)
}
