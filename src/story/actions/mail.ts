import { quoted } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import { expectedOneOf } from '../../base/text.js'
import { formatMailbox, parseMailboxList } from '../../mail/address.js'
import { formatInstant } from '../../service/time/time.js'
import type { CommandOf } from '../../service/world/commands/commands.js'
import type { Compilation } from '../compile/compilation.js'
import { fitsReply, inForms, sentLetter } from '../compile/forms.js'
import { formedMail, type MergedMail, mailInForms, mailOf } from '../compile/mail.js'
import { type KeyedThread, nameInMailbox } from '../compile/names.js'
import { type Agent, fieldAt, type Place } from '../compile/parts.js'
import type { EntryFrame } from '../format/entry.js'
import { incomingFields, mailFields } from '../format/mailbox.js'
import { handle, key, moment, oneOrMore, template } from '../format/values.js'
import { noIdentity } from '../read/problem.js'
import { type ActionContext, type CompileAction, defineAction } from './action.js'

/** The mailbox that receives or sends a message, and the thread that the message joins there. */
interface Receipt {
  readonly owner: Agent
  readonly thread: KeyedThread | undefined
}

/** Resolves the mailbox (the named one, the one that has the thread, or the only one) and the thread in it. */
function receiptOf(
  { lookups, resolvedEntry, path }: ActionContext,
  key: string | undefined,
  ownerKey: 'to' | 'from',
  named: Agent | undefined,
): Receipt | undefined {
  if (key !== undefined) {
    const couldBegin = resolvedEntry.mail?.subject === undefined
    const wanted = { key, owner: named, ownerKey, couldBegin }
    const thread = lookups.thread(wanted, [...path, 'thread'], resolvedEntry)
    return thread && { owner: thread.owner, thread }
  }
  const owner = named ?? lookups.names.onlyAgent
  if (!owner) {
    const message = 'is missing; expected the handle of an agent, because the scenario has several'
    lookups.problem([...path, ownerKey], message)
  }
  return owner && { owner, thread: undefined }
}

/** Returns the outside person of the thread that a message joins, or else one drawn for a new thread. */
async function outsideOf(
  { texts, writers }: Compilation,
  { thread }: Receipt,
  { name, locale }: Place,
): Promise<string> {
  if (!thread) return texts.somebody(name, locale)
  return writers.get(thread.id) ?? texts.somebody(thread.name, thread.owner.locale)
}

/** Keeps the person to whom a conversation belongs that a message of the timeline begins. */
function keepPerson({ writers }: Compilation, { thread }: Receipt, person: string | undefined): void {
  if (thread?.begunBy && person !== undefined && !writers.has(thread.id)) writers.set(thread.id, person)
}

/** Returns when a message is written as far as forms show it: that of an entry which waits is not known yet. */
function instantOfEntry({ start }: Compilation, { resolvedEntry: { offset } }: ActionContext): number {
  return start + (Number.isFinite(offset) ? offset : 0)
}

/** Returns the mailbox and the thread of a command, and the ids of what it creates. */
function destinationOf(compilation: Compilation, { owner, thread }: Receipt, name: string) {
  return {
    identity_id: owner.id,
    ...(thread && { thread_id: thread.id }),
    ids: { message: compilation.id('message', name), thread: thread?.id ?? compilation.id('thread', name) },
  }
}

/** Returns the fields of a message in a command. */
export function contentOf({ from: _, to: __, subject, files, headers, ...content }: MergedMail) {
  return {
    ...content,
    ...(subject !== undefined && { subject }),
    attachments: files,
    headers: headers === null ? null : headers.map(([field, value]): [string, string] => [field, value]),
  }
}

/** A message that comes in. */
export const incomingMail = z
  .strictObject({
    to: oneOrMore(z.string().min(1))
      .optional()
      .describe(
        'Handles or addresses of who receives it; by default the owner of the thread, or the agents that an `eml` addresses. Its To header stays as it is.',
      ),
    thread: key
      .optional()
      .describe('The thread it joins, or, with a subject, the key of the thread it begins.'),
    from: template
      .optional()
      .describe('`Ann <ann@example.com>`; by default the person who wrote in that thread.'),
    place: z
      .int()
      .optional()
      .describe(
        'The thread it joins, by its position in the mailbox: 1 for the one with the latest message, -1 for the oldest.',
      ),
    again: z
      .literal(true)
      .optional()
      .describe(
        'With `place`: the latest inbound message of that thread arrives again, with its Message-ID.',
      ),
    in_reply_to: z
      .literal('sent')
      .optional()
      .describe(
        'It replies to the message for which the entry waits: in its thread, to the agent that sent it, and from the first recipient.',
      ),
    at: moment
      .optional()
      .describe('When it was sent, if earlier: for a message that was delayed on its way, e.g. `-2d`.'),
    ...incomingFields,
  })
  .meta({ id: 'receive', title: 'receive', description: 'A message that comes in.' })

