import { formatMailbox, parseMailboxList } from '../../mail/address.js'
import type { ParsedMail } from '../../mail/parsed-mail.js'
import type { Base, Body } from '../../service/model/base.js'
import type { Direction, IdentityRow } from '../../service/model/rows.js'
import { hashText, hexOf } from '../../service/time/random.js'
import type { ScenarioMessage } from '../format/mailbox.js'
import type { Scenario } from '../format/scenario.js'
import { reasonOf, type ScenarioFiles } from '../read/files.js'
import type { Compilation, ComposeBody, Correspondence } from './compilation.js'
import { generateThreads } from './generate.js'
import {
  addThreadRows,
  type Conversation,
  directionOf,
  mailInForms,
  mailOf,
  messageRow,
  type NewMessage,
} from './mail.js'
import { addMailFolders, datesOf, factsOf, messagesOfFolder } from './mail-files.js'
import {
  type Agent,
  fieldAt,
  type MessagePart,
  nameParts,
  type OrganizationPart,
  type ThreadPart,
} from './parts.js'

/** The mailboxes that a story begins with, and what its timeline has to know of them. */
export interface Mailboxes extends Correspondence {
  /** Of everything in the scenario that they are made of. */
  readonly digest: string
  /** The digests of the files that they are made of. */
  readonly files: ReadonlyMap<string, string>
  readonly base: Base
}

/** Returns the digest of everything in a scenario that its mailboxes are made of: not its story. */
export function digestOfMailboxes(
  scenario: Scenario,
  { seed, start }: { readonly seed: number; readonly start?: number | undefined },
): string {
  const { start: begins, locale, organization, identities, webhooks, organizations, secrets } = scenario
  const parts = [seed, start, begins, locale, organization, identities, webhooks, organizations, secrets]
  return hexOf(hashText(JSON.stringify(parts)))
}

/** Returns mailboxes that were compiled before, if nothing that they are made of has changed. */
export async function keptMailboxes(
  earlier: Mailboxes | undefined,
  digest: string,
  files: ScenarioFiles,
): Promise<Mailboxes | undefined> {
  if (earlier?.digest !== digest) return undefined
  for (const [key, before] of earlier.files) {
    const [name, kind] = JSON.parse(key) as [string, 'read' | 'list']
    await files[kind](name).catch(reasonOf)
    if (files.digests.get(key) !== before) return undefined
  }
  return earlier
}

/** Compiles the organizations of a scenario with their agents, mailboxes and webhooks. */
export async function compileMailboxes(
  compilation: Compilation,
  organizations: readonly OrganizationPart[],
): Promise<Omit<Mailboxes, 'digest' | 'files'>> {
  for (const part of organizations) await addOrganization(compilation, part)
  const { builder, composers, writers, latest } = compilation
  const base = builder.build((key) => bodyFrom(composers, key))
  // What the timeline adds is not part of the mailboxes.
  return { base, writers: new Map(writers), latest: new Map(latest) }
}

/** Composes a generated body, each time it is read. */
function bodyFrom(composers: readonly ComposeBody[], bodyKey: string): Body {
  const [mailbox, thread, message] = bodyKey.split(':').map(Number) as [number, number, number]
  const compose = composers[mailbox]
  if (!compose) throw new Error(`No generated mailbox has the body "${bodyKey}".`)
  return compose(thread, message)
}

/** Adds an organization with its agents, their mailboxes and its webhooks. */
async function addOrganization(compilation: Compilation, part: OrganizationPart): Promise<void> {
  const { organization, id, name, path, agents } = part
  const own = path.length === 0 ? ['organization'] : path
  const company = await compilation.texts.fill(organization.name, fieldAt({ ...part, path: own }, 'name'))
  compilation.builder.add('organization', { id, name: company, api_keys: organization.api_keys })
  for (const agent of agents) await addAgent(compilation, agent, id, company)
  const webhooks = nameParts(organization.webhooks, ({ url, agent_handle }) => `${url} ${agent_handle ?? ''}`)
  for (const [webhookName, webhook] of webhooks) {
    const createdAt = compilation.instant(webhook.created_at ?? '-30d')
    compilation.builder.add('webhook', {
      id: compilation.id('webhook', `${name}/webhooks/${webhookName}`),
      organization_id: id,
      url: webhook.url,
      events: webhook.events,
      agent_handle: webhook.agent_handle ?? null,
      auth_token: webhook.auth_token ?? null,
      created_at: createdAt,
      updated_at: createdAt,
    })
  }
}

