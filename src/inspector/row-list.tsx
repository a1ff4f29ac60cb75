import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { grouped } from '../base/text.js'

/** The number of rows that a list shows at first, and that *More* adds. */
export const listStep = 500

/** A row of a list, which is a link. */
interface ListRow {
  readonly key: string
  readonly address: string
  /** Whether what it leads to is open. */
  readonly open: boolean
  readonly content: ComponentChildren
}

/** Renders the newest rows of a list as links, with a button for more. */
export function RowList<Item>({
  label,
  of,
  items,
  total = items.length,
  shown,
  row,
}: {
  readonly label: string
  /** What is counted, e.g. `threads`. */
  readonly of: string
  readonly items: readonly Item[]
  /** The number of items, if not all were read. */
  readonly total?: number
  /** How many are shown. */
  readonly shown: Signal<number>
  readonly row: (item: Item) => ListRow
}) {
  const visible = items.slice(0, shown.value)
  return (
    <>
      <p class="count" role="status">
        {visible.length < total && `${grouped(visible.length)} of `}
        {grouped(total)} {of}
      </p>
      <ul class="list" aria-label={label}>
        {visible.map(row).map(({ key, address, open, content }) => (
          <li key={key}>
            <a class="row" href={address} aria-current={open ? 'true' : undefined}>
              {content}
            </a>
          </li>
        ))}
        {visible.length < total && (
          <li>
            <button
              type="button"
              onClick={() => {
                shown.value += listStep
              }}
            >
              More
            </button>
          </li>
        )}
      </ul>
    </>
  )
}
