import { type Chunks, inChunks, joinChunks } from '../../base/chunks.js'
import { WorldError } from '../model/errors.js'
import { MailboxStore } from '../model/mailbox-store.js'
import type { WrittenRows } from '../model/overlay.js'
import { type ModelName, modelNames, type Rows } from '../model/rows.js'
import type { EventFeed } from '../record/event-feed.js'
import { History, type HistoryOrigin, type PastChange } from '../record/history.js'
import type { LoggedChange } from '../record/log.js'
import { formatInstant, parseInstant } from '../time/time.js'
import type { DeliveryState } from '../webhooks/delivery.js'
import type { InitialState } from './initial-state.js'
import type { Journal } from './journal.js'
import { type LogEntry, LogReplay } from './log-replay.js'
import type { RecordedWorld, WorldState } from './world-state.js'

/** A moment of a world: just after an exchange (its `seq`) or a delivery (its id), or an instant, ISO 8601. */
export type PastMoment = number | string

/** A whole state that a history keeps; it shares its rows with the world, which replaces and never changes them. */
export interface KeptState extends Omit<RecordedWorld, 'store'> {
  readonly written: Omit<WrittenRows, 'rows'> & {
    readonly rows: { readonly [M in ModelName]: Chunks<Rows[M]> }
  }
  /** Every delivery, with its attempts. */
  readonly shown: Chunks<DeliveryState>
}

/** A world as it was at a moment. */
export interface PastWorld {
  readonly recorded: RecordedWorld
  /** Every delivery as it was. */
  readonly deliveries: readonly DeliveryState[]
}

/** Where a moment is in what a world keeps. */
export interface FoundMoment {
  readonly position: number
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The latest exchange and the latest command by then; 0 if there was none. */
  readonly exchange: number
  readonly command: number
}

/** The world in which a moment is found. */
interface RememberedWorld {
  readonly id: string
  readonly clock: { now(): number }
  readonly journal: Pick<Journal, 'latest'>
  readonly history: History<{ readonly clock: { readonly beganAt: number } }>
}

/** What a world that is only shown has of the one that it was. */
export interface Remembered {
  readonly moment: PastMoment
  /** Those so far; none by default. */
  readonly journal?: Journal
  readonly deliveries: readonly DeliveryState[]
  readonly feed?: EventFeed
}

/** Creates the error for a change of a past world. */
export function pastWorld(id: string, moment: PastMoment): WorldError {
  return new WorldError(
    'past',
    `"${id}" as it was at ${moment} can only be read; fork({ at: ${JSON.stringify(moment)} }) creates a world that goes on from there.`,
  )
}

/** What a history keeps of a world: its present state, or of a story that is told again, the state as far as it was told. */
type KeptParts = readonly [
  present: Pick<WorldState, 'recorded' | 'dispatcher'>,
  told: Pick<LogReplay, 'recorded'> | undefined,
]

/** Returns what returns the state of a world for its history, which shares with the one before what has not changed since. */
export function keepStates(partsNow: () => KeptParts): () => KeptState {
  let former: KeptState | undefined
  return () => {
    former = keptStateOf(partsNow(), former)
    return former
  }
}

function keptStateOf([{ recorded: present, dispatcher }, told]: KeptParts, former?: KeptState): KeptState {
  const { store, ids, played, ...others } = told?.recorded ?? present
  const { rows, ...written } = store.written
  const chunks = modelNames.map((model) => [
    model,
    inChunks<object>(rows[model], former?.written.rows[model] as Chunks<object> | undefined),
  ])
  const shown = inChunks(
    dispatcher.log.list().map(({ state }) => state),
    former?.shown,
  )
  return {
    ...{ ...others, ids: { ...ids }, played: [...played], shown },
    written: { ...written, rows: Object.fromEntries(chunks) },
  }
}

/** Begins to replay a log from a kept state; its rows are read and written in the store that is returned as well. */
export function replayFrom(
  initialState: InitialState,
  { written, shown: _, ...others }: KeptState,
): { readonly replay: LogReplay; readonly store: MailboxStore } {
  const whole = modelNames.map((model) => [model, joinChunks<object>(written.rows[model])])
  const rows = Object.fromEntries(whole) as unknown as WrittenRows['rows']
  const store = MailboxStore.of(initialState.base, { ...written, rows })
  return { replay: new LogReplay(initialState, { ...others, store }), store }
}

/**
 * Rebuilds a world from a whole state and the changes since: the same commands give the same rows, on any machine.
 * `now` is the instant of the moment.
 */
