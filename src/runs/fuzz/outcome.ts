import type { Simulator } from '../../doors/simulator/simulator.js'
import { automaticField } from '../../mail/automatic.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import { recipientsOf } from '../../service/rendering/header-fields.js'
import type { Command } from '../../service/world/commands/commands.js'
import type { SentMail } from '../../service/world/sent-mail.js'
import type { TimelineEntry } from '../../service/world/story-entry.js'
import { answeredBy, inboundBefore, replyAddressOf } from '../../story/expectations/invariants/mail.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import type { Story } from '../../story/overlays/story.js'

/** An expectation as it is written in a scenario. */
export type WrittenExpectation = NonNullable<ScenarioInput['expect']>[number]

/** What a client sent to somebody about a subject. */
interface Correspondence {
  readonly to: string
  readonly subject: string
  readonly thread: string
  readonly texts: readonly string[]
  /** What the first of them replied to, and what its thread had received by then; null if it named no message. */
  readonly context: string | null
}

/** What a client did by the end of a story, apart from when and in which order. */
export interface Outcome {
  /** By recipients and subject. */
  readonly sent: ReadonlyMap<string, Correspondence>
  /** The threads whose messages it listed, without those that it began. */
  readonly read: ReadonlySet<string>
  /** The mail that arrived while the story was played, as it was applied. */
  readonly arrived: readonly Arrival[]
}

/** A message that arrived, by the id that it got. */
interface Arrival {
  readonly message: string
  readonly thread: string | undefined
  readonly command: Command
  /** Whether it came because the client sent something, so that it cannot be there from the start. */
  readonly reacts?: boolean
  /** The id of the message that began its thread. */
  readonly begun?: string | undefined
}

/** Something that a client did under a control, but not under a plan. */
export interface Omission {
  /** In a line. */
  readonly why: string
  /** Equal for omissions of the same kind. */
  readonly kind: string
  /** What would have had to be true. */
  readonly written: WrittenExpectation
}

/** Returns what a client did by the end of a play. */
export function outcomeOf(simulator: Simulator): Outcome {
  const read = new Set<string>()
  for (const { recorded } of simulator.journal.entries()) {
    const { operation, search, status } = recorded
    if (operation === null || status < 200 || status > 299) continue
    const thread = operation === 'messages.list' ? new URLSearchParams(search).get('thread_id') : null
    if (thread !== null) read.add(thread)
  }
  const sent = new Map<string, Correspondence>()
  const rows = simulator.sentBy()
  for (const { message } of rows) {
    if (simulator.store.get('thread', message.thread_id)?.first_message_id === message.id)
      read.delete(message.thread_id)
  }
  for (const [index, mail] of simulator.sent().entries()) {
    const { to, subject, thread_id: thread, text, html } = mail
    const plain = subject.replace(/^(?:(?:re|fwd?|aw|wg):\s*)+/i, '')
    // Which message began a thread decides whether its subject has a mark, also where an agent tells of it.
    const key = `${[...to].sort().join()} ${plain.replace(/\b(?:re|fwd?|aw|wg):\s*/gi, '')}`
    const known = sent.get(key)
    const context = known ? known.context : contextOf(rows[index] as SentMail, simulator.store)
    const texts = [...(known?.texts ?? []), text ?? html ?? '']
    sent.set(key, { to: to[0] ?? '', subject: plain, thread, texts, context })
  }
  const { journal, store, initialState } = simulator.paced
  const reactions = new Set(rows.map(({ message }) => message.id))
  for (const { when, commands } of initialState.triggered ?? []) {
    if (!('sent' in when)) continue
    for (const command of commands) if ('ids' in command && command.ids) reactions.add(command.ids.message)
  }
  const arrived = journal.keptCommands().flatMap(({ command, message, exchange }): Arrival[] => {
    if (command.type !== 'receive-message' || !message || exchange !== undefined) return []
    const reacts = reactions.has(message) || reactions.has(command.in_reply_to ?? '')
    const thread = store.get('message', message)?.thread_id
    const begun = thread === undefined ? undefined : store.get('thread', thread)?.first_message_id
    return [{ message, thread, command, reacts, begun: begun ?? undefined }]
  })
  return { sent, read, arrived }
}

/**
 * Returns the people whose mail the client replied to, unless it let their last message be: who only thanks at the end of a
 * conversation may go unanswered under a plan, too.
 */
export function answeredPeople(simulator: Simulator): ReadonlySet<string> {
  const { store } = simulator
  const mails = simulator.sentBy()
  const lastTo = new Map<string, number>()
  for (const { message } of mails)
    for (const recipient of recipientsOf(message)) lastTo.set(recipient.toLowerCase(), message.ordinal)
  const first = Math.min(...mails.map(({ message }) => message.ordinal))
  /** Those who wrote after the last message to them. */
  const waiting = new Set<string>()
  for (const row of store.all('message')) {
    if (row.direction !== 'inbound' || row.ordinal < first) continue
    const address = replyAddressOf(row)?.toLowerCase()
    const isAfter = address !== undefined && row.ordinal > (lastTo.get(address) ?? -1)
    if (isAfter && !automaticField(row.headers ?? row.further_headers ?? [])) waiting.add(address)
  }
  const replied = mails.flatMap((mail) => answeredBy(mail, store))
  const people = replied.flatMap((row) => (row.direction === 'inbound' ? (replyAddressOf(row) ?? []) : []))
  return new Set(people.filter((one) => !waiting.has(one.toLowerCase())))
}

