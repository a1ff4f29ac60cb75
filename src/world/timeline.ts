import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'
import { z } from '../contract/schema.js'
import type { MailboxStore } from '../model/index.js'
import type { Clock } from './clock.js'
import type { Command } from './commands/index.js'
import { CommandError, FaultError } from './errors.js'
import type { Fault } from './faults/fault.js'
import type { ReadingChoices } from './readings.js'
import { formatInstant, instantSchema } from './time.js'
import type { DeliveryDispatcher } from './webhooks/dispatcher.js'

/** One entry of a timeline as it is played. */
export interface StoryAction {
  /** The key the scenario gives it, or a name made of its time and what happens. */
  readonly name: string
  /** Applied in order; mail among them is dated at the entry's own instant. */
  readonly commands: readonly Command[]
  /** Readings in force from then on. */
  readonly readings?: ReadingChoices
  /** Disturbs answers from then on; `clear` has all of them undisturbed. */
  readonly fault?: Fault | 'clear'
  /** The thread that its mail joins: by its place in the mailbox, 1 for the latest, -1 for the oldest. */
  readonly place?: number
  /** Its mail is the latest that came into that thread, once more. */
  readonly again?: true
  /** Sends a delivery once more: the first of an event type, the second, …. */
  readonly redeliver?: { readonly event: EventType; readonly nth: number }
}

/** Something that happens in a story after its start. */
export interface TimelineEntry extends StoryAction {
  /** When, in milliseconds after the start. */
  readonly after: number
}

/** An entry of the timeline that was played. */
export interface PlayedEntry {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly at: string
  /** Why it could not be played as written; null if it was. */
  readonly problem: string | null
  /** Whether a request or a delivery triggered it, rather than the clock. */
  readonly triggered?: true | undefined
}

/** An entry that has happened, as documents have it. */
export const playedSchema = () =>
  z.strictObject({
    name: z.string(),
    at: instantSchema(),
    problem: z.string().nullable(),
    triggered: z.literal(true).optional(),
  })

/**
 * What others do that has something happen: a request of an operation, or a delivery that succeeded, by its number from 1;
 * with `from`, of those that come so many milliseconds after the start or later.
 */
export type Trigger = { readonly nth: number; readonly from?: number } & (
  | { readonly request: AnyOperationName }
  | { readonly delivery: EventType }
)

/** Something that happens in a story when a client does something, rather than at a time. */
export interface TriggeredEntry extends StoryAction {
  readonly when: Trigger
}

/** How far the triggers of a world are: how often each thing happened, and what that led to. */
export const triggerStateSchema = () =>
  z.strictObject({
    counts: z.record(z.string(), z.int().min(0)).describe('Requests by operation, and deliveries by event.'),
    played: z.array(playedSchema()),
  })

/** How far the triggers of a world are. */
export type TriggerState = z.output<ReturnType<typeof triggerStateSchema>>

/** The world that a timeline changes. */
export interface TimelineWorld {
  readonly clock: Clock
  apply(command: Command): unknown
  setReadings(choices: ReadingChoices, from: string): void
  addFault(fault: Fault): unknown
  clearFaults(): void
  readonly store: Pick<MailboxStore, 'threads' | 'messages' | 'rows' | 'bodyOf'>
  readonly dispatcher: Pick<DeliveryDispatcher, 'redeliverNth'>
}

/** Plays the entries of a timeline on the world's clock. Only the next one is scheduled: the others cost nothing. */
export class Timeline {
  readonly #entries: readonly TimelineEntry[]
  readonly #world: TimelineWorld
  readonly #onPlayed: (entry: PlayedEntry) => void
  #played: PlayedEntry[] = []

  /** `entries` are in the order in which they happen. */
  constructor(
    entries: readonly TimelineEntry[],
    world: TimelineWorld,
    onPlayed: (entry: PlayedEntry) => void,
  ) {
    this.#entries = entries
    this.#world = world
    this.#onPlayed = onPlayed
  }

  /** What has happened, in order. */
  get played(): readonly PlayedEntry[] {
    return this.#played
  }

  /** How many entries are still to come. */
  get left(): number {
    return this.#entries.length - this.#played.length
  }

  /** Returns the next entries that are still to come, at most so many. */
  upcoming(limit: number): { readonly name: string; readonly at: string }[] {
    const next = this.#entries.slice(this.#played.length, this.#played.length + limit)
    return next.map((entry) => ({ name: entry.name, at: formatInstant(this.#instantOf(entry)) }))
  }

  /**
   * Tells the story from its start, which is the clock's own, or goes on with it after what has been played; what
   * happens at once has happened then.
   */
  begin(played: readonly PlayedEntry[] = []): void {
    this.#played = [...played]
    this.#scheduleNext()
  }

  #scheduleNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const entry = next
      if (entry.after > 0) {
        this.#world.clock.schedule(this.#instantOf(entry), () => {
          this.#play(entry)
          this.#scheduleNext()
        })
        return
      }
      this.#play(entry)
    }
  }

