import { addressBudget, parseMailboxList } from './address.js'
import { type BaseSubject, baseSubject } from './base-subject.js'
import { messageIdsIn } from './encoded-words.js'
import { readInstant, receivedInstant } from './header-date.js'
import { isNamed } from './parameters.js'
import { type ParsedMail, unknownSender } from './parsed-mail.js'

const endOfTime = 253_402_300_799_999

/** What of a mail tells the thread it belongs to. */
export interface MailToThread {
  readonly messageId: string | null
  /** Ids it names, the nearest to it last. */
  readonly named: readonly string[]
  /** With the base '' for a message that no subject puts into a thread. */
  readonly subject: BaseSubject
  /** Lower-case addresses of everybody who takes part. */
  readonly people: readonly string[]
  /** When it was written by its Date or Received headers, in milliseconds since the epoch; undefined where they do not say. */
  readonly date: number | undefined
}

/** A message as it is kept. */
export interface KeptMail {
  readonly id: string
  readonly message_id: string | null
  readonly in_reply_to: string | null
  /** As they came; null for a message that did not come as a mail. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]> | null
  readonly created_at: number
}

/**
 * Reads from the headers of a kept mail what its thread depends on, so that every way of mail into a mailbox goes
 * by the same. A message that did not come as a mail has the Message-ID made of its id, and no subject.
 */
export function threadingFacts({ id, message_id, in_reply_to, headers, created_at }: KeptMail): MailToThread {
  const values = (wanted: string) =>
    (headers ?? []).filter(([name]) => isNamed(name, wanted)).map(([, value]) => value)
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
 * Gives the keys by which mails of one thread find each other: the ids they have and name; and, for each who takes
 * part but the mailbox, the bare subject, once for all mails (`subject …`) and once for answers (`answer …`).
 */
export function threadingKeys(mail: MailToThread, mailbox = ''): string[] {
  const { base, marked } = mail.subject
  const others = base === '' ? [] : mail.people.filter((address) => isKnown(address) && address !== mailbox)
  const subjects = others.map((address) => `${address} ${base}`)
  return [
    ...new Set(idsOf(mail).map((id) => `id ${id}`)),
    ...subjects.map((subject) => `subject ${subject}`),
    ...(marked ? subjects.map((subject) => `answer ${subject}`) : []),
  ]
}

function isKnown(address: string): boolean {
  return address !== unknownSender.address
}

/** The mails of one conversation. */
export interface MailThread {
  /** The message id the conversation began with, also of a mail that is not there; undefined if no mail says one. */
  readonly root: string | undefined
  /** Positions of its mails in the list that was given, the oldest first. */
  readonly mails: readonly number[]
}

/**
 * Sorts the mails of one mailbox into threads, the one that began first first. Mails belong together when
 * Message-ID, In-Reply-To and References connect them, also through a mail that is not there. The first of
 * mails so connected (or a mail alone) joins an older thread if its subject has the mark of a reply or of a
 * forwarded mail, and a mail before it has the same base subject and a participant in common, `mailbox`
 * itself not counted: that of the latest such mail.
 *
 * The interface groups messages into conversations and does not show how, so this is a choice:
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
 * Positions of mails, the oldest first; of those without a date, what answers something comes last, all else first. Of
 * the same instant, the one that comes earlier in its conversation, which no answer does that names nothing. What is
 * still equal goes by what it says, not by the way it came.
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

/** What of the mails of a thread says whether one more changes it. */
export interface ThreadOfMails {
  /** Whether ids alone connect them all. */
  readonly isConnected: boolean
  /** Whether they would be one thread by themselves, and not only because somebody put them together. */
  readonly isOne: boolean
  readonly first: MailToThread
  readonly last: MailToThread
}

/** Finds what the mails of a thread, of which there is at least one, say of it. */
export function threadOfMails(mails: readonly MailToThread[], mailbox: string): ThreadOfMails {
  const order = inDateOrder(mails).map((position) => mails[position] as MailToThread)
  const groupOf = connectedGroups(mails.map(idsOf))
  const isConnected = mails.every((_, position) => groupOf(position) === groupOf(0))
  const isOne = isConnected || threadMails(mails, mailbox).length === 1
  return { isConnected, isOne, first: order[0] as MailToThread, last: order.at(-1) as MailToThread }
}

/** The same with one more mail that joined it, connected by an id or not. */
export function withMail(thread: ThreadOfMails, mail: MailToThread, isLinked: boolean): ThreadOfMails {
  return {
    ...thread,
    isConnected: thread.isConnected && isLinked,
    first: isBefore(mail, thread.first) ? mail : thread.first,
    last: isBefore(mail, thread.last) ? thread.last : mail,
  }
}

/**
 * Says whether one more mail joins the only thread that its ids (`isLinked`) or its subject can reach, where that
 * follows from the thread as a whole and changes no other; undefined where all mails have to be sorted anew.
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

/** Whether a mail comes before another one that was there already. */
export function isBefore(mail: MailToThread, other: MailToThread): boolean {
  return inDateOrder([other, mail])[0] === 1
}

/** Every id a mail names besides its `inReplyTo`, the nearest to it last. */
export function furtherReferences({ references, answered }: ParsedMail): string[] {
  return [...references, ...answered.slice(1).toReversed()]
}

/** The ids that connect a mail, the one its conversation began with first. */
function idsOf({ messageId, named, people }: MailToThread): string[] {
  const known = new Set(people)
  // `In-Reply-To: Your mail to <support@agents.example>` names a person, who would connect everything
  const ids = named.filter((id) => !known.has(id.slice(1, -1).toLowerCase()))
  return messageId === null ? ids : [...ids, messageId]
}

/** Gives each mail the position of one of those it is connected with by ids, the same for all of them. */
function connectedGroups(ids: readonly (readonly string[])[]): (position: number) => number {
  const parents = ids.map((_, position) => position)
  const rootOf = (position: number): number => {
    let at = position
    for (let up = parents[at] as number; up !== at; up = parents[at] as number) {
      // Halves the way for those who come after
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

/** Finds the thread of the latest mail of a subject that somebody took part in. */
class LatestBySubject {
  readonly #mailbox: string
  readonly #found = new Map<string, { readonly thread: number; readonly count: number }>()
  #count = 0

  constructor(mailbox: string) {
    this.#mailbox = mailbox.toLowerCase()
  }

  add(mail: MailToThread, thread: number): void {
    this.#count += 1
    for (const key of this.#keys(mail)) this.#found.set(key, { thread, count: this.#count })
  }

  /** The thread a mail joins by its subject; undefined when it carries no mark or nothing fits. */
  threadOf(mail: MailToThread): number | undefined {
    if (!mail.subject.marked) return undefined
    let latest: { readonly thread: number; readonly count: number } | undefined
    for (const key of this.#keys(mail)) {
      const found = this.#found.get(key)
      if (found && found.count > (latest?.count ?? 0)) latest = found
    }
    return latest?.thread
  }

  #keys({ subject: { base }, people }: MailToThread): string[] {
    if (base === '') return []
    return people
      .filter((address) => address !== this.#mailbox && isKnown(address))
      .map((address) => `${address} ${base}`)
  }
}
