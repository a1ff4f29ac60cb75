import { z } from '../../base/index.js'
import type { AnyOperationName, EventType } from '../../contract/index.js'
import type { Fault } from '../faults/index.js'
import { CommandError, FaultError, type MailboxStore } from '../model/index.js'
import type { ReadingChoices } from '../readings/index.js'
import type { Recorder } from '../record/index.js'
import { headerFieldsOf, messageIdOf } from '../rendering/index.js'
import { type Clock, formatInstant, idOf, instantSchema, parseInstant } from '../time/index.js'
import type { DeliveryDispatcher } from '../webhooks/index.js'
import type { Command } from './commands/commands.js'
import { inAnswerTo } from './correspondence.js'
import { type SentMessage, type SentSelector, type StoredMessage, showMessage } from './sent-mail.js'

/** A world to which addresses lead. */
export interface AddressedWorld {
  readonly id: string
  /** The base URL of addresses of the service. */
  readonly base: string
}

/** The compiled actions of an entry of a scenario. */
export interface CompiledEntry {
  /** The key in the scenario, or a name made from its time and its actions. */
  readonly name: string
  /** Applied in order; messages are dated at the entry's own instant. */
  readonly commands: readonly Command[]
  /** Returns its commands with what is known only in a world, such as addresses of that world in mail. */
  readonly commandsIn?: (commands: readonly Command[], world: AddressedWorld) => readonly Command[]
  /** Readings in force from then on. */
  readonly readings?: ReadingChoices
  /** A fault rule to add; `clear` removes all rules. */
  readonly fault?: Fault | 'clear'
  /** The thread that the message joins, by its place in the mailbox: 1 for the latest, -1 for the oldest. */
  readonly place?: number
  /** Receives the latest inbound message of that thread again. */
  readonly again?: true
  /** Whether it is about the message that triggers it: a reply, a delivery or a bounce. */
  readonly answers?: true
  /** Repeats a delivery: the nth of an event type, counted from 1. */
  readonly redeliver?: { readonly event: EventType; readonly nth: number }
}

/** Returns the numbers of the deliveries that entries send again, by event type. */
export function redeliveredBy(
  entries: readonly CompiledEntry[],
): ReadonlyMap<EventType, ReadonlySet<number>> {
  const redelivered = new Map<EventType, Set<number>>()
  for (const { redeliver } of entries) {
    if (!redeliver) continue
    redelivered.set(redeliver.event, (redelivered.get(redeliver.event) ?? new Set()).add(redeliver.nth))
  }
  return redelivered
}

/** An entry that is played at an instant. */
export interface TimelineEntry extends CompiledEntry {
  /** When, in milliseconds after the start. */
  readonly after: number
}

/** An entry of the timeline that was played. */
export interface PlayedEntry {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly at: string
  /** Why the entry could not be played as written; null if it was. */
  readonly problem: string | null
  /** Whether a request, a delivery or sent mail triggered it, rather than the clock. */
  readonly triggered?: true | undefined
}

/** Creates the schema of a played entry in snapshots and logs. */
export const playedSchema = () =>
  z.strictObject({
    name: z.string(),
    at: instantSchema(),
    problem: z.string().nullable(),
    triggered: z.literal(true).optional(),
  })

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

/** Creates the schema of the state of a world's triggers: their counts and the entries played. */
export const triggerStateSchema = () =>
  z.strictObject({
    counts: z
      .record(z.string(), z.int().min(0))
      .describe('Requests by operation, deliveries by event, and sent mail by entry.'),
    played: z.array(playedSchema()),
    pending: z.array(pendingSchema()).optional().describe('The entries that will be played, in that order.'),
  })

/** Creates the schema of an entry that is played some time after the message that triggered it. */
const pendingSchema = () =>
  z.strictObject({
    name: z.string(),
    at: instantSchema(),
    message: z.string().describe('The id of the message.'),
    turn: z.int().min(1).describe('Which of its messages, from 1 for the first that it takes.'),
  })

type PendingEntry = z.output<ReturnType<typeof pendingSchema>>

/** The state of a world's triggers. */
export type TriggerState = z.output<ReturnType<typeof triggerStateSchema>>

/** The world that a timeline changes. */
export interface TimelineWorld extends AddressedWorld {
  readonly clock: Clock
  apply(command: Command): unknown
  setReadings(choices: ReadingChoices, from: string): void
  addFault(fault: Fault): unknown
  clearFaults(): void
  readonly store: Pick<MailboxStore, 'get' | 'threads' | 'messages' | 'rows' | 'bodyOf' | 'messageNamed'>
  readonly dispatcher: Pick<DeliveryDispatcher, 'redeliverNth'>
}

/** Plays entries of a story, and keeps which ones were played. */
class StoryPlayer<Entry extends CompiledEntry> {
  protected readonly entries: readonly Entry[]
  protected readonly world: TimelineWorld
  protected readonly recorder: Recorder
  readonly #played: PlayedEntry[]

  /** The entries of a timeline must be sorted by time; `played` are those that were played before. */
  constructor(
    entries: readonly Entry[],
    world: TimelineWorld,
    recorder: Recorder,
    played: readonly PlayedEntry[],
  ) {
    this.entries = entries
    this.world = world
    this.recorder = recorder
    this.#played = [...played]
  }

