import { expectedOneOf } from '../../base/text.js'
import { parseMailboxList } from '../../mail/index.js'
import { type CommandOf, formatInstant, headerOfRow, whyNoRecipient } from '../../service/world/index.js'
import type { ActionContext, Compilation, CompileAction } from '../compile/compilation.js'
import { type MergedMail, mailOf } from '../compile/mail.js'
import type { ScenarioAction } from '../format/index.js'
import { noIdentity, quoted } from '../problems/problem.js'
import type { ThreadWanted } from '../resolve/lookups.js'
import { type KeyedMessage, type KeyedThread, nameInMailbox } from '../resolve/names.js'
import { type Agent, fieldAt, type Place } from '../resolve/parts.js'

/** The mailbox that receives or sends a message, and the thread that the message joins there. */
interface Receipt {
  readonly owner: Agent
  readonly thread: KeyedThread | undefined
}

/** Resolves incoming mail; each addressed agent gets its own message. */
export function receive(context: ActionContext, mail: ScenarioAction<'receive'>): CompileAction | undefined {
  const { thread, subject, place, again } = mail
  if (mail.in_reply_to) return answer(mail)
  const recipients = recipientsOf(context, mail.to)
  if (!recipients) return undefined
  const owners = new Set(recipients.filter((one) => typeof one !== 'string'))
  const wanted = { key: thread, ownerKey: 'to', couldBegin: subject === undefined } as const
  const found = [...(owners.size > 0 ? owners : [undefined])].map((owner) =>
    receiptOf(context, wanted, owner),
  )
  const receipts = found.filter((receipt) => receipt !== undefined)
  if (receipts.length < found.length) return undefined
  const to = owners.size > 0 ? recipients : receipts.map(({ owner }) => owner)
  return async (compilation, at) => {
    const addresses = to.flatMap((one) => {
      return typeof one === 'string' ? compilation.texts.addresses(one, [...at.path, 'to']) : [one.address]
    })
    const commands: CommandOf<'receive-message'>[] = []
    for (const receipt of receipts) {
      const { locale } = receipt.owner
      // All recipients get the same text, from the same streams; each message has its own ids.
      const own = nameInMailbox(at.name, receipt.owner, receipts.length)
      const merged = await mailOf(compilation, mail, { ...at, locale }, mail.from)
      commands.push({
        type: 'receive-message',
        from: merged.from ?? (await outsideOf(compilation, receipt, { ...at, locale })),
        to: [...addresses],
        ...contentOf(merged),
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
function answer(mail: ScenarioAction<'receive'>): CompileAction {
  return async (compilation, at) => {
    const { from = '', ...merged } = await mailOf(compilation, mail, at, mail.from)
    const ids = { message: compilation.id('message', at.name), thread: compilation.id('thread', at.name) }
    const content = { ...contentOf({ ...merged, from }), ids }
    return {
      commands: [{ type: 'receive-message', identity_id: '', to: [], ...content, from }],
      answers: true,
    }
  }
}

/** Returns the recipients of mail, from the entry or else from its .eml file; undefined if one is invalid. */
function recipientsOf(
  { lookups, resolvedEntry, path }: ActionContext,
  to: ScenarioAction<'receive'>['to'],
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

/** Resolves the mailbox (the named one, the one that has the thread, or the only one) and the thread in it. */
function receiptOf(
  { lookups, resolvedEntry, path }: ActionContext,
  { key, ...wanted }: Omit<ThreadWanted, 'key' | 'owner'> & { readonly key: string | undefined },
  named: Agent | undefined,
): Receipt | undefined {
  if (key !== undefined) {
    const thread = lookups.thread({ key, owner: named, ...wanted }, [...path, 'thread'], resolvedEntry)
    return thread && { owner: thread.owner, thread }
  }
  const owner = named ?? lookups.names.onlyAgent
  if (!owner) {
    const message = 'is missing; expected the handle of an agent, because the scenario has several'
    lookups.problem([...path, wanted.ownerKey], message)
  }
  return owner && { owner, thread: undefined }
}

/** Resolves a message that an agent sends. */
export function send(context: ActionContext, mail: ScenarioAction<'send'>): CompileAction | undefined {
  const { from, to: stated, thread, subject } = mail
  const agent = context.lookups.agent(from, [...context.path, 'from'])
  if (agent === 'unknown') return undefined
  const wanted = { key: thread, ownerKey: 'from', couldBegin: subject === undefined } as const
  const receipt = receiptOf(context, wanted, agent)
  if (!receipt) return undefined
  return async (compilation, place) => {
    const { texts, names } = compilation
    const own = { ...place, locale: receipt.owner.locale }
    const content = contentOf(await mailOf(compilation, mail, own))
    const to =
      stated === undefined
        ? parseMailboxList(await outsideOf(compilation, receipt, own)).map(({ address }) => address)
        : (await texts.fillAll(stated, fieldAt(own, 'to'))).flatMap((text) => {
            const named = names.agent(text)
            return named ? [named.address] : texts.mailboxes(text, [...own.path, 'to'])
          })
    const named = destinationOf(compilation, receipt, own.name)
    const header = headerOfRow({ ...content, to, direction: 'outbound' })
    compilation.sent.set(named.ids.message, header)
    return { commands: [{ type: 'send-message', to, ...content, ...named }] }
  }
}

/** Returns the outside person of the thread that a message joins, or else one drawn for a new thread. */
async function outsideOf(compilation: Compilation, { thread }: Receipt, at: Place): Promise<string> {
  return thread ? compilation.outsideOf(thread) : compilation.texts.somebody(at.name, at.locale)
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
function contentOf({ from: _, to: __, subject, files, headers, ...content }: MergedMail) {
  return {
    ...content,
    ...(subject !== undefined && { subject }),
    attachments: files,
    headers: headers === null ? null : headers.map(([field, value]): [string, string] => [field, value]),
  }
}

/**
 * Resolves the delivery or bounce of a message that an agent sent: a given one, or the latest of a thread.
 */
export function outcome(
  context: ActionContext,
  action: ScenarioAction<'bounce'>,
  type: 'deliver-message' | 'bounce-message',
): CompileAction | undefined {
  checkTurns(context, action.recipient)
  if (action.message === 'sent' && context.resolvedEntry.entry.when?.sent) {
    return async (compilation, place, turn) => {
      const recipient = await recipientOf(compilation, fieldAt(place, 'recipient'), action, undefined, turn)
      return { commands: [{ type, ...(recipient !== undefined && { recipient }) }], answers: true }
    }
  }
  const { thread, message } = context.lookups.target(action, context.path, context.resolvedEntry) ?? {}
  const mail = message ?? thread
  if (!mail) return undefined
  if (message) checkSent(context, message)
  return async (compilation, place, turn) => {
    const own = fieldAt({ ...place, locale: mail.owner.locale }, 'recipient')
    const to = await recipientOf(compilation, own, action, message, turn)
    const named = message ? { message_id: message.id } : { thread_id: mail.id }
    return { commands: [{ type, ...named, ...(to !== undefined && { recipient: to }) }] }
  }
}

/** Returns the recipient for a repetition. */
async function recipientOf(
  { texts, sent, isRefused }: Compilation,
  place: Place,
  { recipient }: ScenarioAction<'bounce'>,
  message: KeyedMessage | undefined,
  turn: number,
): Promise<string | undefined> {
  const recipients = [recipient ?? []].flat()
  const mail = message && sent.get(message.id)
  let found: string | undefined
  for (const [index, template] of recipients.entries()) {
    const isTurn = index === turn % recipients.length
    // In a scenario with problems, the other recipients are checked as well, unless they are templates.
    const isChecked = isTurn || (isRefused && !template.includes('{{'))
    if (!isChecked) continue
    const path = Array.isArray(recipient) ? [...place.path, index] : place.path
    const address = texts.address(await texts.fill(template, { ...place, path }), path)
    const why = address !== undefined && mail && whyNoRecipient(mail, address)
    if (why) texts.problem(path, `the message "${message?.key}" ${why}`)
    if (isTurn) found = address
  }
  return found
}

/** Adds a problem if there are more recipients than repetitions. */
function checkTurns(
  { lookups, resolvedEntry, path }: ActionContext,
  recipient: ScenarioAction<'bounce'>['recipient'],
): void {
  const { times = 1 } = resolvedEntry.entry.repeat ?? {}
  const { length } = [recipient ?? []].flat()
  if (length <= times) return
  const message = `lists ${length} recipients, and it happens ${times === 1 ? 'once' : `${times} times`}`
  const remedy = `"repeat: { times: ${length}, every: … }" uses each of them once`
  lookups.problem([...path, 'recipient'], `${message}; ${remedy}`)
}

/** Adds a problem if a message is not sent by an agent, or only later. */
function checkSent(context: ActionContext, { key, isSent, broughtBy }: KeyedMessage): void {
  const { lookups, resolvedEntry } = context
  const path = [...context.path, 'message']
  if (isSent === false) {
    const what = `the message ${quoted(key)} is inbound`
    lookups.problem(path, `${what}; only mail that an agent sends is delivered or bounces`)
  } else lookups.checkNotLater(resolvedEntry, broughtBy, `the message ${quoted(key)} is sent`, path)
}
