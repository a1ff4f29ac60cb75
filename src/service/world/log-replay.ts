import { explainValue } from '../../base/explain.js'
import { once } from '../../base/once.js'
import { hiddenKeys, z } from '../../base/schema.js'
import { type EventType, eventTypes } from '../../contract/resources.js'
import { chooseAssumptions } from '../assumptions/assumptions.js'
import { faultStateSchema } from '../faults/fault-rules.js'
import { SnapshotError } from '../model/errors.js'
import { modelNames } from '../model/rows.js'
import { IdSource } from '../time/random.js'
import { type ClockMode, clockModeSchema, instantSchema as instant, parseInstant } from '../time/time.js'
import { lastOf } from '../time/wall-time.js'
import {
  DeliveryRecord,
  deliveryStatuses,
  type WrittenDelivery,
  writtenDeliverySchema,
} from '../webhooks/delivery.js'
import { dispatcherState } from '../webhooks/dispatcher-state.js'
import { CommandContext } from './commands/command.js'
import { type Command, checkCommand, commands } from './commands/commands.js'
import type { InitialState } from './initial-state.js'
import { KeptAnswers } from './kept-answers.js'
import { SentCount } from './sent-count.js'
import { refusedSnapshot, writtenAssumptions } from './snapshot/document.js'
import { checkOrigin, readChoices, readSnapshot, SnapshotReader } from './snapshot/read-snapshot.js'
import { playedSchema } from './story-entry.js'
import { triggerStateSchema } from './triggers.js'
import { type RecordedWorld, worldAtStart } from './world-state.js'

/** Creates the schema of one type of entry, with its fields besides `type` and `at`. */
function entry<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  meaning: string,
  fields: Fields,
) {
  const at = instant().describe("The world's time of the change.")
  return z.strictObject({ type: z.literal(type), at, ...fields }).describe(meaning)
}

const count = () => z.int().min(0)

const ahead = () =>
  z.int().optional().describe("Milliseconds by which a real clock is ahead of the machine's time.")

const entries = () =>
  [
    entry(
      'begin',
      'The world is at its start, initially or after a reset; what comes before no longer counts.',
      {
        scenario: z.string(),
        seed: z.int(),
        fingerprint: z.string(),
        mode: clockModeSchema(),
        assumptions: writtenAssumptions(),
        ahead: ahead(),
      },
    ),
    entry('snapshot', 'The whole world; what comes before no longer counts.', {
      snapshot: z.looseObject({}),
      ahead: ahead(),
    }),
    entry('rows', 'Some rows of the snapshot that comes before, or else of the next one.', {
      rows: z.partialRecord(z.enum(modelNames), z.array(z.looseObject({}))),
    }),
    entry('command', 'A command was applied.', { command: z.looseObject({ type: z.string() }) }),
    entry('assumptions', 'Some assumptions were changed.', {
      assumptions: z.record(z.string(), z.string()),
      from: z.string(),
    }),
    entry('faults', 'A fault rule was added, removed or matched; these are all of them.', {
      faults: faultStateSchema(),
    }),
    entry('clock', 'The clock was advanced to this instant, or its mode was changed.', {
      mode: clockModeSchema(),
      began_at: instant(),
      ahead: ahead(),
    }),
    entry('timeline', 'The next entry of the timeline happened.', { played: playedSchema() }),
    entry('triggers', 'A request or delivery that entries of the story wait for was counted.', {
      triggers: triggerStateSchema(),
    }),
    entry('delivery', 'The state of a delivery that has not finished, or that the story may send again.', {
      delivery: writtenDeliverySchema(),
    }),
    entry('delivered', 'A delivery has finished.', {
      id: z.string(),
      webhook_id: z.string(),
      ordinal: count(),
      status: z.enum(deliveryStatuses),
      event: z.enum(eventTypes).optional(),
      nth: z.int().min(1).optional(),
    }),
    entry('ids', 'The numbers of ids of events and deliveries that were assigned.', {
      event: count(),
      delivery: count(),
    }),
  ] as const

/** One change of a world in its log, as plain JSON. Applied in order to the scenario's base, they give the world. */
export const logEntrySchema = once(() => z.discriminatedUnion('type', entries()))

/** One change of a world in its log. */
export type LogEntry = z.output<ReturnType<typeof logEntrySchema>>

/** A delivery with its numbers among those of its subscription and of its event type. */
type CountedDelivery = Pick<WrittenDelivery, 'webhook_id' | 'ordinal' | 'nth'> & {
  readonly event?: EventType | undefined
}

/** Rebuilds a world from the entries of its log. */
export class LogReplay {
  readonly #initialState: InitialState
  #world: { -readonly [Part in keyof RecordedWorld]: RecordedWorld[Part] }
  #ids: IdSource
  #sent = new SentCount()
  #answers = new KeptAnswers()
  /** The deliveries on which the future depends, by id. */
  #deliveries = new Map<string, WrittenDelivery>()
  /** The snapshot whose rows are being read. */
  #snapshot: { readonly reader: SnapshotReader; readonly ahead: number | undefined } | undefined
  /** Has the rows of a snapshot that comes after them. */
  #rowsBefore: SnapshotReader | undefined

  /** Starts at a state, which it does not change: by default at the initial one, where every log begins. */
  constructor(initialState: InitialState, from?: RecordedWorld) {
    this.#initialState = initialState
    this.#world = worldAtStart(initialState, 'frozen')
    this.#ids = new IdSource(initialState.seed)
    if (from) this.#begin(from)
  }

