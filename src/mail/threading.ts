import { baseSubject } from './base-subject.js'
import { type ParsedMail, unknownSender } from './parsed-mail.js'

/** What of a mail tells the thread it belongs to. */
export interface MailToThread
  extends Pick<ParsedMail, 'messageId' | 'answered' | 'references' | 'subject' | 'from' | 'to' | 'cc'> {
  /** Milliseconds since the epoch. */
  readonly date: number
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

/** Positions of mails, the oldest first; of the same instant, the one that comes earlier in its conversation. */
export function inDateOrder(
  mails: readonly Pick<MailToThread, 'date' | 'references' | 'answered'>[],
): number[] {
  const depth = (mail: (typeof mails)[number]) => mail.references.length || mail.answered.length
  return [...mails.entries()]
    .sort(([i, a], [j, b]) => a.date - b.date || depth(a) - depth(b) || i - j)
    .map(([position]) => position)
}

/** Every id a mail names besides its `inReplyTo`, the nearest to it last. */
export function furtherReferences({ references, answered }: ParsedMail): string[] {
  return [...references, ...answered.slice(1).toReversed()]
}

/** The ids that connect a mail, the one its conversation began with first. */
function idsOf({ messageId, answered, references, from, to, cc }: MailToThread): string[] {
  const ids = [...references, ...answered, ...(messageId === null ? [] : [messageId])]
  // `In-Reply-To: Your mail to <support@agents.example>` names a person, who would connect everything
  const people = new Set([from, ...to, ...cc].map(({ address }) => `<${address.toLowerCase()}>`))
  return ids.filter((id) => id === messageId || !people.has(id.toLowerCase()))
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
    if (!baseSubject(mail.subject).marked) return undefined
    let latest: { readonly thread: number; readonly count: number } | undefined
    for (const key of this.#keys(mail)) {
      const found = this.#found.get(key)
      if (found && found.count > (latest?.count ?? 0)) latest = found
    }
    return latest?.thread
  }

  #keys({ subject, from, to, cc }: MailToThread): string[] {
    const { base } = baseSubject(subject)
    if (base === '') return []
    return [from, ...to, ...cc]
      .map(({ address }) => address.toLowerCase())
      .filter((address) => address !== this.#mailbox && address !== unknownSender.address)
      .map((address) => `${address} ${base}`)
  }
}
