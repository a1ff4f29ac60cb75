import { readInstant } from '../../mail/header-date.js'
import { BaseBuilder } from '../../service/model/base.js'
import type { HeaderField, ModelName, Rows, Unplaced } from '../../service/model/rows.js'
import { mixNumber } from '../../service/time/random.js'
import { formatMailDate } from '../../service/time/time.js'

/** The fields of rows that hold instants. */
const instants = ['created_at', 'updated_at', 'last_message_at']

/**
 * Builds the base of a story that begins some milliseconds after the scenario's own start. Stores rows with
 * their instants and Date headers shifted, but returns them unshifted. Dates in the text of messages stay
 * unchanged.
 */
export class MovedBaseBuilder extends BaseBuilder {
  readonly #by: number

  constructor(seed: number, by: number) {
    super((ordinal) => mixNumber(ordinal, seed))
    this.#by = by
  }

  override add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
    if (this.#by === 0) return super.add(model, row)
    const { ordinal } = super.add(model, moved(row, this.#by))
    return { ...row, ordinal } as Rows[M]
  }
}

function moved<Row extends object>(row: Row, by: number): Row {
  const fields: Record<string, unknown> = { ...(row as object) }
  for (const name of instants) if (name in fields) fields[name] = (fields[name] as number) + by
  const headers = fields['headers'] as readonly HeaderField[] | null | undefined
  if (headers) {
    fields['headers'] = headers.map(([name, value]): HeaderField => {
      const sent = name.toLowerCase() === 'date' ? readInstant(value) : undefined
      return [name, sent === undefined ? value : formatMailDate(sent + by)]
    })
  }
  return fields as Row
}