  /** The world after the entries applied so far. */
  get recorded(): RecordedWorld {
    this.#completeSnapshot()
    const written = Array.from(this.#deliveries.values(), (delivery) => {
      return { written: delivery, hasFinished: DeliveryRecord.read(delivery).hasFinished }
    })
    const deliveries = dispatcherState(this.#world.deliveries, written)
    const [ids, sent, answers] = [this.#ids.counts, this.#sent.count, this.#answers.state]
    return { ...this.#world, ids, sent, answers, deliveries }
  }

  /** Applies the next entry. @throws SnapshotError, CommandError or AssumptionError when it is not valid */
  apply(document: unknown): void {
    const [hidden] = hiddenKeys(document)
    if (hidden) throw refusedSnapshot('malformed', hidden, 'unknown key')
    const parsed = logEntrySchema().safeParse(document)
    if (!parsed.success) throw new SnapshotError('malformed', explainValue(logEntrySchema(), document))
    const entry = parsed.data
    const checked = entry.type === 'command' ? { ...entry, command: checkCommand(entry.command) } : entry
    this.applyChecked(checked, parseInstant(entry.at) as number)
  }

  /** Applies the next entry, which fits its schema, at an instant. */
  applyChecked(entry: LogEntry, now: number): void {
    if (entry.type !== 'rows') this.#completeSnapshot()
    this.#applyKind(entry, now)
    const { clock } = this.#world
    this.#world.clock = { ...clock, now: Math.max(clock.now, now) }
  }

  #applyKind(entry: LogEntry, now: number): void {
    const world = this.#world
    switch (entry.type) {
      case 'begin': {
        checkOrigin(entry, this.#initialState)
        const clock = { mode: entry.mode as ClockMode, beganAt: now, now, ahead: entry.ahead }
        const chosen = readChoices(entry, this.#initialState)
        this.#begin({ ...worldAtStart(this.#initialState, 'frozen'), clock, chosen })
        return
      }
      case 'snapshot': {
        const { snapshot, ahead } = entry
        // One with a checksum is a whole document, as earlier versions wrote it.
        if ('checksum' in snapshot) this.#begin(readSnapshot(snapshot, this.#initialState), ahead)
        else {
          checkOrigin(snapshot as never, this.#initialState)
          const reader = this.#rowsBefore ?? new SnapshotReader(this.#initialState)
          this.#rowsBefore = undefined
          reader.begin({ ...snapshot, checksum: '' })
          this.#snapshot = { reader, ahead }
        }
        return
      }
      case 'rows': {
        this.#rowsBefore ??= this.#snapshot ? undefined : new SnapshotReader(this.#initialState)
        const reader = this.#snapshot?.reader ?? this.#rowsBefore
        for (const model of modelNames) reader?.add(model, entry.rows[model] ?? [])
        return
      }
      case 'command': {
        const command = entry.command as Command
        // The events that it emits have their own entries.
        const parts = {
          initialState: this.#initialState,
          ids: this.#ids,
          answers: this.#answers,
          sent: this.#sent,
        }
        const context = new CommandContext({ ...parts, store: world.store }, now, world.chosen.assumptions)
        commands[command.type].apply(context, command as never)
        return
      }
      case 'assumptions': {
        const layer = { from: entry.from, input: entry.assumptions }
        world.chosen = chooseAssumptions([layer], world.chosen, this.#initialState.extensions?.gaps)
        return
      }
      case 'faults':
        world.faults = entry.faults
        return
      case 'clock': {
        const beganAt = parseInstant(entry.began_at) as number
        world.clock = { mode: entry.mode as ClockMode, beganAt, now, ahead: entry.ahead }
        return
      }
      case 'timeline':
        world.played = [...world.played, entry.played]
        return
      case 'triggers':
        world.triggered = entry.triggers
        return
      case 'delivery':
        this.#count({ ...entry.delivery, event: entry.delivery.event.type })
        this.#deliveries.set(entry.delivery.id, entry.delivery)
        return
      case 'delivered':
        this.#count(entry)
        this.#deliveries.delete(entry.id)
        return
      case 'ids':
        if (entry.event > 0) this.#ids.counts.event = entry.event
        if (entry.delivery > 0) this.#ids.counts.delivery = entry.delivery
    }
  }

  /** Begins with the snapshot whose rows were read last, if any. */
  #completeSnapshot(): void {
    const { reader, ahead } = this.#snapshot ?? {}
    this.#snapshot = undefined
    if (reader) this.#begin(lastOf(reader.completing()), ahead)
  }

  #begin(world: RecordedWorld, ahead = world.clock.ahead): void {
    const { deliveries } = world
    const counts = { subscriptions: { ...deliveries.subscriptions }, events: { ...deliveries.events } }
    this.#world = { ...world, clock: { ...world.clock, ahead }, deliveries: { ...deliveries, ...counts } }
    this.#ids = new IdSource(this.#initialState.seed, world.ids)
    this.#sent = new SentCount(world.sent)
    this.#answers = new KeptAnswers(world.answers)
    const { referenced, unfinished } = deliveries
    this.#deliveries = new Map([...referenced, ...unfinished].map((delivery) => [delivery.id, delivery]))
  }

  /** Counts a delivery by its numbers, so that each of its entries may do so. */
  #count({ webhook_id, ordinal, event, nth = 0 }: CountedDelivery): void {
    const { subscriptions, events } = this.#world.deliveries
    subscriptions[webhook_id] = Math.max(subscriptions[webhook_id] ?? 0, ordinal + 1)
    if (event) events[event] = Math.max(events[event] ?? 0, nth)
  }
}