async function addAgent(
  compilation: Compilation,
  agent: Agent,
  organizationId: string,
  company: string,
): Promise<void> {
  const { texts } = compilation
  const { id, handle, address, identity, locale, threads } = agent
  const text = (field: 'display_name' | 'description', otherwise: string): Promise<string> =>
    texts.fill(identity[field] ?? otherwise, fieldAt(agent, field))
  const createdAt = compilation.instant(identity.created_at ?? '-365d')
  const row = compilation.builder.add('identity', {
    id,
    organization_id: organizationId,
    agent_handle: handle,
    display_name: await text('display_name', handle),
    description: await text('description', ''),
    mailbox_address: address,
    created_at: createdAt,
    updated_at: createdAt,
  })
  for (const thread of threads) await addThread(compilation, row, thread)
  if (identity.maildir !== undefined) await addMailFolders(compilation, row, agent)
  if (!identity.generate) return
  await generateThreads(compilation, row, { company, locale, wanted: identity.generate })
}

/** Adds a written thread with its messages. */
export async function addThread(
  compilation: Compilation,
  identity: IdentityRow,
  part: ThreadPart,
): Promise<void> {
  const { texts } = compilation
  const { id, name, locale, thread } = part
  const conversation: Conversation = {
    identity,
    threadId: id,
    outside: () => texts.somebody(name, locale),
    subject:
      thread.subject === undefined ? undefined : await texts.fill(thread.subject, fieldAt(part, 'subject')),
  }
  const messages: NewMessage[] = []
  for (const own of part.messages) {
    messages.push(...(await messagesOf(compilation, conversation, own, messages)))
  }
  const latestInbound = messages.findLast(({ direction }) => direction === 'inbound')
  if (latestInbound && thread.key !== undefined) compilation.writers.set(id, latestInbound.from)
  messages.sort((a, b) => a.created_at - b.created_at)
  const { subject } = conversation
  addThreadRows(compilation, { id, identity, subject, unread: thread.unread, messages })
}

/** Returns the messages of an item of a thread: one, or those of a folder. Earlier messages supply defaults. */
async function messagesOf(
  compilation: Compilation,
  conversation: Conversation,
  place: MessagePart,
  earlier: readonly NewMessage[],
): Promise<readonly NewMessage[]> {
  const { identity, threadId, outside } = conversation
  const { name, message } = place
  if (message.maildir !== undefined) return messagesOfFolder(compilation, conversation, place, earlier)
  const { eml } = compilation.enclosed.get(message) ?? {}
  const agent = { name: identity.display_name ?? '', address: identity.mailbox_address }
  const mail = await mailOf(compilation, message, place, message.from)
  const isFromFile = eml !== undefined && mail.from !== undefined
  const direction = message.direction ?? (isFromFile ? directionOf(identity, mail.from as string) : 'inbound')
  const { texts } = compilation
  const ownTo = fieldAt(place, 'to')
  const stated = message.to === undefined ? undefined : await texts.fillAll(message.to, ownTo)
  const to = stated?.flatMap((text) => texts.mailboxes(text, ownTo.path))
  const people = {
    from: mail.from ?? (direction === 'inbound' ? await outside() : formatMailbox(agent)),
    to: to ?? mail.to ?? (await recipientsOf(conversation, direction, earlier)),
  }
  const instant = timeOf(compilation, message, eml, earlier)
  const subject = mail.subject ?? subjectAfter(conversation, earlier)
  const facts = { forms: message.forms, threadId, agent: agent.address, instant }
  const formed = mailInForms(compilation, { ...mail, subject }, people, facts)
  const row = messageRow(compilation, formed.mail, {
    name,
    identity,
    threadId,
    direction,
    from: formed.from,
    to: [...formed.to],
    subject,
    created_at: instant,
    authentication: message.authentication,
  })
  return [row]
}

/** Returns the default recipient: the agent or, for outbound mail, the latest outside sender. */
async function recipientsOf(
  { identity, outside }: Conversation,
  direction: Direction,
  earlier: readonly NewMessage[],
): Promise<string[]> {
  if (direction === 'inbound') return [identity.mailbox_address]
  const latestInbound = earlier.findLast((message) => message.direction === 'inbound')
  return parseMailboxList(latestInbound?.from ?? (await outside())).map(({ address }) => address)
}

/** Returns the default subject: that of the thread, with `Re:` after the first message. */
function subjectAfter({ subject }: Conversation, earlier: readonly NewMessage[]): string {
  const first = subject ?? earlier[0]?.subject ?? ''
  return earlier.length === 0 || /^re:/i.test(first) ? first : `Re: ${first}`
}

function timeOf(
  compilation: Compilation,
  { at }: ScenarioMessage,
  eml: ParsedMail | undefined,
  earlier: readonly NewMessage[],
): number {
  if (at !== undefined) return compilation.instant(at)
  return eml ? (datesOf([factsOf(eml)], compilation.start, earlier)[0] as number) : compilation.start
}