export const receive = defineAction({
  describe: 'A message comes in.',
  schema: incomingMail,
  hasEvent: true,
  repeatsAtOnce: true,
  problemWith: (mail, entry) => problemWithAnswer(mail, entry) ?? problemWithPlace(mail),
  mail(content) {
    return { content, agents: [content.to ?? []].flat(), isSent: false }
  },
  resolve: resolveIncoming,
})

/** Returns what is wrong with a reply to the message for which its entry waits. */
function problemWithAnswer(mail: IncomingMail, { when }: EntryFrame): string | undefined {
  if (mail.in_reply_to === undefined) return undefined
  const stray = (['to', 'thread', 'place'] as const).find((name) => mail[name] !== undefined)
  if (stray !== undefined) return `"${stray}" is derived from the message that it replies to; leave it out`
  const form = mail.forms?.find((name) => !fitsReply(name))
  if (form) return `the form "${form}" depends on people whom only the message that it replies to decides`
  if (when?.sent) return undefined
  return '"in_reply_to: sent" needs "when: { sent: … }", which selects the message'
}

/** Returns what is wrong with a message whose thread is selected by its place in the mailbox. */
function problemWithPlace({
  place,
  thread,
  subject,
  again,
  text,
  html,
  eml,
}: IncomingMail): string | undefined {
  if (again && place === undefined) return '"again" needs "place", which selects the thread'
  if (again && (text ?? html ?? eml) !== undefined) {
    return 'what comes "again" has its own text; leave out text, html and eml'
  }
  if (place === undefined) return undefined
  if (place === 0) return '"place" is 1 or more, or -1 or less'
  return (thread ?? subject) === undefined
    ? undefined
    : '"place" selects the thread; leave out "thread" and "subject"'
}

type IncomingMail = z.output<typeof incomingMail>

/** Resolves incoming mail; each addressed agent gets its own message. */
function resolveIncoming(context: ActionContext, mail: IncomingMail): CompileAction | undefined {
  const { thread, place, again } = mail
  if (mail.in_reply_to) return answer(mail)
  const recipients = recipientsOf(context, mail.to)
  if (!recipients) return undefined
  const owners = new Set(recipients.filter((one) => typeof one !== 'string'))
  const found = [...(owners.size > 0 ? owners : [undefined])].map((owner) =>
    receiptOf(context, thread, 'to', owner),
  )
  const receipts = found.filter((receipt) => receipt !== undefined)
  if (receipts.length < found.length) return undefined
  const to = owners.size > 0 ? recipients : receipts.map(({ owner }) => owner)
  return async (compilation, at) => {
    const addresses = to.flatMap((one) => {
      return typeof one === 'string' ? compilation.texts.mailboxes(one, [...at.path, 'to']) : [one.address]
    })
    const commands: CommandOf<'receive-message'>[] = []
    for (const receipt of receipts) {
      const { locale } = receipt.owner
      // All recipients get the same text, from the same streams; each message has its own ids.
      const own = nameInMailbox(at.name, receipt.owner, receipts.length)
      const merged = await mailOf(compilation, mail, { ...at, locale }, mail.from)
      keepPerson(compilation, receipt, merged.from)
      const people = {
        from: merged.from ?? (await outsideOf(compilation, receipt, { ...at, locale })),
        // As in SMTP, the envelope does not change what a file says.
        to: merged.to ?? addresses,
      }
      const { thread: joined, owner } = receipt
      const instant = instantOfEntry(compilation, context)
      const facts = { forms: mail.forms, threadId: joined?.id, agent: owner.address, instant }
      const formed = mailInForms(compilation, merged, people, facts)
      commands.push({
        type: 'receive-message',
        from: formed.from,
        to: [...formed.to],
        ...contentOf(formed.mail),
        ...(mail.authentication !== undefined && { authentication: mail.authentication }),
        ...(mail.at !== undefined && { at: formatInstant(compilation.instant(mail.at)) }),
        ...destinationOf(compilation, receipt, own),
      })
    }
    return { commands, ...(place !== undefined && { place }), ...(again && { again }) }
  }
}

