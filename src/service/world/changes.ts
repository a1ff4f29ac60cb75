import type { WrittenRow } from '../model/mailbox-store.js'
import type { ModelName } from '../model/rows.js'
import { formatInstant } from '../time/time.js'
import type { Log } from './log.js'
import type { PlayedEntry } from './story-entry.js'

/** A row that was added, changed or deleted: its fields that differ before and after. */
interface RowChange {
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

/** Returns what the requests, or one of them, and the entries of a story changed, as far as the log of their world goes back. */
export function knownChanges(log: Log, exchange?: number): KnownChanges {
  const exchanges = new Map<number, WrittenRow[]>()
  const entries: { readonly played: PlayedEntry; readonly rows: readonly WrittenRow[] }[] = []
  /** What was written by no request since the last entry, and when. */
  let [own, at]: [WrittenRow[], number] = [[], 0]
  for (const entry of log.entries) {
    if (at !== entry.at || entry.type === 'triggers') [own, at] = [[], entry.at]
    if (entry.type === 'command') {
      const { exchange: seq, rows } = entry
      if (seq === undefined) own.push(...rows)
      else exchanges.set(seq, [...(exchanges.get(seq) ?? []), ...rows])
    }
    if (entry.type === 'timeline') {
      entries.push({ played: entry.played, rows: own })
      own = []
    }
  }
  return {
    exchanges: [...exchanges]
      .filter(([seq]) => exchange === undefined || seq === exchange)
      .map(([seq, rows]) => ({ seq, rows: shown(rows) }))
      .filter(({ rows }) => rows.length > 0),
    entries: (exchange === undefined ? entries : [])
      .map(({ played: { name, at: instant }, rows }) => ({ name, at: instant, rows: shown(rows) }))
      .filter(({ rows }) => rows.length > 0),
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
