import { formatMailbox } from '../../mail/index.js'
import {
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type IdentityRow,
  type MessageRow,
} from '../../model/index.js'
import { createRandom, parseDuration, type Random } from '../../world/index.js'
import type { ScenarioGenerate } from '../format/index.js'
import type { Setting, Story, StoryKind } from '../stories/story.js'
import type { Teller } from './body-shelf.js'
import { type Building, idFor } from './building.js'
import { attachFixture, type FixtureFiles, loadFixtures } from './generated-files.js'
import { type ChosenStory, createStoryChoice } from './story-choice.js'

const hour = 3_600_000

/** What a mailbox's threads are planned from, now and whenever somebody reads a body. */
interface Plans {
  readonly seed: number
  readonly start: number
  /** The first part of the names of its threads. */
  readonly name: string
  /** How long before the story's start the mail goes back, in milliseconds. */
  readonly span: number
  readonly choose: (random: Random) => ChosenStory
  readonly setting: Omit<Setting, 'begins'>
}

/** What the threads of a mailbox have in common; made once, since a million messages share it. */
interface Mailbox extends Plans {
  readonly building: Building
  readonly identity: IdentityRow
  readonly wanted: ScenarioGenerate
  /** The agent as a sender, and as the only recipient. */
  readonly sender: string
  readonly recipients: readonly string[]
  /** The first part of its body keys. */
  readonly shelf: string
  readonly files: FixtureFiles | undefined
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
  const mailbox = await openMailbox(building, identity, company, wanted)
  for (let number = 0; number < wanted.threads; number++) {
    addThread(mailbox, number)
    const turn = building.meter.threadDone()
    if (turn) await turn
  }
}

async function openMailbox(
  building: Building,
  identity: IdentityRow,
  company: string,
  wanted: ScenarioGenerate,
): Promise<Mailbox> {
  const { mailbox_address: address, display_name, agent_handle } = identity
  const plans: Plans = {
    seed: building.seed,
    start: building.start,
    name: `${identity.id}/generate`,
    span: parseDuration(wanted.over) ?? 0,
    choose: createStoryChoice(building.kinds, wanted),
    setting: {
      agentName: display_name ?? agent_handle,
      agentAddress: address,
      company,
      person: building.templates.person,
    },
  }
  return {
    ...plans,
    building,
    identity,
    wanted,
    sender: formatMailbox({ name: display_name ?? '', address }),
    recipients: [address],
    shelf: building.shelf.add(createTeller(plans)),
    files: wanted.attachments > 0 ? await loadFixtures(building) : undefined,
  }
}

/** Tells bodies; the story of the thread read last is kept, since messages are read thread by thread. */
function createTeller(plans: Plans): Teller {
  const { seed, name } = plans
  let last: { thread: number; story: Story } | undefined
  return (thread, message) => {
    if (last?.thread !== thread) last = { thread, story: planThread(plans, `${name}/${thread}`).story }
    return last.story.compose(message, createRandom(seed, `${name}/${thread}/${message}/body`))
  }
}

function planThread({ seed, start, span, choose, setting }: Plans, name: string): Plan {
  const random = createRandom(seed, name)
  const { kind, count } = choose(random)
  const latest = start - Math.floor(random.next() * span)
  const times = [latest]
  while (times.length < count)
    times.push((times.at(-1) as number) - Math.floor(hour * (0.3 + 30 * random.next())))
  times.reverse()
  const story = kind.begin(random, { begins: times[0] as number, ...setting })
  return { kind, story, times, random }
}

/** A thread whose messages are being added. */
interface Growing {
  readonly plan: Plan
  readonly id: string
  readonly name: string
  /** The body keys of its messages, but for their number. */
  readonly bodyKey: string
  // Messages share these very strings and lists: of a million copies, each would count.
  readonly inbound: Pick<MessageRow, 'direction' | 'from' | 'to'>
  readonly outbound: Pick<MessageRow, 'direction' | 'from' | 'to'>
  readonly reply: string
}

function addThread(mailbox: Mailbox, number: number): void {
  const { building, identity, wanted } = mailbox
  const name = `${mailbox.name}/${number}`
  const plan = planThread(mailbox, name)
  const { story, times, random } = plan
  const thread: Growing = {
    plan,
    id: idFor(building, 'thread', name),
    name,
    bodyKey: `${mailbox.shelf}:${number}`,
    inbound: { direction: 'inbound', from: formatMailbox(story.from), to: mailbox.recipients },
    outbound: { direction: 'outbound', from: mailbox.sender, to: [story.from.address] },
    reply: `Re: ${story.subject}`,
  }
  const created_at = times[0] as number
  let facts = factsOfEmptyThread(created_at)
  for (let index = 0; index < times.length; index++) {
    facts = factsWithMessage(facts, addMessage(mailbox, thread, index))
  }
  const waiting = !facts.answered && random.chance(wanted.unread)
  building.builder.add('thread', {
    id: thread.id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    subject: story.subject,
    created_at,
    ...factsMarked(facts, waiting),
  })
}

function addMessage(mailbox: Mailbox, thread: Growing, index: number): MessageRow {
  const { building, identity } = mailbox
  const { kind, story, times } = thread.plan
  const name = `${thread.name}/${index}`
  const id = idFor(building, 'message', name)
  const { direction, from, to } = kind.oneWay || index % 2 === 0 ? thread.inbound : thread.outbound
  return building.builder.add('message', {
    id,
    organization_id: identity.organization_id,
    identity_id: identity.id,
    thread_id: thread.id,
    direction,
    from,
    to,
    subject: index === 0 || kind.oneWay ? story.subject : thread.reply,
    text: null,
    html: null,
    body_key: `${thread.bodyKey}:${index}`,
    attachment_ids: direction === 'inbound' ? attach(mailbox, thread, index, { id, name }) : none,
    message_id: null,
    in_reply_to: null,
    headers: null,
    created_at: times[index] as number,
  })
}

const none: readonly string[] = []

/** Now and then a message carries the file its story suggests; gives the ids of its attachments. */
function attach(
  { building, wanted, files }: Mailbox,
  { plan: { story, random } }: Growing,
  index: number,
  message: { readonly id: string; readonly name: string },
): readonly string[] {
  if (files === undefined || !random.chance(wanted.attachments)) return none
  const suggestion = story.attachment?.(index, random)
  return suggestion ? attachFixture(building, suggestion, files, message) : none
}
