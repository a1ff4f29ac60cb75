import type { EventType } from '../../contract/resources.js'
import { parseMailboxList } from '../../mail/index.js'
import {
  type Command,
  type CommandOf,
  formatInstant,
  parseDuration,
  parseInstant,
  type StoryAction,
  type TimelineEntry,
  type Trigger,
  type TriggeredEntry,
  whyNoRecipient,
} from '../../world/index.js'
import type { KeyedMessage, KeyedThread } from '../resolve/names.js'
import type { ResolvedAction, ResolvedEntry, ResolvedOutcome } from '../resolve/timeline.js'
import type { Compilation } from './compilation.js'
import { type Mail, mergeMail, wordsOf } from './mail.js'
import { fieldAt, type Place } from './texts.js'

/** A timeline as a world plays it. */
export interface CompiledTimeline {
  /** Commands with everything filled in, in the order in which they happen. */
  readonly entries: TimelineEntry[]
  /** The same of entries that wait for something, in the order of the file. */
  readonly triggered: TriggeredEntry[]
  /** The place among these where an entry first happens, by its key. */
  readonly places: ReadonlyMap<string, number>
}

/** Compiles the timeline of a scenario. */
export async function compileTimeline(compilation: Compilation): Promise<CompiledTimeline> {
  const compiledAt: TimelineEntry[][] = []
  const triggeredAt: TriggeredEntry[] = []
  const firsts = new Map<string, TimelineEntry>()
  for (const entry of outcomesLast(compilation.resolved.timeline)) {
    const when = triggerOf(entry.entry, compilation.start)
    if (when) {
      const { name } = entry
      const waiting = { name, when, ...(await compileAtOnce(compilation, entry)) }
      keepMessages(compilation, entry, waiting)
      triggeredAt[entry.path[1] as number] = waiting
      continue
    }
    const compiled: TimelineEntry[] = []
    const { times = 1, every = '0s' } = (!compilation.isRefused && entry.entry.repeat) || {}
    for (let turn = 0; turn < times; turn++) {
      const name = turn === 0 ? entry.name : `${entry.name}/${turn + 1}`
      const after = entry.offset + turn * (parseDuration(every) as number)
      compiled.push({ name, after, ...(await compileAction(compilation, entry, `timeline/${name}`, turn)) })
      await compilation.texts.turn()
    }
    const [first] = compiled
    if (first && entry.entry.key !== undefined) firsts.set(entry.entry.key, first)
    if (first) keepMessages(compilation, entry, first)
    compiledAt[entry.path[1] as number] = compiled
  }
  const entries = compiledAt.flat()
  // Sorting is stable: what happens at one instant happens in the order of the file.
  entries.sort((a, b) => a.after - b.after)
  const placeOf = new Map(entries.map((entry, place) => [entry, place]))
  const places = new Map([...firsts].map(([key, entry]) => [key, placeOf.get(entry) as number]))
  return { entries, triggered: triggeredAt.filter((entry) => entry !== undefined), places }
}

/** What an entry does that waits for something, as often as it says. */
async function compileAtOnce(compilation: Compilation, entry: ResolvedEntry): Promise<Happening> {
  const first = await compileAction(compilation, entry, `timeline/${entry.name}`, 0)
  const commands = [...first.commands]
  const { times = 1 } = (!compilation.isRefused && entry.entry.repeat) || {}
  for (let turn = 1; turn < times; turn++) {
    const name = `timeline/${entry.name}/${turn + 1}`
    commands.push(...(await compileAction(compilation, entry, name, turn)).commands)
  }
  return { ...first, commands }
}

/** The entries, those about what became of mail last: the mail may stand below them. */
function outcomesLast(entries: readonly ResolvedEntry[]): ResolvedEntry[] {
  const isOutcome = ({ action: { kind } }: ResolvedEntry): boolean => kind === 'deliver' || kind === 'bounce'
  return [...entries.filter((entry) => !isOutcome(entry)), ...entries.filter(isOutcome)]
}

/** Returns what an entry waits for; undefined where it has a time alone. */
function triggerOf({ when, after, at }: ResolvedEntry['entry'], start: number): Trigger | undefined {
  if (!when) return undefined
  const { request, delivery, nth } = when
  const from = after === undefined ? (parseInstant(at ?? '') ?? start) - start : parseDuration(after)
  const counted = { nth, ...(from && { from }) }
  return request === undefined ? { delivery: delivery as EventType, ...counted } : { request, ...counted }
}

