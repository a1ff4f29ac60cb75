import { explainValue } from '../../base/explain.js'
import { once } from '../../base/once.js'
import { hiddenKeys, z } from '../../base/schema.js'
import { eventTypes } from '../../contract/resources.js'
import { faultSchema } from '../faults/fault.js'
import { WorldError } from '../model/errors.js'
import { type ModelName, modelNames, type Rows, rowSchemas } from '../model/rows.js'
import { Masker } from '../record/masker.js'
import { type ClockMode, clockModeSchema, formatInstant, instantSchema, parseInstant } from '../time/time.js'
import { continued, type DeliveryState, deliverySchema } from '../webhooks/delivery.js'
import type { CommandEntry, Entry } from './entries.js'
import {
  JournalEntry,
  readExchange,
  type ShowingOptions,
  type WrittenExchange,
  writeExchange,
} from './exchange.js'
import { keptAnswerSchema } from './kept-answers.js'
import { idCountsSchema } from './state.js'
import { playedSchema, triggerStateSchema } from './story-entry.js'

/** An entry of a log as a line of JSON. */
export interface WrittenEntry {
  readonly type: string
  readonly seq: number
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
}

/**
 * Returns an entry as plain JSON; `base` is the address of this server. With a masker, also what changes nothing, such as requests,
 * masked; otherwise undefined for such an entry.
 */
export function writeEntry(entry: Entry, base: string, masker?: Masker): WrittenEntry | undefined {
  const { type, seq } = entry
  const head = { type, seq, at: formatInstant(entry.at) }
  switch (entry.type) {
    case 'exchange':
      return masker && { ...head, ...{ exchange: writeExchange(entry) } }
    case 'command':
      return { ...head, ...writeCommand(entry, masker !== undefined) }
    case 'delivery':
      return { ...head, ...{ delivery: writeDelivery(entry.delivery, base, masker) } }
    case 'clock': {
      const { from, mode, beganAt, ahead } = entry
      const moved = { from: formatInstant(from), mode, began_at: formatInstant(beganAt) }
      return { ...head, ...moved, ...(ahead !== undefined && { ahead }) }
    }
    default:
      return { ...entry, ...head }
  }
}

function writeCommand(
  { rows, ids, sent, answer, message, command, exchange }: CommandEntry,
  isWhole: boolean,
) {
  const written = rows.map(({ model, id, after }) => ({ model, id, row: after ?? null }))
  const seen = isWhole && { message, command, ...(exchange !== undefined && { exchange }) }
  return { rows: written, ids, sent, ...(answer && { answer }), ...seen }
}

function writeDelivery(delivery: DeliveryState, base: string, masker: Masker | undefined): DeliveryState {
  if (!masker) return continued(delivery, base)
  const attempts = delivery.attempts.map((attempt) => {
    return { ...attempt, headers: masker.headers(Object.entries(attempt.headers)) }
  })
  return { ...delivery, attempts }
}

/** Creates the schema of one type of entry, with its fields besides its type, its number and its time. */
function entry<Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) {
  return z.strictObject({ type: z.literal(type), seq: count(), at: instant(), ...fields })
}

const count = () => z.int().min(0)

/** An instant, in milliseconds since the epoch. */
const instant = () => instantSchema().transform((text) => parseInstant(text) as number)

const writtenRow = () => {
  const [first, ...others] = modelNames.map((model) => {
    const row = rowSchemas[model]() as unknown as z.ZodType<Rows[ModelName]>
    return z.strictObject({ model: z.literal(model), id: z.string(), row: row.nullable() })
  })
  return z.discriminatedUnion('model', [first as NonNullable<typeof first>, ...others])
}

/** The types of entries in a log, as plain JSON. */
const entrySchema = once(() =>
  z.discriminatedUnion('type', [
    entry('exchange', { exchange: z.looseObject({ method: z.string(), path: z.string() }) }),
    entry('command', {
      rows: z.array(writtenRow()),
      ids: idCountsSchema(),
      sent: count(),
      answer: keptAnswerSchema().optional(),
      message: z.string().nullable().default(null),
      command: z.looseObject({ type: z.string() }).optional(),
      exchange: count().optional(),
    }),
    entry('event', {
      count: count(),
      event: z.looseObject({ type: z.enum(eventTypes) }),
    }),
    entry('delivery', { delivery: deliverySchema() }),
    entry('timeline', { played: playedSchema() }),
    entry('triggers', triggerStateSchema().pick({ counts: true, pending: true }).required().shape),
    entry('fault', { id: z.string(), fault: faultSchema().nullable() }),
    entry('hit', { id: z.string(), matched: count(), hit: count() }),
    entry('assumptions', { assumptions: z.record(z.string(), z.string()), from: z.string() }),
    entry('clock', {
      from: instant(),
      mode: clockModeSchema(),
      began_at: instant(),
      ahead: z.int().optional(),
    }),
    entry('reset', { scenario: z.string() }),
  ]),
)

/** How exchanges are shown that nobody sees. */
const unshown: ShowingOptions = { world: '', masker: new Masker(), bodyCharacters: 0 }

/** Returns the entry of a line of JSON; `showing` is how its exchange is shown. @throws WorldError `malformed` */
export function readEntry(json: unknown, showing?: ShowingOptions): Entry {
  const [hidden] = hiddenKeys(json)
  const parsed = entrySchema().safeParse(json)
  if (hidden || !parsed.success) {
    throw new WorldError(
      'malformed',
      hidden ? `${hidden.join('.')}: unknown key` : explainValue(entrySchema(), json),
    )
  }
  const { data } = parsed
  switch (data.type) {
    case 'exchange': {
      const recorded = readExchange(data.exchange as unknown as WrittenExchange)
      return Object.assign(new JournalEntry(data.at, recorded, showing ?? unshown), { seq: data.seq })
    }
    case 'command': {
      const rows = data.rows.map(({ model, id, row }) => ({
        model,
        id,
        before: undefined,
        after: row ?? undefined,
      }))
      return { ...data, rows } as unknown as CommandEntry
    }
    case 'clock': {
      const { began_at: beganAt, mode, ...others } = data
      return { ...others, mode: mode as ClockMode, beganAt }
    }
    default:
      return data as Entry
  }
}