/**
 * Resolves a reply to a message that an agent sent, which determines the place of the reply in the mailbox
 * and its sender.
 */
function answer(mail: IncomingMail): CompileAction {
  return async (compilation, at) => {
    const { from = '', ...merged } = await mailOf(compilation, mail, at, mail.from)
    const ids = { message: compilation.id('message', at.name), thread: compilation.id('thread', at.name) }
    const { authentication, forms = [] } = mail
    const facts = { agent: '', date: '{{sent.date}}', earlier: sentLetter }
    const letter = { from, to: [], subject: merged.subject ?? '', text: merged.text, html: merged.html }
    const formed = formedMail({ ...merged, from }, inForms(forms, letter, facts))
    const content = { ...contentOf(formed), ids }
    return {
      commands: [
        {
          ...{ type: 'receive-message', identity_id: '', to: [...(merged.to ?? [])], ...content, from },
          ...(authentication !== undefined && { authentication }),
        } as const,
      ],
      answers: true,
    }
  }
}

/** Returns the recipients of mail, from the entry or else from its .eml file; undefined if one is invalid. */
function recipientsOf(
  { lookups, resolvedEntry, path }: ActionContext,
  to: IncomingMail['to'],
): (Agent | string)[] | undefined {
  const { names } = lookups
  const given = to === undefined ? (resolvedEntry.mail?.inFile ?? []) : [to].flat()
  const found = given.map((name) => names.agent(name) ?? name)
  const hasAgent = found.some((one) => typeof one !== 'string')
  // Mail from a file that is addressed to no agent goes to the mailbox that the entry implies.
  if (to === undefined) return hasAgent ? found : []
  let isRight = true
  for (const [index, one] of found.entries()) {
    const isOutside = typeof one === 'string' && one.lastIndexOf('@') > 0
    if (typeof one !== 'string' || (isOutside && hasAgent)) continue
    isRight = false
    const message = (): string => {
      if (!isOutside) return noIdentity(one, names.handles)
      const addresses = names.agents.map(({ address }) => address)
      return `no agent has the address ${quoted(one)}${expectedOneOf(one, addresses)}`
    }
    lookups.problem([...path, 'to', ...(typeof to === 'string' ? [] : [index])], message)
  }
  return isRight ? found : undefined
}

const outgoingMail = z
  .strictObject({
    from: handle.optional().describe('The agent; by default the owner of the thread.'),
    thread: key
      .optional()
      .describe('The thread it joins, or, with a subject, the key of the thread it begins.'),
    to: oneOrMore(template)
      .optional()
      .describe('Recipients; by default those of the `eml`, or the person who wrote in that thread.'),
    ...mailFields,
  })
  .meta({ id: 'send', title: 'send', description: 'A message that an agent sends.' })

export const send = defineAction({
  describe: 'An agent sends a message: for example, a colleague replies, or an auto-reply is sent.',
  schema: outgoingMail,
  hasEvent: true,
  repeatsAtOnce: true,
  mail(content) {
    return { content, agents: [content.from ?? []].flat(), isSent: true }
  },
  resolve(context, mail) {
    const { from, to: stated, thread } = mail
    const agent = context.lookups.agent(from, [...context.path, 'from'])
    if (agent === 'unknown') return undefined
    const receipt = receiptOf(context, thread, 'from', agent)
    if (!receipt) return undefined
    return async (compilation, place) => {
      const { texts, names } = compilation
      const own = { ...place, locale: receipt.owner.locale }
      const merged = await mailOf(compilation, mail, own)
      const content = contentOf(merged)
      const to =
        stated === undefined
          ? merged.to?.length
            ? merged.to
            : parseMailboxList(await outsideOf(compilation, receipt, own)).map(({ address }) => address)
          : (await texts.fillAll(stated, fieldAt(own, 'to'))).flatMap((text) => {
              const named = names.agent(text)
              return named ? [named.address] : texts.mailboxes(text, [...own.path, 'to'])
            })
      const [person] = to.flatMap((one) => (names.agent(one) ? [] : parseMailboxList(one)))
      keepPerson(compilation, receipt, person && formatMailbox(person))
      const from = formatMailbox({ name: receipt.owner.handle, address: receipt.owner.address })
      const { thread: joined } = receipt
      const instant = instantOfEntry(compilation, context)
      mailInForms(compilation, merged, { from, to }, { forms: [], threadId: joined?.id, agent: '', instant })
      const named = destinationOf(compilation, receipt, own.name)
      return { commands: [{ type: 'send-message', to, ...content, ...named }] }
    }
  },
})
