import type { EventType } from '../contract/resources.js'
import type { MailboxStore } from '../model/index.js'
import type { Clock } from './clock.js'
import type { Command } from './commands/index.js'
import { CommandError, FaultError } from './errors.js'
import type { Fault } from './faults/fault.js'
import type { ReadingChoices } from './readings.js'
import { formatInstant } from './time.js'
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

/** An entry that has happened. */
export interface PlayedEntry {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly at: string
  /** Why it did not happen as it was written; null where it did. */
  readonly problem: string | null
  /** Whether a request or a delivery had it happen, rather than the clock. */
  readonly triggered?: true | undefined
}

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