/** Returns what a reply names, with the mail that its thread had received; null if it names nothing. */
function contextOf({ message, answered }: SentMail, store: MailboxStore): string | null {
  if (answered === null) return null
  const received = inboundBefore(message, message.thread_id, store).map(({ id }) => id)
  return JSON.stringify([answered, ...received])
}

/** Returns the mail that arrived in a play, but not in another one, and not because the client sent something. */
export function furtherMail({ arrived }: Outcome, base: Outcome): readonly Arrival[] {
  const known = new Set(base.arrived.map(({ message }) => message))
  return arrived.filter(({ message, reacts }) => !reacts && !known.has(message))
}

/** Returns a story in which some mail is there from the start. */
export function withMailFromStart(story: Story, mail: readonly Arrival[]): Story {
  const entry: TimelineEntry = {
    name: 'mail that is there from the start',
    after: 0,
    commands: mail.map(({ command }) => command),
  }
  return { ...story, timeline: [entry, ...story.timeline] }
}

/**
 * Returns something that a client did where all mail was there from the start, but not where some arrived in between, so that
 * the order alone does not explain it; undefined if there is nothing. What a client that ends by itself does about mail that
 * arrived meanwhile is left out, unless it does it without that mail, too: it may have ended before. What it writes over again,
 * such as a description, depends on the order. Nor is a thread compared that holds other mail under the control, or where people
 * reacted to the client in only one of them.
 */
export function omissionOf(
  control: Outcome,
  plan: Outcome,
  late: readonly Arrival[],
  endsByItself: boolean,
  base?: Outcome,
): Omission | undefined {
  const touched = new Set(endsByItself ? late.flatMap(({ thread }) => thread ?? []) : [])
  const changed = changedThreads(control, late)
  for (const [key, { to, subject, thread, texts, context }] of control.sent) {
    const found = plan.sent.get(key)
    if (changed.has(thread) || reactionsIn(control, thread) !== reactionsIn(plan, thread)) continue
    const isElse = !found && [...plan.sent.values()].some((one) => one.thread === thread)
    // A client that answers the latest message of a thread answers somebody else if another is the latest.
    if (isElse && isReordered(control, plan, thread)) continue
    // One that has read the thread may have read it before that mail, or after it.
    if (touched.has(thread) && (found || plan.read.has(thread) || !base?.sent.has(key))) continue
    if (!found) {
      const why = `it sent nothing to ${to} about "${subject}", as it does when all mail is there from the start`
      return {
        why,
        kind: 'sends less',
        written: { sent: { to, subject: { contains: subject } }, at_least: 1 } as WrittenExpectation,
      }
    }
    const [text, ...others] = texts
    if (others.length > 0 || found.texts.length > 1 || found.texts[0] === text || text === undefined) continue
    // Which message it replies to, and what came before, can be wrong; its words for the same may differ, as those of a model.
    if (context !== null && context === found.context) continue
    const why = `it sent something else to ${to} about "${subject}" than when all mail is there from the start`
    return {
      why,
      kind: 'sends something else',
      written: { sent: { to, text }, at_least: 1 } as WrittenExpectation,
    }
  }
  for (const thread of control.read) {
    if (plan.read.has(thread) || changed.has(thread) || (touched.has(thread) && !base?.read.has(thread)))
      continue
    const why = `it did not read the thread ${thread}, as it does when all mail is there from the start`
    const where = { query: { thread_id: thread } }
    return {
      why,
      kind: 'reads less',
      written: { request: 'messages.list', where, at_least: 1 } as WrittenExpectation,
    }
  }
  return undefined
}

/** Returns the threads that hold other mail under a control, since which one mail joins depends on what is there before it. */
function changedThreads(control: Outcome, late: readonly Arrival[]): ReadonlySet<string> {
  const threads = new Map(control.arrived.map(({ message, thread }) => [message, thread]))
  return new Set(
    late.flatMap(({ message, thread }) => {
      const other = threads.get(message)
      return other === undefined || thread === undefined || other === thread ? [] : [thread, other]
    }),
  )
}

/** Returns how often somebody in a thread wrote because of what the client sent, on which what it sends next depends. */
function reactionsIn({ arrived }: Outcome, thread: string): number {
  return arrived.filter((one) => one.reacts && one.thread === thread).length
}

/** Returns whether the same mail of a thread came in another order under a plan. */
function isReordered(control: Outcome, plan: Outcome, thread: string): boolean {
  const [first, second] = [control, plan].map(({ arrived }) => {
    return arrived.flatMap((one) => (one.thread === thread ? one.message : []))
  })
  return first?.join() !== second?.join()
}
