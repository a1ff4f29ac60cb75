import type { AnyOperationName } from '../../contract/operations.js'
import type { EventType } from '../../contract/resources.js'
import type { AssumptionChoices } from '../assumptions/assumptions.js'
import type { Fault } from '../faults/fault.js'
import { WorldError } from '../model/errors.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import { headerFieldsOf, messageIdOf } from '../rendering/header-fields.js'
import type { Clock } from '../time/clock.js'
import { idOf } from '../time/random.js'
import { formatInstant, parseInstant } from '../time/time.js'
import type { DeliveryDispatcher } from '../webhooks/dispatcher.js'
import type { Command } from './commands/commands.js'
import { inAnswerTo } from './correspondence.js'
import { type SentMessage, type SentSelector, type StoredMessage, showMessage } from './sent-mail.js'
import type {
  AddressedWorld,
  AgentLife,
  CompiledEntry,
  PendingEntry,
  PlayedEntry,
  StoryEntry,
  TimelineEntry,
  TriggerEntry,
  TriggerState,
} from './story-entry.js'

/** The world that a timeline changes. */
interface TimelineWorld extends AddressedWorld {
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
class StoryPlayer<Entry extends CompiledEntry> {
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

/**
 * The condition of a triggered entry: the nth request of an operation, the nth successful delivery of an
 * event type, or the nth message of agents that fits and that no earlier entry takes, counted from 1. With
 * `from`, only those at least that many milliseconds after the start count.
 */
export type Trigger = { readonly nth: number; readonly from?: number } & (
  | { readonly request: AnyOperationName }
  | { readonly delivery: EventType }
  | {
      readonly sent: SentSelector
      /** How long after the message the entry is played, in milliseconds; at once by default. */
      readonly after?: number
      /** Plays the entry again for each message that fits after the nth. */
      readonly every?: true
    }
)

/** An entry that is played when a client does something, rather than at an instant. */
export interface TriggeredEntry extends CompiledEntry {
  readonly when: Trigger
}

/**
 * Plays triggered entries: right before a request gets its response, after a delivery has succeeded, or after
 * mail was sent.
 */
export class Triggers extends StoryPlayer<TriggeredEntry> {
  readonly #counts: Map<string, number>
  readonly #seed: number
  #pending: readonly PendingEntry[]
  /** The names of entries of which it is not known whether mail should have triggered them. */
  readonly #unknown = new Set<string>()

  constructor(
    entries: readonly TriggeredEntry[],
    world: TimelineWorld,
    { counts, played, pending = [] }: TriggerState,
    seed: number,
  ) {
    super(entries, world, played)
    this.#counts = new Map(Object.entries(counts))
    this.#pending = pending
    this.#seed = seed
  }

  get none(): boolean {
    return this.entries.length === 0
  }

