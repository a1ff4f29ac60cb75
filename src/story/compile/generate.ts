import { formatMailbox } from '../../mail/address.js'
import { contentTypeOf } from '../../mail/media-types.js'
import type { Body } from '../../service/model/base.js'
import {
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type Rows,
} from '../../service/model/rows.js'
import { createRandom, type Random } from '../../service/time/random.js'
import { formatMailDate, parseDuration } from '../../service/time/time.js'
import type { ScenarioGenerate } from '../format/mailbox.js'
import type { GeneratedThread, MailKind, Setting } from '../letters/kinds.js'
import { shippedAttachments } from '../letters/shipped.js'
import type { Compilation, ComposeBody } from './compilation.js'
import { createFormChoice, earlierLetter, inForms } from './forms.js'
import { addFileRow } from './mail.js'

const hour = 3_600_000

/** The input for planning the threads of a mailbox, while it is filled and when a body is read. */
interface Plans {
  readonly seed: number
  readonly start: number
  /** The prefix of the names of its threads. */
  readonly name: string
  /** How long before the start of the story the mail begins, in milliseconds. */
  readonly span: number
  readonly choose: ReturnType<typeof createKindChoice>
  readonly setting: Omit<Setting, 'begins'>
}

/** What the threads of a mailbox have in common; created once, since a million messages share it. */
interface Mailbox extends Plans {
  readonly compilation: Compilation
  readonly identity: IdentityRow
  readonly wanted: ScenarioGenerate
  /** The agent as a sender, and as the only recipient. */
  readonly sender: string
  readonly recipients: readonly string[]
  /** The prefix of its body keys. */
  readonly bodyKey: string
  readonly chooseForm: ReturnType<typeof createFormChoice>
}

/** A generated message without its ordinal. */
type GeneratedRow = Omit<Rows['message'], 'ordinal'>

/** A generated thread before its messages. */
type Plan = ReturnType<typeof planThread>

/** Fills the mailbox of an identity with generated mail. */
export async function generateThreads(
  compilation: Compilation,
  identity: IdentityRow,
  { company, locale, wanted }: { company: string; locale: string; wanted: ScenarioGenerate },
): Promise<void> {
  const { mailbox_address: address, display_name, agent_handle } = identity
  const { person, kinds: shipped } = await compilation.texts.wording(locale)
  const kinds = [...(await shipped()), ...(compilation.ownKinds.get(locale) ?? [])]
  const plans: Plans = {
    seed: compilation.seed,
    start: compilation.start,
    name: `${identity.id}/generate`,
    span: parseDuration(wanted.over) ?? 0,
    choose: createKindChoice(kinds, wanted),
    setting: { agentName: display_name ?? agent_handle, agentAddress: address, company, person },
  }
  const mailbox: Mailbox = {
    ...plans,
    compilation,
    identity,
    wanted,
    sender: formatMailbox({ name: display_name ?? '', address }),
    recipients: [address],
    bodyKey: String(compilation.composers.push(createComposer(plans)) - 1),
    chooseForm: createFormChoice(wanted),
  }
  for (let number = 0; number < wanted.threads; number++) {
    addThread(mailbox, number)
    const turn = compilation.meter.threadDone()
    if (turn) await turn
  }
}

/** Creates a function that composes bodies; it keeps the last plan, since messages are read thread by thread. */
function createComposer(plans: Plans): ComposeBody {
  const { seed, name } = plans
  let last: { number: number; thread: GeneratedThread } | undefined
  return (number, message) => {
    if (last?.number !== number) last = { number, thread: planThread(plans, `${name}/${number}`).thread }
    return bodyOf(last.thread, message, { seed, name: `${name}/${number}` })
  }
}

/** Composes the body of a message from its own stream. */
function bodyOf(
  thread: GeneratedThread,
  message: number,
  { seed, name }: { readonly seed: number; readonly name: string },
): Body {
  return thread.compose(message, createRandom(seed, `${name}/${message}/body`))
}

/** Draws a thread and the times of its messages, ascending, from its own stream; `random` is the rest of it. */
function planThread({ seed, start, span, choose, setting }: Plans, name: string) {
  const random = createRandom(seed, name)
  const { kind, count } = choose(random)
  const latest = start - Math.floor(random.next() * span)
  const times = [latest]
  while (times.length < count)
    times.push((times.at(-1) as number) - Math.floor(hour * (0.3 + 30 * random.next())))
  times.reverse()
  const thread = kind.begin(random, { begins: times[0] as number, ...setting })
  return { kind, thread, times, random }
}

