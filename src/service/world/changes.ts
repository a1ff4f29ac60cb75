import type { ModelName } from '../model/rows.js'
import type { History, PastChange } from '../record/history.js'
import { formatInstant } from '../time/time.js'
import type { InitialState } from './initial-state.js'
import type { Journal } from './journal.js'
import type { LogEntry } from './log-replay.js'
import { type KeptState, replayFrom } from './past.js'
import type { PlayedEntry } from './story-entry.js'

/** A row that was added, changed or deleted: its fields that differ before and after. */
export interface RowChange {
  readonly model: ModelName
  readonly id: string
  /** Null if there was none. */
  readonly before: ShownRow | null
  /** Null if it was deleted. */
  readonly after: ShownRow | null
}

/** What requests and entries of the timeline changed, as far as it is known; those that changed nothing are left out. */
export interface KnownChanges {
  readonly exchanges: readonly { readonly seq: number; readonly rows: readonly RowChange[] }[]
  readonly entries: readonly {
    readonly name: string
    /** ISO 8601. */
    readonly at: string
    readonly rows: readonly RowChange[]
  }[]
}

/** The fields of a row as they are shown. */
type ShownRow = Readonly<Record<string, unknown>>

/** A row before and after a command; never modified. */
interface WrittenRow {
  readonly model: ModelName
  readonly id: string
  readonly before: object | undefined
  readonly after: object | undefined
}

/** A world whose changes are looked at. */
interface ChangedWorld {
  readonly initialState: InitialState
  readonly history: History<KeptState>
  readonly journal: Journal
}

/**
 * Returns what the requests and the entries of a story changed since the first moment that is still known; of an exchange, what
 * is near it.
 */
export function knownChanges(
  { initialState, history, journal }: ChangedWorld,
  exchange?: number,
): KnownChanges {
  const exchanges = new Map<number, WrittenRow[]>()
  const entries: { readonly played: PlayedEntry; readonly rows: readonly WrittenRow[] }[] = []
  const { state, changes } = history.kept(exchange)
  /** What was written by no request since the last entry, and when. */
  let [own, at]: [WrittenRow[], number] = [[], 0]
  let triggered = state.triggered.played.length
  for (const { change, rows } of replayed(initialState, state, changes)) {
    // On a clock that runs, what a trigger played is noted a moment later.
    if (at !== change.at && change.change.type !== 'triggers') [own, at] = [[], change.at]
    const seq = change.change.type === 'command' ? journal.exchangeOf(change.seq ?? 0) : 0
    if (seq > 0) exchanges.set(seq, [...(exchanges.get(seq) ?? []), ...rows])
    else own.push(...rows)
    const played = playedBy(change, triggered)
    if (change.change.type === 'triggers') triggered += played.length
    for (const one of played) {
      entries.push({ played: one, rows: own })
      own = []
    }
    // A request or a delivery that was counted: what it triggers follows.
    if (change.change.type === 'triggers') own = []
  }
  return {
    exchanges: [...exchanges]
      .map(([seq, rows]) => ({ seq, rows: shown(rows) }))
      .filter(({ seq, rows }) => rows.length > 0 && (exchange === undefined || seq === exchange)),
    entries: entries
      .map(({ played: { name, at: instant }, rows }) => ({ name, at: instant, rows: shown(rows) }))
      .filter(({ rows }) => rows.length > 0 && exchange === undefined),
  }
}

/** Returns the entries of a story of which a change says that they were played; `known` of those with triggers were before. */
function playedBy({ change }: PastChange, known: number): readonly PlayedEntry[] {
  const entry = change as LogEntry
  if (entry.type === 'timeline') return [entry.played]
  return entry.type === 'triggers' ? entry.triggers.played.slice(known) : []
}

/** Applies changes to a state, and yields each with the rows that it has written. */
function* replayed(initialState: InitialState, state: KeptState, changes: readonly PastChange[]) {
  const { replay, store } = replayFrom(initialState, state)
  let rows: WrittenRow[] = []
  store.onWritten = (model, id, before, after) => rows.push({ model, id, before, after })
  for (const change of changes) {
    if (change.change.type !== 'exchange') replay.applyChecked(change.change as LogEntry, change.at)
    yield { change, rows }
    rows = []
  }
}

/** Joins what was written to each row, and shows it. */
function shown(rows: readonly WrittenRow[]): RowChange[] {
  const joined = new Map<string, WrittenRow>()
  for (const row of rows) {
    const key = `${row.model} ${row.id}`
    joined.set(key, { ...row, before: (joined.get(key) ?? row).before })
  }
  return [...joined.values()].flatMap(showChange)
}

function showChange({ model, id, before, after }: WrittenRow): RowChange[] {
  const [past, present] = [before && showRow(before), after && showRow(after)]
  const names = Object.keys({ ...past, ...present }).filter(
    (name) => JSON.stringify(past?.[name]) !== JSON.stringify(present?.[name]),
  )
  if (names.length === 0) return []
  const only = (row: ShownRow | undefined): ShownRow | null => {
    return row ? Object.fromEntries(names.map((name) => [name, row[name] ?? null])) : null
  }
  return [{ model, id, before: only(past), after: only(present) }]
}

/** The most characters of a text that are shown. */
const mostCharacters = 1000

/** Fields that no response depends on by themselves. */
const inner = new Set(['id', 'ordinal', 'body_key', 'content'])

function showRow(row: object): ShownRow {
  const fields = Object.entries(row).filter(([name, value]) => !inner.has(name) && value !== undefined)
  return Object.fromEntries(fields.map(([name, value]) => [name, showValue(name, value)]))
}

function showValue(name: string, value: unknown): unknown {
  if (typeof value === 'number' && name.endsWith('_at')) return formatInstant(value)
  if (typeof value === 'string' && value.length > mostCharacters) return `${value.slice(0, mostCharacters)}…`
  return value
}
