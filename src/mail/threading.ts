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
export interface KeptMail {
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
  const answered = messageIdsIn(first('in-reply-to'))
  const read = addressBudget()
  const people = ['from', 'to', 'cc'].flatMap(values).flatMap((value) => parseMailboxList(read(value)))
  return {
    messageId: message_id ?? (headers ? null : `<${id}>`),
    named: [
      ...new Set([
        ...messageIdsIn(first('references')),
        ...answered.toReversed(),
        ...(in_reply_to === null ? [] : [in_reply_to]),
      ]),
    ],
    subject: baseSubject(first('subject')),
    people: [...new Set(people.map(({ address }) => address.toLowerCase()))],
    date: headers ? (readInstant(first('date')) ?? receivedInstant(headers)) : created_at,
  }
}

/**
 * Returns the keys under which the messages of a thread are found: their own ids and those they refer to; and
 * for each participant except the mailbox the base subject, once for all messages (`subject …`) and once for
 * replies (`answer …`).
 */
export function threadingKeys(mail: MailToThread, mailbox = ''): string[] {
  const subjects = subjectKeys(mail, mailbox)
  return [
    ...new Set(idsOf(mail).map((id) => `id ${id}`)),
    ...subjects.map((subject) => `subject ${subject}`),
    ...(mail.subject.marked ? subjects.map((subject) => `answer ${subject}`) : []),
  ]
}

/** Returns the base subject with each known participant except the mailbox. */
function subjectKeys({ subject: { base }, people }: MailToThread, mailbox: string): string[] {
  if (base === '') return []
  const others = people.filter((address) => address !== mailbox && address !== unknownSender.address)
  return others.map((address) => `${address} ${base}`)
}

/** The messages of one conversation. */
export interface MailThread {
  /** The message id that began the conversation, even if that mail is missing; undefined if no mail has an id. */
  readonly root: string | undefined
  /** The positions of its messages in the input, oldest first. */
  readonly mails: readonly number[]
}

/**
 * Groups the messages of one mailbox into threads, in the order in which the threads began. Messages belong
 * together if Message-ID, In-Reply-To and References connect them, even through a missing message. The first
 * message of a connected group (or a single message) joins an older thread if its subject has the mark of a
 * reply or of a forwarded message, and an earlier message has the same base subject and a participant in
 * common other than `mailbox`: the thread of the latest such message.
 *
 * The interface groups messages into conversations and does not document how, so this is a choice:
 * docs/decisions/0007-threading.md.
 * @param mailbox The bare address of the mailbox.
 * @see interface 1, RFC 5322 section 3.6.4, RFC 5256 section 2.1
 */
