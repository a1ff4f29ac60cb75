import { formatMailbox, sizeOfBase64, toBase64 } from '../mail/index.js'
import type { Body, BodySource, Direction, IdentityRow } from '../model/index.js'
import { factsMarked, factsOfEmptyThread, factsWithMessage } from '../model/index.js'
import { createRandom, parseDuration, type Random } from '../world/index.js'
import { contentTypeOf } from './attachments.js'
import { type Building, idFor } from './building.js'
import type { ScenarioGenerate } from './format/index.js'
import { storyKinds } from './stories/index.js'
import type { Setting, Story, StoryKind } from './stories/story.js'

const hour = 3_600_000

/** Where generated bodies are made again when somebody reads them. */
export class BodyShelf {
  readonly #tellers: ((thread: number, message: number) => Body)[] = []

  /** Adds who tells the bodies of one mailbox; gives back the first part of its body keys. */
  add(teller: (thread: number, message: number) => Body): string {
    return String(this.#tellers.push(teller) - 1)
  }

  /** Reads a body by its key. */
  readonly source: BodySource = (bodyKey) => {
    const [teller, thread, message] = bodyKey.split(':').map(Number) as [number, number, number]
    const tell = this.#tellers[teller]
    if (!tell) throw new Error(`No generated mailbox has the body "${bodyKey}".`)
    return tell(thread, message)
  }
}

/** One generated thread before its messages: everything here follows from the thread's own stream. */
interface Plan {
  readonly kind: StoryKind
  readonly story: Story
  /** When each message came, ascending. */
  readonly times: readonly number[]
  /** Drawn from here on: what concerns the messages. */
  readonly random: Random
}

/** Fills an identity's mailbox with correspondence. */
export async function generateThreads(
  building: Building,
  identity: IdentityRow,
  company: string,
  wanted: ScenarioGenerate,
): Promise<void> {
  const name = `${identity.id}/generate`
  const plan = (thread: number) => planThread(building, identity, company, wanted, `${name}/${thread}`)
  const shelf = building.shelf.add(createTeller(building.seed, name, plan))
  const files = wanted.attachments > 0 ? await loadFixtures(building) : undefined
  for (let thread = 0; thread < wanted.threads; thread++) {
    addThread(building, identity, wanted, plan(thread), {
      name: `${name}/${thread}`,
      bodyKey: `${shelf}:${thread}`,
      files,
    })
  }
}

/** Tells bodies; the story of the thread read last is kept, since messages are read thread by thread. */
function createTeller(seed: number, name: string, plan: (thread: number) => Plan) {
  let last: { thread: number; story: Story } | undefined
  return (thread: number, message: number): Body => {
    if (last?.thread !== thread) last = { thread, story: plan(thread).story }
    return last.story.compose(message, createRandom(seed, `${name}/${thread}/${message}/body`))
  }
}

function planThread(
  { seed, start, templates }: Building,
  identity: IdentityRow,
  company: string,
  { messages, over }: ScenarioGenerate,
  name: string,
): Plan {
  const random = createRandom(seed, name)
  const [least, most] = typeof messages === 'number' ? [messages, messages] : messages
  const kinds = least > 2 ? storyKinds.filter(({ oneWay }) => !oneWay) : storyKinds
  const kind = random.weighted(kinds)
  const count = random.integer(least, kind.oneWay ? Math.min(2, most) : most)
  const latest = start - Math.floor(random.next() * (parseDuration(over) ?? 0))
  const times = [latest]
  while (times.length < count)
    times.push((times.at(-1) as number) - Math.floor(hour * (0.3 + 30 * random.next())))
  times.reverse()
  const setting: Setting = {
    agentName: identity.display_name ?? identity.agent_handle,
    agentAddress: identity.mailbox_address,
    company,
    begins: times[0] as number,
    person: templates.person,
  }
  return { kind, story: kind.begin(random, setting), times, random }
}

type FixtureFiles = ReadonlyMap<string, string>

function addThread(
  building: Building,
  identity: IdentityRow,
  wanted: ScenarioGenerate,
  { kind, story, times, random }: Plan,
  { name, bodyKey, files }: { name: string; bodyKey: string; files: FixtureFiles | undefined },
): void {
  const { builder } = building
  const threadId = idFor(building, 'thread', name)
  const createdAt = times[0] as number
  const outside = formatMailbox(story.from)
  const agent = formatMailbox({ name: identity.display_name ?? '', address: identity.mailbox_address })
  let facts = factsOfEmptyThread(createdAt)
  for (const [index, time] of times.entries()) {
    const direction: Direction = kind.oneWay || index % 2 === 0 ? 'inbound' : 'outbound'
    const id = idFor(building, 'message', `${name}/${index}`)
    const inbound = direction === 'inbound'
    const carries = files !== undefined && inbound && random.chance(wanted.attachments)
    const attachment = carries
      ? addAttachment(building, story, index, random, { name, id, files })
      : undefined
    facts = factsWithMessage(facts, { id, direction, created_at: time })
    builder.add('message', {
      id,
      organization_id: identity.organization_id,
      identity_id: identity.id,
      thread_id: threadId,
      direction,
      from: inbound ? outside : agent,
      to: [inbound ? identity.mailbox_address : story.from.address],
      subject: index === 0 || kind.oneWay ? story.subject : `Re: ${story.subject}`,
      text: null,
      html: null,
      body_key: `${bodyKey}:${index}`,
      attachment_ids: attachment === undefined ? none : [attachment],
      message_id: null,
      in_reply_to: null,
      headers: null,
      created_at: time,
    })
  }
  const waiting = !facts.answered && random.chance(wanted.unread)
  builder.add('thread', {
    id: threadId,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: story.subject,
    ...factsMarked(facts, waiting),
    created_at: createdAt,
  })
}

const none: readonly string[] = []

function addAttachment(
  building: Building,
  story: Story,
  index: number,
  random: Random,
  { name, id, files }: { name: string; id: string; files: FixtureFiles },
): string | undefined {
  const attachment = story.attachment?.(index, random)
  const content = files.get(attachment?.fixture ?? '')
  if (attachment === undefined || content === undefined) return undefined
  const attachmentId = idFor(building, 'attachment', `${name}/${index}`)
  building.builder.add('attachment', {
    id: attachmentId,
    message_id: id,
    filename: attachment.filename,
    content_type: contentTypeOf(attachment.fixture),
    size_bytes: sizeOfBase64(content),
    content_id: null,
    content,
  })
  return attachmentId
}

const fixtureNames = [
  'invoice.pdf',
  'receipt.pdf',
  'screenshot.png',
  'logo.png',
  'orders.csv',
  'error-log.txt',
  'meeting.ics',
]

async function loadFixtures({ files }: Building): Promise<FixtureFiles> {
  const loaded = new Map<string, string>()
  for (const name of fixtureNames) loaded.set(name, toBase64(await files.readShipped(name)))
  return loaded
}
