import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** The number of rows that are rendered above and below the visible ones. */
const margin = 10

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** The height of every row, in pixels. */
  readonly rowHeight: number
  /** The position of the open row, or -1. */
  readonly selected: number
  readonly row: (index: number) => ComponentChildren
  readonly onOpen: (index: number) => void
  /** Called with the range of rows that are about to be rendered. */
  readonly onRange?: (first: number, end: number) => void
}

/** Renders a list of any length; only the visible rows are in the document. Arrow keys move, Enter opens. */
export function VirtualList({ label, count, rowHeight, selected, row, onOpen, onRange }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null)
  const view = useSignal({ top: 0, height: 600 })
  const active = useSignal(Math.max(0, selected))
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => {
      view.value = { top: element.scrollTop, height: element.clientHeight }
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (selected >= 0) active.value = selected
  }, [selected])

  const { top, height } = view.value
  const first = Math.max(0, Math.floor(top / rowHeight) - margin)
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + margin)
  useEffect(() => onRange?.(first, end), [first, end])

  const move = (to: number): void => {
    active.value = Math.max(0, Math.min(count - 1, to))
    const element = box.current
    if (!element) return
    const [start, stop] = [active.value * rowHeight, (active.value + 1) * rowHeight]
    if (start < element.scrollTop) element.scrollTop = start
    else if (stop > element.scrollTop + element.clientHeight) element.scrollTop = stop - element.clientHeight
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const target: Record<string, number> = {
      ArrowDown: active.value + 1,
      ArrowUp: active.value - 1,
      j: active.value + 1,
      k: active.value - 1,
      PageDown: active.value + page,
      PageUp: active.value - page,
      Home: 0,
      End: count - 1,
    }
    if (event.key === 'Enter' || event.key === ' ') onOpen(active.value)
    else if (target[event.key] !== undefined) move(target[event.key] as number)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const rows = []
  for (let index = first; index < end; index++) {
    rows.push(
      // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list box has the focus and the keys.
      <div
        key={index}
        id={`${label}-${index}`}
        role="option"
        aria-selected={index === selected}
        aria-setsize={count}
        aria-posinset={index + 1}
        class={`row${index === active.value ? ' active' : ''}`}
        style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
        onClick={() => {
          active.value = index
          onOpen(index)
        }}
      >
        {row(index)}
      </div>,
    )
  }
  return (
    <div
      ref={box}
      class="list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={count > 0 ? `${label}-${active.value}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        view.value = { top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight }
      }}
    >
      <div class="rows" style={{ height: `${count * rowHeight}px` }} role="presentation">
        {rows}
      </div>
    </div>
  )
}