  /** The entries that were played, in order. */
  get played(): readonly PlayedEntry[] {
    return this.#played
  }

  protected play(entry: Entry, instant: number, cause: Pick<PlayedEntry, 'triggered'> = {}): void {
    const at = formatInstant(instant)
    const played = {
      name: entry.name,
      at,
      problem: performAction(entry, at, this.world),
      ...cause,
    }
    this.#played.push(played)
    this.onPlayed(played)
    this.recorder.publish('timeline', () => played)
  }

  /** Called with each entry that was played. */
  protected onPlayed(_played: PlayedEntry): void {}
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

  protected override onPlayed(played: PlayedEntry): void {
    this.recorder.log({ type: 'timeline', played })
  }

  #next(): TimelineEntry | undefined {
    return this.entries[this.played.length]
  }

  #instantOf(entry: TimelineEntry): number {
    return this.world.clock.beganAt + entry.after
  }
}

/**
 * Plays triggered entries: right before a request gets its response, after a delivery has succeeded, or after
 * mail was sent.
 */
export class Triggers extends StoryPlayer<TriggeredEntry> {
  readonly #counts: Map<string, number>
  readonly #seed: number
  #pending: readonly PendingEntry[]

  constructor(
    entries: readonly TriggeredEntry[],
    world: TimelineWorld,
    recorder: Recorder,
    { counts, played, pending = [] }: TriggerState,
    seed: number,
  ) {
    super(entries, world, recorder, played)
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

  /** Offers a message that an agent sent to the entries that wait for one, in order, until one takes it. */
  noteSent(mail: SentMessage): void {
    const { clock } = this.world
    for (const entry of this.#waiting(({ when }) => 'sent' in when && when.sent.fits(mail))) {
      this.#countAgain([entry])
      const turn = this.#count(entry) - entry.when.nth + 1
      if (turn < 1) continue
      const { after = 0 } = entry.when as { readonly after?: number }
      if (after === 0) this.#react(entry, turn, mail, clock.now())
      else
        this.#postpone({ name: entry.name, at: formatInstant(clock.now() + after), message: mail.id, turn })
      return
    }
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
    // A request that no entry waits for is not counted, so that reading never changes the state.
    const waiting = this.#waiting((entry) => countedName(entry) === name)
    if (waiting.length === 0) return
    this.#countAgain(waiting)
    for (const entry of waiting) {
      if (this.#count(entry) === entry.when.nth) this.play(entry, this.world.clock.now(), { triggered: true })
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
    this.recorder.logLatest('triggers', () => ({ type: 'triggers', triggers: this.state }))
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

/**
 * Performs an action of a story, dated at an instant; returns the problems, null if there are none. A command that the
 * world refuses, because a test or a client has changed the world, does not end the story.
 */
function performAction(action: CompiledEntry, at: string, world: TimelineWorld): string | null {
  const { name, readings, fault, redeliver, commandsIn } = action
  const commands = commandsIn?.(action.commands, world) ?? action.commands
  const problems = commands.flatMap((command) => {
    return refusalOf(() => world.apply(told(placed(command, action, world), at)))
  })
  if (readings) world.setReadings(readings, `timeline: ${name}`)
  if (fault === 'clear') world.clearFaults()
  else if (fault) problems.push(...refusalOf(() => world.addFault(fault)))
  if (redeliver && !world.dispatcher.redeliverNth(redeliver.event, redeliver.nth)) {
    problems.push(`There is no delivery number ${redeliver.nth} of ${redeliver.event} yet.`)
  }
  return problems.length === 0 ? null : problems.join(' ')
}

/** Adds a message to the thread at the place that its entry names. @throws CommandError when there is none */
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
    throw new CommandError(
      'not-found',
      `There is no thread at place ${place} of its mailbox, which has ${count}.`,
    )
  }
  const { ids } = command
  const mail = again ? latestMail(threadId, store) : {}
  return { ...command, ...mail, thread_id: threadId, ...(ids && { ids: { ...ids, thread: threadId } }) }
}

/** Returns the content of the latest inbound message of a thread. @throws CommandError when there is none */
function latestMail(threadId: string, store: TimelineWorld['store']) {
  const ids = store.messages(threadId).page({ order: 'created', descending: true, limit: 100 })
  const latest = store.rows('message', ids).find(({ direction }) => direction === 'inbound')
  if (!latest) throw new CommandError('not-found', `The thread ${threadId} has no inbound message yet.`)
  const { from, to, subject, in_reply_to } = latest
  const { text, html } = store.bodyOf(latest)
  // Equal, since a client may recognize by the Message-ID that it already has the message.
  const headers = headerFieldsOf(latest, store).map(([name, value]): [string, string] => [name, value])
  const message_id = messageIdOf(latest)
  return { from, to: [...to], subject, text, html, message_id, in_reply_to, headers }
}

function refusalOf(act: () => unknown): string[] {
  try {
    act()
    return []
  } catch (error) {
    if (error instanceof CommandError || error instanceof FaultError) return [error.message]
    throw error
  }
}

/** Adds to a message that the story sends it, and, if it has no date, the instant at which it comes. */
function told(command: Command, at: string): Command {
  if (command.type !== 'receive-message' && command.type !== 'send-message') return command
  const dated = command.at === undefined ? { ...command, comes: at } : command
  return dated.type === 'send-message' ? { ...dated, by: 'story' } : dated
}