type Happening = Omit<StoryAction, 'name'>

/** What one happening of an entry does, with how much later receivers are told of it. */
async function compileAction(
  compilation: Compilation,
  entry: ResolvedEntry,
  name: string,
  turn: number,
): Promise<Happening> {
  const happening = await compileWhat(compilation, entry, name, turn)
  const { event_delay } = entry.entry
  if (event_delay === undefined) return happening
  const delay = { event_delay: parseDuration(event_delay) as number }
  return {
    ...happening,
    commands: happening.commands.map((command) => ({ ...command, ...delay }) as Command),
  }
}

/** What one happening of an entry does; `name` is that of its streams, `turn` counts repetitions from 0. */
async function compileWhat(
  compilation: Compilation,
  { action, path }: ResolvedEntry,
  name: string,
  turn: number,
): Promise<Happening> {
  const { locale } = compilation.resolved.scenario
  const place = { name, path: [...path, action.kind], locale }
  switch (action.kind) {
    case 'receive':
      return {
        commands: await receive(compilation, action, place),
        ...(action.mail.place !== undefined && { place: action.mail.place }),
        ...(action.mail.again && { again: true }),
      }
    case 'send':
      return { commands: [await send(compilation, action, place)] }
    case 'mark': {
      const { id } = compilation.thread(action.thread)
      return { commands: [{ type: 'set-thread-unread', thread_id: id, unread: action.unread }] }
    }
    case 'update':
      return { commands: [await update(compilation, action, place)] }
    case 'deliver':
    case 'bounce':
      return { commands: [await outcome(compilation, action, place, turn)] }
    case 'fault':
      return { commands: [], fault: action.fault }
    case 'readings':
      return { commands: [], readings: action.readings }
    case 'redeliver':
      return { commands: [], redeliver: action.redeliver }
  }
}

type ActionOf<Kind extends ResolvedAction['kind']> = Extract<ResolvedAction, { readonly kind: Kind }>

/** Mail comes in: each agent it is addressed to gets a message of its own. */
async function receive(
  compilation: Compilation,
  { mail, receipts, to }: ActionOf<'receive'>,
  place: Place,
): Promise<CommandOf<'receive-message'>[]> {
  const { texts, resolved } = compilation
  const addresses = to.flatMap((one) => {
    return typeof one === 'string' ? texts.addresses(one, [...place.path, 'to']) : [one.address]
  })
  const commands: CommandOf<'receive-message'>[] = []
  for (const receipt of receipts) {
    const { owner } = receipt
    const thread = receipt.thread && compilation.thread(receipt.thread)
    const locale = compilation.localeOf(owner)
    // The words come from the same streams for everybody who gets them; each message has ids of its own.
    const words = await wordsOf(texts, mail, { ...place, locale })
    const merged = mergeMail(words, resolved.enclosed.get(mail) ?? {})
    const own = receipts.length > 1 ? `${place.name}/${owner.handle}` : place.name
    const from = merged.from ?? (await (thread?.outside() ?? texts.somebody(place.name, locale)))
    commands.push({
      type: 'receive-message',
      identity_id: compilation.row(owner).id,
      from,
      to: [...addresses],
      ...contentOf(merged),
      ...(mail.at !== undefined && { at: formatInstant(compilation.instant(mail.at)) }),
      ...(thread && { thread_id: thread.id }),
      ids: { message: compilation.id('message', own), thread: thread?.id ?? compilation.id('thread', own) },
    })
  }
  return commands
}

/** An agent's mailbox sends mail. */
async function send(
  compilation: Compilation,
  { mail, owner, thread: keyed }: ActionOf<'send'>,
  place: Place,
): Promise<CommandOf<'send-message'>> {
  const { texts, resolved } = compilation
  const own = { ...place, locale: compilation.localeOf(owner) }
  const thread = keyed && compilation.thread(keyed)
  const { from: _, ...fields } = mail
  const merged = mergeMail(await wordsOf(texts, fields, own), resolved.enclosed.get(mail) ?? {})
  let to: string[]
  if (mail.to === undefined) {
    const outside = await (thread?.outside() ?? texts.somebody(own.name, own.locale))
    to = parseMailboxList(outside).map(({ address }) => address)
  } else to = await sentTo(compilation, [mail.to].flat(), fieldAt(own, 'to'))
  return {
    type: 'send-message',
    identity_id: compilation.row(owner).id,
    to,
    ...contentOf(merged),
    ...(thread && { thread_id: thread.id }),
    ids: {
      message: compilation.id('message', own.name),
      thread: thread?.id ?? compilation.id('thread', own.name),
    },
  }
}

