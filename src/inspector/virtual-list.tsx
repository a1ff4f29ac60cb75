import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isForList, stepOf } from './list-keys.js'
import { isWide, keepScroll, keptScroll } from './router.js'

/** The number of rows that are rendered above and below the visible ones. */
const margin = 10

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** The height of every row, in pixels. */
  readonly rowHeight: number
  /** What is open, in the list or not; undefined for nothing. */
  readonly open: string | undefined
  /** The position of the open row, or -1. */
  readonly selected: number
  readonly row: (index: number) => ComponentChildren
  /** Opens a row. With `first`, it is opened because nothing else is, and has no entry in the browser's history. */
  readonly onOpen: (index: number, first?: boolean) => void
  /** Called with the range of rows that are about to be rendered. */
  readonly onRange?: (first: number, end: number) => void
}

/**
 * Renders a list of any length; only the visible rows are in the document. Arrow keys and `j` and `k` move wherever the
 * focus is, Enter opens. On a wide screen, the first row is opened when nothing else is.
 */
export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, open, selected, row, onOpen, onRange } = props
  const box = useRef<HTMLDivElement>(null)
  const view = useSignal({ top: 0, height: 600 })
  const active = useSignal(Math.max(0, selected))
  const last = useRef({ open, selected })
  const show = (index: number, to: 'nearest' | 'middle'): void => {
    const element = box.current
    if (!element) return
    const { scrollTop, clientHeight } = element
    const [start, stop] = [index * rowHeight, (index + 1) * rowHeight]
    if (start >= scrollTop && stop <= scrollTop + clientHeight) return
    if (to === 'middle') element.scrollTop = start - (clientHeight - rowHeight) / 2
    else element.scrollTop = start < scrollTop ? start : stop - clientHeight
  }
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => {
      view.value = { top: element.scrollTop, height: element.clientHeight }
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const kept = keptScroll(label)
    if (kept !== undefined) element.scrollTop = kept
    else if (selected >= 0) show(selected, 'middle')
    measure()
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const before = last.current
    last.current = { open, selected }
    if (selected < 0) return
    if (before.open !== open || before.selected < 0) {
      active.value = selected
      show(selected, 'nearest')
    } else {
      // New rows above move the open row and the active one.
      active.value += selected - before.selected
    }
  }, [open, selected])
  const { top, height } = view.value
  useEffect(() => {
    if (open === undefined && isWide.value && count > 0) onOpen(0, true)
  }, [open, isWide.value, count > 0])
  useEffect(() => {
    const timer = setTimeout(() => keepScroll(label, top), 100)
    return () => clearTimeout(timer)
  }, [open, top])

  const first = Math.max(0, Math.floor(top / rowHeight) - margin)
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + margin)
  useEffect(() => onRange?.(first, end), [first, end])

  const onKeyDown = (event: KeyboardEvent): void => {
    const element = box.current
    if (!element || element.offsetParent === null || !isForList(event, element)) return
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const step = stepOf(event.key)
    const target = {
      ...(step !== undefined && { [event.key]: active.value + step }),
      PageDown: active.value + page,
      PageUp: active.value - page,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (event.key === 'Enter' || event.key === ' ') onOpen(active.value)
    else if (target === undefined) return
    else active.value = Math.max(0, Math.min(count - 1, target))
    element.focus({ preventScroll: true })
    show(active.value, 'nearest')
    event.preventDefault()
  }
  const handler = useRef(onKeyDown)
  handler.current = onKeyDown
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => handler.current(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

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