export function rebuild(
  initialState: InitialState,
  { state, changes }: { readonly state: KeptState; readonly changes: readonly PastChange[] },
  now: number,
): PastWorld {
  const { replay } = replayFrom(initialState, state)
  const deliveries = new Map(joinChunks(state.shown).map((delivery) => [delivery.id, delivery]))
  for (const { at, change, delivery } of changes) {
    if (change.type !== 'exchange') replay.applyChecked(change as LogEntry, at)
    if (delivery) deliveries.set(delivery.id, delivery as DeliveryState)
  }
  const { recorded } = replay
  const { mode, beganAt } = recorded.clock
  return { recorded: { ...recorded, clock: { mode, beganAt, now } }, deliveries: [...deliveries.values()] }
}

/** Finds a moment, by default the end, in the entries of a log with the end of each exchange between them. @throws WorldError `no-moment` */
export function momentIn(entries: readonly LoggedChange[], at: PastMoment | undefined): FoundMoment {
  const [beganAt = 0, now = 0] = [entries[0], entries.at(-1)].map((entry) => parseInstant(entry?.at ?? ''))
  const history = new History(() => ({ clock: { beganAt } }))
  history.begin('start')
  let latest = 0
  for (const { at: instant, ...change } of entries.slice(1)) {
    const { seq, id = '', delivery = { id } } = change as PlainEntry
    if (change.type === 'exchange') latest = seq ?? latest
    history.add({ at: parseInstant(instant) as number, change, seq, delivery })
  }
  const position = entries.length - 1
  if (at === undefined) return { position, now, ...history.latestAt(position) }
  return findMoment({ id: 'these results', clock: { now: () => now }, journal: { latest }, history }, at)
}

/** What entries have that may name a moment. */
interface PlainEntry {
  readonly seq?: number
  readonly id?: string
  readonly delivery?: { readonly id: string }
}

/** Finds a moment in what a world keeps. @throws WorldError `no-moment` that says which can be had */
export function findMoment(world: RememberedWorld, at: PastMoment): FoundMoment {
  const [position, now] = placeOf(world, at)
  return { position, now, ...world.history.latestAt(position) }
}

function placeOf(world: RememberedWorld, at: PastMoment): [position: number, now: number] {
  const text = String(at)
  if (/^\d+$/.test(text)) return placeOfExchange(world, Number(text))
  const instant = parseInstant(text)
  if (instant !== undefined) return placeOfInstant(world, instant, text)
  const place = world.history.after(({ delivery }) => delivery?.id === text)
  if (place) return [place.position, place.at]
  throw noMoment(
    world,
    `There is no delivery "${text}" that is still known; a moment is the seq of an exchange, the id of a delivery, or an instant such as 2026-01-05T09:00:00Z`,
  )
}

function placeOfExchange(world: RememberedWorld, seq: number): [position: number, now: number] {
  const { history, journal } = world
  const place = history.after(({ change, seq: other }) => change.type === 'exchange' && other === seq, seq)
  if (place) return [place.position, place.at]
  const { latest } = journal
  if (seq > latest) throw notYet(`There is no exchange ${seq} yet; the latest is ${latest}.`)
  throw noMoment(world, `Exchange ${seq} is no longer known`)
}

function placeOfInstant(
  world: RememberedWorld,
  instant: number,
  text: string,
): [position: number, now: number] {
  const { history, clock } = world
  const now = clock.now()
  if (instant > now) throw notYet(`${text} has not come yet: it is ${formatInstant(now)}.`)
  const place = history.after(({ at }) => at <= instant)
  if (place) return [place.position, instant]
  const { beganAt } = history.until(history.first)?.state.clock ?? { beganAt: now }
  if (history.origin === 'start' && history.isWhole && instant >= beganAt) return [history.first, instant]
  throw noMoment(world, `What was at ${text} is no longer known`)
}

function notYet(problem: string): WorldError {
  return new WorldError('no-moment', problem)
}

/** Why earlier moments cannot be had, by the origin of the history. */
const reasons: Readonly<Record<HistoryOrigin, string>> = {
  start: 'its story began then',
  snapshot: 'it was restored from a snapshot before that',
  state: 'the server was started before that, and a stored state has no exchanges',
  fork: 'it was created at a moment of another world',
  cleared: 'its journal was cleared before that',
}

/** Returns the error for a moment that cannot be had, which says what can. */
function noMoment({ id, history }: RememberedWorld, problem: string): WorldError {
  const oldest = history.oldest(({ change, seq }) => change.type === 'exchange' && seq !== undefined)
  const why = history.isWhole ? reasons[history.origin] : 'a world keeps only its latest 40,000 changes'
  const what =
    oldest === undefined
      ? `"${id}" has no exchange that can be gone back to: ${why}`
      : `The earliest exchange of "${id}" that can be gone back to is ${oldest.seq}: ${why}`
  return new WorldError('no-moment', `${problem}. ${what}.`)
}