/** The addresses that a list of agents and templates of addresses comes to. */
async function sentTo(
  { texts, resolved }: Compilation,
  recipients: readonly string[],
  { name, path, locale }: Place,
): Promise<string[]> {
  const addresses: string[] = []
  for (const [index, recipient] of recipients.entries()) {
    const text = await texts.fill(recipient, { name: `${name}/${index}`, path, locale })
    const agent = resolved.names.agent(text)
    addresses.push(...(agent ? [agent.address] : texts.addresses(text, path)))
  }
  return addresses
}

/** The fields that a mail has in a command. */
function contentOf({ subject, text, html, files, message_id, in_reply_to, references, headers }: Mail) {
  return {
    ...(subject !== undefined && { subject }),
    text,
    html,
    attachments: files,
    in_reply_to,
    references,
    message_id,
    headers: headers === null ? null : headers.map(([field, value]): [string, string] => [field, value]),
  }
}

async function update(
  compilation: Compilation,
  { owner, update: changes }: ActionOf<'update'>,
  place: Place,
): Promise<CommandOf<'update-identity'>> {
  const own = { ...place, locale: compilation.localeOf(owner) }
  const command: CommandOf<'update-identity'> = {
    type: 'update-identity',
    identity_id: compilation.row(owner).id,
  }
  for (const field of ['display_name', 'description'] as const) {
    const template = changes[field]
    if (template !== undefined) command[field] = await compilation.texts.fill(template, fieldAt(own, field))
  }
  return command
}

/** Mail that an agent sent reaches its recipient, or comes back. */
async function outcome(
  compilation: Compilation,
  { kind, mail, isMessage, recipient }: ResolvedOutcome,
  place: Place,
  turn: number,
): Promise<Command> {
  const message = isMessage ? compilation.messages.get(mail as KeyedMessage) : undefined
  const recipients = [recipient ?? []].flat()
  const own = fieldAt({ ...place, locale: compilation.localeOf(mail.owner) }, 'recipient')
  const address = async (index: number): Promise<string | undefined> => {
    const template = recipients[index]
    if (template === undefined) return undefined
    const path = Array.isArray(recipient) ? [...own.path, index] : own.path
    const text = await compilation.texts.fill(template, { ...own, path })
    const found = compilation.texts.address(text, path)
    const why = found !== undefined && message?.sent && whyNoRecipient(message.sent, found)
    if (why) compilation.texts.problem(path, `the message "${mail.key}" ${why}`)
    return found
  }
  if (compilation.isRefused) {
    // Those whose turn does not come are looked at as well, as far as nothing has to be drawn.
    for (const [index, text] of recipients.entries()) if (!text.includes('{{')) await address(index)
  }
  const to = await address(recipients.length === 0 ? 0 : turn % recipients.length)
  const named = isMessage
    ? { message_id: message?.id ?? '' }
    : { thread_id: compilation.thread(mail as KeyedThread).id }
  const type = kind === 'deliver' ? 'deliver-message' : 'bounce-message'
  return { type, ...named, ...(to !== undefined && { recipient: to }) }
}

/** Keeps the messages that an entry brings by their keys: one in each mailbox that it reaches. */
function keepMessages(compilation: Compilation, entry: ResolvedEntry, { name, commands }: StoryAction): void {
  const { action } = entry
  if (action.kind !== 'receive' && action.kind !== 'send') return
  const receipts = action.kind === 'receive' ? action.receipts : [action]
  const subject = entry.mail?.subject
  const key = entry.mail?.key?.name
  if (key === undefined) return
  for (const [index, { owner, thread }] of receipts.entries()) {
    const command = commands[index] as CommandOf<'receive-message' | 'send-message'>
    const joined = subject === undefined && thread ? compilation.thread(thread).subjectFrom : undefined
    const own = `timeline/${name}`
    const sent =
      command.type === 'send-message' ? { to: command.to, headers: command.headers ?? null } : undefined
    for (const keyed of compilation.resolved.names.messages({ key, owner })) {
      if (keyed.broughtBy?.path !== entry.path) continue
      compilation.messages.set(keyed, {
        id: command.ids?.message ?? '',
        owner: compilation.row(owner),
        name: own,
        subjectFrom: joined ?? `${own}/subject`,
        sent,
      })
    }
  }
}