export function threadMails(mails: readonly MailToThread[], mailbox: string): MailThread[] {
  const ids = mails.map(idsOf)
  const groupOf = connectedGroups(ids)
  const latest = new LatestBySubject(mailbox)
  const threads: { root: string | undefined; mails: number[] }[] = []
  const threadOfGroup = new Map<number, number>()
  for (const position of inDateOrder(mails)) {
    const mail = mails[position] as MailToThread
    const group = groupOf(position)
    const thread = threadOfGroup.get(group) ?? latest.threadOf(mail) ?? threads.length
    threadOfGroup.set(group, thread)
    threads[thread] ??= { root: ids[position]?.[0], mails: [] }
    threads[thread].mails.push(position)
    latest.add(mail, thread)
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

/**
 * A summary of the messages of a thread, from which it can often be decided whether another message joins it.
 */
export interface ThreadOfMails {
  /** Whether ids alone connect all of them. */
  readonly isConnected: boolean
  /** Whether threading alone would put them into one thread. */
  readonly isOne: boolean
  readonly first: MailToThread
  readonly last: MailToThread
}

/** Summarizes the messages of a thread; there must be at least one. */
export function threadOfMails(mails: readonly MailToThread[], mailbox: string): ThreadOfMails {
  const order = inDateOrder(mails).map((position) => mails[position] as MailToThread)
  const groupOf = connectedGroups(mails.map(idsOf))
  const isConnected = mails.every((_, position) => groupOf(position) === groupOf(0))
  const isOne = isConnected || threadMails(mails, mailbox).length === 1
  return { isConnected, isOne, first: order[0] as MailToThread, last: order.at(-1) as MailToThread }
}

/**
 * Returns the summary with another message that joined the thread; `isLinked` says whether an id connects it.
 */
export function withMail(thread: ThreadOfMails, mail: MailToThread, isLinked: boolean): ThreadOfMails {
  return {
    ...thread,
    isConnected: thread.isConnected && isLinked,
    first: isBefore(mail, thread.first) ? mail : thread.first,
    last: isBefore(mail, thread.last) ? thread.last : mail,
  }
}

/**
 * Returns whether another message joins the only thread that its ids (`isLinked`) or its subject can lead to.
 * Returns undefined if this does not follow from the summary of the thread; then all messages must be grouped
 * again.
 */
export function joins(
  mail: MailToThread,
  thread: ThreadOfMails,
  isLinked: boolean,
  mailbox: string,
): boolean | undefined {
  if (isLinked) return thread.isConnected || undefined
  if (!thread.isOne) return undefined
  if (!isBefore(mail, thread.last)) return mail.subject.marked
  if (!isBefore(mail, thread.first)) return undefined
  const answered = new Set(threadingKeys(thread.first, mailbox).filter((key) => key.startsWith('answer ')))
  return threadingKeys(mail, mailbox).some((key) => answered.has(key.replace(/^subject /, 'answer ')))
}

/** Returns whether a new message is ordered before an existing one. */
export function isBefore(mail: MailToThread, other: MailToThread): boolean {
  return inDateOrder([other, mail])[0] === 1
}

/** Returns all ids that a message refers to except its `inReplyTo`, the closest one last. */
export function furtherReferences({ references, answered }: ParsedMail): string[] {
  return [...references, ...answered.slice(1).toReversed()]
}

/** Returns the ids that connect a message, starting with the one that began its conversation. */
function idsOf({ messageId, named, people }: MailToThread): string[] {
  const known = new Set(people)
  // `In-Reply-To: Your mail to <support@agents.example>` has an address, which would connect unrelated
  // messages
  const ids = named.filter((id) => !known.has(id.slice(1, -1).toLowerCase()))
  return messageId === null ? ids : [...ids, messageId]
}

/** Returns a function that gives connected messages the same group: the position of one of them. */
function connectedGroups(ids: readonly (readonly string[])[]): (position: number) => number {
  const parents = ids.map((_, position) => position)
  const rootOf = (position: number): number => {
    let at = position
    for (let up = parents[at] as number; up !== at; up = parents[at] as number) {
      // Path halving
      parents[at] = parents[up] as number
      at = parents[at] as number
    }
    return at
  }
  const holders = new Map<string, number>()
  for (const [position, known] of ids.entries()) {
    for (const id of known) {
      const holder = holders.get(id)
      if (holder === undefined) holders.set(id, position)
      else parents[rootOf(position)] = rootOf(holder)
    }
  }
  return rootOf
}

/** Finds the thread of the latest message with a subject and a participant. */
class LatestBySubject {
  readonly #mailbox: string
  readonly #found = new Map<string, { readonly thread: number; readonly count: number }>()
  #count = 0

  constructor(mailbox: string) {
    this.#mailbox = mailbox.toLowerCase()
  }

  add(mail: MailToThread, thread: number): void {
    this.#count += 1
    for (const key of subjectKeys(mail, this.#mailbox)) this.#found.set(key, { thread, count: this.#count })
  }

  /**
   * Returns the thread that a message joins by its subject; undefined if it has no mark or no thread matches.
   */
  threadOf(mail: MailToThread): number | undefined {
    if (!mail.subject.marked) return undefined
    const found = subjectKeys(mail, this.#mailbox).flatMap((key) => this.#found.get(key) ?? [])
    return found.toSorted((a, b) => b.count - a.count)[0]?.thread
  }
}

/** A subject without the marks of replies and forwarded messages. */
export interface BaseSubject {
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
