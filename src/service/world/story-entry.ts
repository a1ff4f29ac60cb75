import { z } from '../../base/schema.js'
import type { EventType } from '../../contract/resources.js'
import type { AssumptionChoices } from '../assumptions/assumptions.js'
import type { Fault } from '../faults/fault.js'
import { instantSchema } from '../time/time.js'
import type { Command } from './commands/commands.js'

/** A world to which addresses lead. */
export interface AddressedWorld {
  readonly id: string
  /** The base URL of addresses of the service. */
  readonly base: string
}

/** What a story does to the program of an agent, which runs outside of the world. */
export type AgentAct = 'kill' | 'stop' | 'start' | 'second' | 'one'

/** The program of an agent, as far as a world knows of it. */
export interface AgentLife {
  /** Does what an entry says. */
  perform(act: AgentAct): void
  /** How many copies of its program run, or are about to run. */
  readonly copies: number
  /**
   * What made the request that is being handled: which start of the program, counted from 1, and whether that was killed
   * meanwhile. Undefined if it is not known.
   */
  readonly client: { readonly start: number; readonly isKilled: boolean } | undefined
}

/** The compiled actions of an entry of a scenario. */
export interface CompiledEntry {
  /** The key in the scenario, or a name made from its time and its actions. */
  readonly name: string
  /** Applied in order; messages are dated at the entry's own instant. */
  readonly commands: readonly Command[]
  /** Returns its commands with what is known only in a world, such as addresses of that world in mail. */
  readonly commandsIn?: (commands: readonly Command[], world: AddressedWorld) => readonly Command[]
  /** Assumptions in force from then on. */
  readonly assumptions?: AssumptionChoices
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
  /** Does something to the program of the agent. */
  readonly agent?: AgentAct
}

/** The entries of a story. */
interface EntriesOfStory {
  readonly timeline: readonly CompiledEntry[]
  readonly triggered?: readonly CompiledEntry[]
}

/** The deliveries that each story sends again: event types with numbers. */
const sentAgain = new WeakMap<EntriesOfStory, ReadonlySet<string>>()

/** Returns whether a story may send a delivery again, which is the nth of its event type. */
export function mayBeSentAgain(
  story: EntriesOfStory,
  { event, nth }: { readonly event: { readonly type: EventType }; readonly nth?: number | undefined },
): boolean {
  const { timeline, triggered = [] } = story
  let known = sentAgain.get(story)
  if (!known) {
    const named = [...timeline, ...triggered].flatMap(({ redeliver }) => redeliver ?? [])
    known = new Set(named.map((one) => `${one.event} ${one.nth}`))
    sentAgain.set(story, known)
  }
  return known.has(`${event.type} ${nth}`)
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

export type PendingEntry = z.output<ReturnType<typeof pendingSchema>>

/** The state of a world's triggers. */
export type TriggerState = z.output<ReturnType<typeof triggerStateSchema>>

/** The entry of a log about an entry of the story that was played. */
export interface StoryEntry {
  readonly type: 'timeline'
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly played: PlayedEntry
}

/** The entry of a log about something that entries of the story wait for. */
export interface TriggerEntry {
  readonly type: 'triggers'
  readonly seq: number
  readonly at: number
  readonly counts: TriggerState['counts']
  readonly pending: readonly PendingEntry[]
}