function addThread(mailbox: Mailbox, number: number): void {
  const { compilation, identity, wanted } = mailbox
  const name = `${mailbox.name}/${number}`
  const plan = planThread(mailbox, name)
  const { kind, times, random } = plan
  const { subject, from, headers = [] } = plan.thread
  const owned = { organization_id: identity.organization_id, identity_id: identity.id }
  // All messages share these strings and lists; a million copies would take much memory.
  const inbound = { direction: 'inbound', from: formatMailbox(from), to: mailbox.recipients } as const
  const outbound = { direction: 'outbound', from: mailbox.sender, to: [from.address] } as const
  const reply = `Re: ${subject}`
  const thread_id = compilation.id('thread', name)
  const created_at = times[0] as number
  let facts = factsOfEmptyThread(created_at)
  let answered: GeneratedRow | undefined
  for (const [index, at] of times.entries()) {
    const messageName = `${name}/${index}`
    const id = compilation.id('message', messageName)
    const { direction, from, to } = kind.oneWay || index % 2 === 0 ? inbound : outbound
    const plain: GeneratedRow = {
      id,
      ...owned,
      thread_id,
      direction,
      from,
      to,
      subject: index === 0 || kind.oneWay ? subject : reply,
      text: null,
      html: null,
      body_key: `${mailbox.bodyKey}:${number}:${index}`,
      attachment_ids:
        direction === 'inbound' ? attach(mailbox, plan, index, { id, name: messageName }) : none,
      message_id: null,
      in_reply_to: answered?.id ?? null,
      headers: null,
      ...(headers.length > 0 && { further_headers: headers }),
      created_at: at,
    }
    const row = direction === 'inbound' ? inItsForm(mailbox, plan, { name, index, plain, answered }) : plain
    facts = factsWithMessage(facts, compilation.builder.add('message', row))
    answered = kind.oneWay ? undefined : plain
  }
  const waiting = !facts.answered && random.chance(wanted.unread)
  compilation.builder.add('thread', {
    id: thread_id,
    ...owned,
    subject,
    created_at,
    ...factsMarked(facts, waiting),
  })
}

const none: readonly string[] = []

/** Attaches a suitable file to some of the messages; returns the ids of the attachments. */
function attach(
  { compilation, wanted }: Mailbox,
  { thread, random }: Plan,
  index: number,
  message: { readonly id: string; readonly name: string },
): readonly string[] {
  if (wanted.attachments === 0 || !random.chance(wanted.attachments)) return none
  const choice = thread.attachment(index, random)
  const content = choice && shippedAttachments.get(choice.fixture)
  if (!choice || content === undefined) return none
  const id = compilation.id('attachment', message.name)
  const { filename } = choice
  const file = { filename, content_type: contentTypeOf(choice.fixture), content_id: null, content }
  return [addFileRow(compilation, { id, message_id: message.id, ...file })]
}

/** The place of a message from outside in its thread. */
interface InboundPlace {
  /** The name of its thread. */
  readonly name: string
  readonly index: number
  /** The message without a form. */
  readonly plain: GeneratedRow
  /** The message that it answers, without a form. */
  readonly answered: GeneratedRow | undefined
}

/** Returns a message in the form that is drawn for it, with the body that this gives it; else as it is. */
function inItsForm(
  { chooseForm, seed, identity }: Mailbox,
  { thread }: Plan,
  { name, index, plain, answered }: InboundPlace,
): GeneratedRow {
  const form = chooseForm?.(createRandom(seed, `${name}/${index}/form`))
  if (form === undefined) return plain
  const written = { ...plain, ...bodyOf(thread, index, { seed, name }) }
  const earlier = answered && { ...answered, ...bodyOf(thread, index - 1, { seed, name }) }
  const { headers: _, ...letter } = written
  const formed = inForms([form], letter, {
    agent: identity.mailbox_address,
    date: formatMailDate(written.created_at),
    earlier: earlier && earlierLetter(earlier, earlier.created_at),
  })
  return {
    ...written,
    body_key: null,
    from: formed.from,
    to: formed.to,
    text: formed.text,
    html: formed.html,
    ...(formed.headers && { further_headers: [...(plain.further_headers ?? []), ...formed.headers] }),
  }
}

/** The maximum length of a thread of one-way mail, to which nobody replies. */
const maxOneWay = 2

/**
 * Creates the function that chooses the kind of a thread by weight, and the number of its messages.
 *
 * The kinds of a category divide its weight in proportion to their own weights. Without `kinds`, a mailbox
 * whose threads have at least three messages gets no one-way mail. With `kinds`, every named kind gets its
 * share; `messages` then applies to conversations, and threads of one-way mail have at most two messages.
 */
export function createKindChoice(
  kinds: readonly MailKind[],
  { kinds: wanted, messages }: Pick<ScenarioGenerate, 'kinds' | 'messages'>,
) {
  const [minimum, maximum] = typeof messages === 'number' ? [messages, messages] : messages
  const choices = wanted ? chosenKinds(kinds, wanted) : defaultKinds(kinds, minimum)
  return (random: Random) => {
    const { kind } = random.weighted(choices)
    const limit = kind.oneWay ? maxOneWay : maximum
    return { kind, count: random.integer(Math.min(minimum, limit), Math.min(maximum, limit)) }
  }
}

function defaultKinds(kinds: readonly MailKind[], minimum: number) {
  return kinds
    .filter(({ oneWay, isOwn }) => !isOwn && (minimum <= maxOneWay || !oneWay))
    .map((kind) => ({ kind, weight: kind.weight }))
}

function chosenKinds(kinds: readonly MailKind[], wanted: NonNullable<ScenarioGenerate['kinds']>) {
  // A list counts every category once, regardless of how often it is named.
  const weights: Partial<Record<string, number>> = Array.isArray(wanted)
    ? Object.fromEntries(wanted.map((name) => [name, 1]))
    : wanted
  return kinds.flatMap((kind) => {
    const share = weights[kind.category] ?? 0
    const siblings = kinds.filter(({ category }) => category === kind.category)
    const sum = siblings.reduce((total, { weight }) => total + weight, 0)
    return share > 0 ? [{ kind, weight: (share * kind.weight) / sum }] : []
  })
}