  #next(): TimelineEntry | undefined {
    return this.#entries[this.#played.length]
  }

  #instantOf(entry: TimelineEntry): number {
    return this.#world.clock.beganAt + entry.after
  }

  #play(entry: TimelineEntry): void {
    const at = formatInstant(this.#instantOf(entry))
    const problem = performAction(entry, at, this.#world)
    const played = { name: entry.name, at, problem }
    this.#played.push(played)
    this.#onPlayed(played)
  }
}

/** Has the triggered entries of a story happen: right before a request is answered, or after a delivery succeeded. */
export class Triggers {
  readonly #entries: readonly TriggeredEntry[]
  readonly #world: TimelineWorld
  readonly #onPlayed: (entry: PlayedEntry) => void
  readonly #counts = new Map<string, number>()
  readonly #succeeded = new Set<string>()
  #played: PlayedEntry[] = []
  /** Called after something was counted. */
  onCounted: (() => void) | undefined

  constructor(
    entries: readonly TriggeredEntry[],
    world: TimelineWorld,
    onPlayed: (entry: PlayedEntry) => void,
  ) {
    this.#entries = entries
    this.#world = world
    this.#onPlayed = onPlayed
  }

  get none(): boolean {
    return this.#entries.length === 0
  }

  /** What has happened, in order. */
  get played(): readonly PlayedEntry[] {
    return this.#played
  }

  get state(): TriggerState {
    return { counts: Object.fromEntries(this.#counts), played: this.#played }
  }

  /** Goes on after what happened; at the beginning where nothing is given. */
  goOn({ counts, played }: TriggerState = { counts: {}, played: [] }): void {
    for (const [name, count] of Object.entries(counts)) this.#counts.set(name, count)
    this.#played = [...played]
  }

  /** Notes a request, which is about to be answered. */
  noteRequest(operation: AnyOperationName): void {
    this.#note(operation)
  }

  /** Notes that a delivery has succeeded; each counts once. */
  noteSuccess(id: string, event: EventType): void {
    if (this.#succeeded.has(id)) return
    this.#succeeded.add(id)
    this.#note(event)
  }

  #note(name: string): void {
    const { clock } = this.#world
    const since = clock.now() - clock.beganAt
    // A read that nothing waits for changes nothing.
    const waiting = this.#entries.filter(({ when }) => {
      return countedName(when) === name && since >= (when.from ?? 0) && this.#count(when) < when.nth
    })
    if (waiting.length === 0) return
    const counts = new Map(waiting.map(({ when }) => [countOf(when), this.#count(when) + 1]))
    for (const [key, count] of counts) this.#counts.set(key, count)
    this.onCounted?.()
    for (const entry of waiting) {
      if (this.#count(entry.when) !== entry.when.nth) continue
      const at = formatInstant(clock.now())
      const problem = performAction(entry, at, this.#world)
      const played = { name: entry.name, at, problem, triggered: true } as const
      this.#played.push(played)
      this.#onPlayed(played)
    }
  }

  #count(when: Trigger): number {
    return this.#counts.get(countOf(when)) ?? 0
  }
}

function countedName(when: Trigger): string {
  return 'request' in when ? when.request : when.delivery
}

/** Names the count of what happens from a moment on. */
function countOf(when: Trigger): string {
  const name = countedName(when)
  return when.from ? `${name} from ${when.from}` : name
}

/**
 * Has something of a story happen, dated at an instant; returns what of it did not. A command that the world refuses,
 * because a test or a client changed it, does not end the story.
 */
export function performAction(action: StoryAction, at: string, world: TimelineWorld): string | null {
  const { name, readings, fault, redeliver } = action
  const problems = action.commands.flatMap((command) => {
    return refusalOf(() => world.apply(dated(placed(command, action, world), at)))
  })
  if (readings) world.setReadings(readings, `timeline: ${name}`)
  if (fault === 'clear') world.clearFaults()
  else if (fault) problems.push(...refusalOf(() => world.addFault(fault)))
  if (redeliver && !world.dispatcher.redeliverNth(redeliver.event, redeliver.nth)) {
    problems.push(`There is no delivery number ${redeliver.nth} of ${redeliver.event} yet.`)
  }
  return problems.length === 0 ? null : problems.join(' ')
}

/** Puts mail into the thread at the place that its entry names. @throws CommandError where there is none */
function placed(command: Command, { place, again }: StoryAction, { store }: TimelineWorld): Command {
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

/** Returns what the latest mail says that came into a thread. @throws CommandError where there is none */
function latestMail(threadId: string, store: TimelineWorld['store']) {
  const ids = store.messages(threadId).page({ order: 'created', descending: true, limit: 100 })
  const latest = store.rows('message', ids).find(({ direction }) => direction === 'inbound')
  if (!latest) throw new CommandError('not-found', `No mail came into the thread ${threadId} so far.`)
  const { from, to, subject, message_id, in_reply_to, headers } = latest
  const { text, html } = store.bodyOf(latest)
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

/** Dates mail that does not say when it was sent. */
function dated(command: Command, at: string): Command {
  const isMail = command.type === 'receive-message' || command.type === 'send-message'
  return isMail ? { ...command, at: command.at ?? at } : command
}