  get state(): TriggerState {
    const pending = this.#pending.length > 0 && { pending: [...this.#pending] }
    return { counts: Object.fromEntries(this.#counts), played: [...this.played], ...pending }
  }

  /** The entries that were triggered and are still to be played, in order. */
  get pending(): readonly { readonly name: string; readonly at: string }[] {
    return this.#pending.map(({ name, at }) => ({ name, at }))
  }

  /** Schedules the entries that were triggered before. */
  begin(): void {
    for (const one of this.#pending) this.#schedule(one)
  }

  /** Counts a request that is about to get its response. */
  noteRequest(operation: AnyOperationName): void {
    this.#note(operation)
  }

  /** Counts a delivery that has succeeded; to be called once for each. */
  noteSuccess(event: EventType): void {
    this.#note(event)
  }

  /**
   * Offers a message that an agent sent to the entries that wait for one, in order, until one takes it. Entries about the
   * agent's program leave it to others.
   */
  noteSent(mail: SentMessage): void {
    const { clock } = this.world
    const unknown: (() => void)[] = []
    const waiting = this.#waiting((entry) => {
      if (!('sent' in entry.when)) return false
      const { sent } = entry.when
      const fits = sent.fits(mail, this.world.store)
      const problem = sent.problem?.()
      if (problem !== undefined) unknown.push(() => this.#noteUnknown(entry, problem))
      return fits
    })
    for (const note of unknown) note()
    /** The outcomes that the message has got: it may be delivered and bounce, but not twice. */
    const outcomes = new Set<string>()
    for (const entry of waiting) {
      const outcome = outcomeOf(entry)
      if (outcomes.size > 0 && (outcome === undefined || outcomes.has(outcome))) continue
      this.#countAgain([entry])
      const turn = this.#count(entry) - entry.when.nth + 1
      if (turn < 1) continue
      const { after = 0 } = entry.when as { readonly after?: number }
      const at = clock.now() + after
      if (after === 0) this.#react(entry, turn, mail, at)
      else this.#postpone({ name: entry.name, at: formatInstant(at), message: mail.id, turn })
      if (outcome !== undefined) outcomes.add(outcome)
      else if (entry.agent === undefined) return
    }
  }

  /**
   * Returns the entries that never happened although they had to, and why: the request or delivery that they wait for never
   * came, or another entry that waits for the same mail took it. One that waits for other mail may be a branch that was not taken.
   */
  neverHappened(): { readonly name: string; readonly why: string }[] {
    const happened = new Set([...this.played, ...this.#pending].map(({ name }) => name))
    return this.entries.flatMap((entry, index) => {
      const { name, when } = entry
      if (happened.has(name)) return []
      if ('sent' in when) {
        const rival = this.entries
          .slice(0, index)
          .find((other) => happened.has(other.name) && waitsForSame(other, entry))
        return rival ? [{ name, why: `"${rival.name}" waits for the same mail, and took it` }] : []
      }
      const [what, came] = 'request' in when ? [when.request, 'came'] : [when.delivery, 'succeeded']
      const times = this.#count(entry)
      return [
        {
          name,
          why: `it waits for number ${when.nth} of ${what}, and ${times === 0 ? 'none' : `only ${times}`} ${came}`,
        },
      ]
    })
  }

  /** Notes, once for each entry, why it is not known whether mail should have triggered it. */
  #noteUnknown({ name }: TriggeredEntry, problem: string): void {
    if (this.#unknown.has(name)) return
    this.#unknown.add(name)
    const at = formatInstant(this.world.clock.now())
    this.note({ name, at, problem: `"when" cannot be judged: ${problem}`, triggered: true })
  }

  #react(entry: TriggeredEntry, turn: number, mail: StoredMessage, instant: number): void {
    const reaction = inAnswerTo(mail, turn === 1 ? entry : again(entry, turn, this.#seed), this.world.store)
    this.play(reaction, instant, { triggered: true })
  }

  #postpone(one: PendingEntry): void {
    this.#pending = [...this.#pending, one].sort((a, b) => instantOf(a) - instantOf(b))
    this.#log()
    this.#schedule(one)
  }

  #schedule(one: PendingEntry): void {
    this.world.clock.schedule(instantOf(one), () => {
      const { store } = this.world
      const row = store.get('message', one.message)
      const entry = this.entries.find(({ name }) => name === one.name)
      this.#pending = this.#pending.filter((other) => other !== one)
      // A mailbox may have been deleted since, with its mail.
      if (entry && row) this.#react(entry, one.turn, showMessage(row, store), instantOf(one))
      this.#log()
    })
  }

  #note(name: string): void {
    // A request that no entry waits for is not counted, so that assumption never changes the state.
    const waiting = this.#waiting((entry) => countedName(entry) === name)
    if (waiting.length === 0) return
    this.#countAgain(waiting)
    for (const entry of waiting) {
      if (this.#count(entry) !== entry.when.nth) continue
      this.play(entry, this.world.clock.now(), { triggered: true })
    }
  }

  /** Returns the entries that are due and were not yet played, among these candidates. */
  #waiting(isConcerned: (entry: TriggeredEntry) => boolean): readonly TriggeredEntry[] {
    const { clock } = this.world
    const since = clock.now() - clock.beganAt
    return this.entries.filter((entry) => {
      const { from = 0, nth } = entry.when
      const isOver = this.#count(entry) >= nth && !('every' in entry.when)
      return since >= from && !isOver && isConcerned(entry)
    })
  }

  #countAgain(entries: readonly TriggeredEntry[]): void {
    const counts = new Map(entries.map((entry) => [countOf(entry), this.#count(entry) + 1]))
    for (const [key, count] of counts) this.#counts.set(key, count)
    this.#log()
  }

  #log(): void {
    const { counts, pending = [] } = this.state
    this.world.append({ type: 'triggers', at: this.world.clock.now(), counts, pending })
  }

  #count(entry: TriggeredEntry): number {
    return this.#counts.get(countOf(entry)) ?? 0
  }
}

function instantOf({ at }: PendingEntry): number {
  return parseInstant(at) as number
}

/** Returns an entry that is played again: the messages that it brings are others, with ids of their own. */
function again(entry: TriggeredEntry, turn: number, seed: number): TriggeredEntry {
  const commands = entry.commands.map((command): Command => {
    if (command.type !== 'receive-message' && command.type !== 'send-message') return command
    const { ids, thread_id } = command
    if (!ids) return command
    const own = (kind: 'message' | 'thread'): string => idOf(kind, seed, `${ids[kind]}/${turn}`)
    const thread = thread_id === undefined ? own('thread') : ids.thread
    return { ...command, ids: { message: own('message'), thread } }
  })
  return { ...entry, commands }
}

/** Returns the outcome of mail that is all that an entry brings about; undefined for any other entry. */
function outcomeOf({ commands }: TriggeredEntry): string | undefined {
  const [first, ...others] = commands
  const isOutcome = first?.type === 'bounce-message' || first?.type === 'deliver-message'
  return isOutcome && others.length === 0 ? first.type : undefined
}

/** Returns whether two entries wait for mail that meets the same conditions. */
function waitsForSame(one: TriggeredEntry, other: TriggeredEntry): boolean {
  const [first, second] = [one.when, other.when].map((when) => 'sent' in when && JSON.stringify(when.sent))
  return first !== false && first === second
}

function countedName({ name, when }: TriggeredEntry): string {
  if ('sent' in when) return `sent ${name}`
  return 'request' in when ? when.request : when.delivery
}

/**
 * Returns the key under which a trigger is counted; sent mail, which another entry may take, is counted for
 * each entry.
 */
function countOf(entry: TriggeredEntry): string {
  const name = countedName(entry)
  return entry.when.from ? `${name} from ${entry.when.from}` : name
}
