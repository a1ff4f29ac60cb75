import type { AssumptionChoices } from '../assumptions/assumptions.js'
import type { Fault } from '../faults/fault.js'
import { WorldError } from '../model/errors.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import { headerFieldsOf, messageIdOf } from '../rendering/header-fields.js'
import type { Clock } from '../time/clock.js'
import { formatInstant } from '../time/time.js'
import type { DeliveryDispatcher } from '../webhooks/dispatcher.js'
import type { Command } from './commands/commands.js'
import type {
  AddressedWorld,
  AgentLife,
  CompiledEntry,
  PlayedEntry,
  StoryEntry,
  TimelineEntry,
  TriggerEntry,
} from './story-entry.js'

/** The world that a timeline changes. */
export interface TimelineWorld extends AddressedWorld {
  readonly clock: Clock
  append(entry: Omit<StoryEntry, 'seq'> | Omit<TriggerEntry, 'seq'>): unknown
  apply(command: Command): unknown
  setAssumptions(choices: AssumptionChoices, from: string): void
  addFault(fault: Fault): unknown
  clearFaults(): void
  readonly store: Pick<MailboxStore, 'get' | 'threads' | 'messages' | 'rows' | 'bodyOf' | 'messageNamed'>
  readonly dispatcher: Pick<DeliveryDispatcher, 'redeliverNth'>
  /** Undefined if nothing starts a program of an agent here. */
  readonly agentLife: AgentLife | undefined
}

const nothingStarted = 'No program of an agent is started here; replay and check start the command after --.'

/**
 * Performs an action of a story, dated at an instant; returns the problems, null if there are none. A command that the
 * world refuses, because a test or a client has changed the world, does not end the story.
 */
function performAction(action: CompiledEntry, at: string, world: TimelineWorld): string | null {
  const { name, assumptions, fault, redeliver, agent, commandsIn } = action
  const commands = commandsIn?.(action.commands, world) ?? action.commands
  const problems = commands.flatMap((command) => {
    return refusalOf(() => world.apply(told(placed(command, action, world), at)))
  })
  if (assumptions) world.setAssumptions(assumptions, `timeline: ${name}`)
  if (fault === 'clear') world.clearFaults()
  else if (fault) problems.push(...refusalOf(() => world.addFault(fault)))
  if (redeliver && !world.dispatcher.redeliverNth(redeliver.event, redeliver.nth)) {
    problems.push(`There is no delivery number ${redeliver.nth} of ${redeliver.event} yet.`)
  }
  if (agent && !world.agentLife) problems.push(nothingStarted)
  if (agent) world.agentLife?.perform(agent)
  return problems.length === 0 ? null : problems.join(' ')
}

/** Adds a message to the thread at the place that its entry names. @throws WorldError when there is none */
function placed(command: Command, { place, again }: CompiledEntry, { store }: TimelineWorld): Command {
  if (place === undefined || command.type !== 'receive-message') return command
  const page = {
    order: 'last-message',
    descending: place > 0,
    offset: Math.abs(place) - 1,
    limit: 1,
  } as const
  const [threadId] = store.threads(command.identity_id).page(page)
  if (threadId === undefined) {
    const count = store.threads(command.identity_id).count
    throw new WorldError(
      'not-found',
      `There is no thread at place ${place} of its mailbox, which has ${count}.`,
    )
  }
  const { ids } = command
  const mail = again ? latestMail(threadId, store) : {}
  return { ...command, ...mail, thread_id: threadId, ...(ids && { ids: { ...ids, thread: threadId } }) }
}

/** Returns the content of the latest inbound message of a thread. @throws WorldError when there is none */
function latestMail(threadId: string, store: TimelineWorld['store']) {
  const ids = store.messages(threadId).page({ order: 'created', descending: true, limit: 100 })
  const latest = store.rows('message', ids).find(({ direction }) => direction === 'inbound')
  if (!latest) throw new WorldError('not-found', `The thread ${threadId} has no inbound message yet.`)
  const { from, to, subject, in_reply_to, raw, authentication } = latest
  const { text, html } = store.bodyOf(latest)
  // Equal, since a client may recognize by the Message-ID that it already has the message.
  const headers = headerFieldsOf(latest, store).map(([name, value]): [string, string] => [name, value])
  const message_id = messageIdOf(latest)
  return { from, to: [...to], subject, text, html, message_id, in_reply_to, headers, raw, authentication }
}

function refusalOf(act: () => unknown): string[] {
  try {
    act()
    return []
  } catch (error) {
    if (error instanceof WorldError && error.code !== 'closed') return [error.message]
    throw error
  }
}

/** Adds to a message that the story sends it, and, if it has no date, the instant at which it comes. */
function told(command: Command, at: string): Command {
  if (command.type !== 'receive-message' && command.type !== 'send-message') return command
  const dated = command.at === undefined ? { ...command, comes: at } : command
  return dated.type === 'send-message' ? { ...dated, by: 'story' } : dated
}

/** Plays entries of a story, and keeps which ones were played. */
export class StoryPlayer<Entry extends CompiledEntry> {
  protected readonly entries: readonly Entry[]
  protected readonly world: TimelineWorld
  readonly #played: PlayedEntry[]

  /** The entries of a timeline must be sorted by time; `played` are those that were played before. */
  constructor(entries: readonly Entry[], world: TimelineWorld, played: readonly PlayedEntry[]) {
    this.entries = entries
    this.world = world
    this.#played = [...played]
  }

  /** The entries that were played, in order. */
  get played(): readonly PlayedEntry[] {
    return this.#played
  }

  /** Plays an entry. */
  protected play(entry: Entry, instant: number, cause: Pick<PlayedEntry, 'triggered'> = {}): void {
    const at = formatInstant(instant)
    this.note({ name: entry.name, at, problem: performAction(entry, at, this.world), ...cause })
  }

  /** Notes that an entry was played, or why it could not be. */
  protected note(played: PlayedEntry): void {
    this.#played.push(played)
    this.world.append({ type: 'timeline', at: this.world.clock.now(), played })
  }
}

/** Plays the entries of a timeline on the world's clock. Only the next entry is scheduled. */
export class Timeline extends StoryPlayer<TimelineEntry> {
  /** The number of entries that were not played yet. */
  get left(): number {
    return this.entries.length - this.played.length
  }

  /** Returns the next entries to be played, at most `limit`. */
  upcoming(limit: number): { readonly name: string; readonly at: string }[] {
    const next = this.entries.slice(this.played.length, this.played.length + limit)
    return next.map((entry) => ({ name: entry.name, at: formatInstant(this.#instantOf(entry)) }))
  }

  /** Schedules the next entry; entries without a delay are played before this returns. */
  begin(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const entry = next
      const instant = this.#instantOf(entry)
      if (entry.after > 0) {
        this.world.clock.schedule(instant, () => {
          this.play(entry, instant)
          this.begin()
        })
        return
      }
      this.play(entry, instant)
    }
  }

  #next(): TimelineEntry | undefined {
    return this.entries[this.played.length]
  }

  #instantOf(entry: TimelineEntry): number {
    return this.world.clock.beganAt + entry.after
  }
}
