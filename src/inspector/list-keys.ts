/** Returns by how many items a key moves in a list; undefined if it moves by another distance or not at all. */
export function stepOf(key: string): number | undefined {
  return { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[key]
}

/**
 * Returns whether a key moves in a list, and not in what has the focus: a field, a dialog, text that scrolls, or a button.
 * A `list` is one that may have the focus itself.
 */
export function isForList(
  { key, target, ctrlKey, metaKey, altKey }: KeyboardEvent,
  list?: HTMLElement,
): boolean {
  const focused = target as HTMLElement
  if (ctrlKey || metaKey || altKey) return false
  if (focused === list) return true
  if (focused.closest('input, textarea, select, dialog')) return false
  if (key === 'Enter') return focused === document.body || focused.id === 'main'
  if (key === 'j' || key === 'k') return true
  return key.startsWith('Arrow') && !focused.closest('pre, [role="tabpanel"]')
}

/** Links to gaps, requests and messages, the entries of the timeline, and what came closest to an expectation. */
const itemSelector = 'main :is(.item, .expectations a)'

/**
 * Moves the focus among the items of a screen without a list box. Enter then opens what has the focus: of an entry of the
 * timeline, what it changed.
 */
export function moveAmongItems(event: KeyboardEvent): void {
  const target = event.target as HTMLElement
  if (event.key === 'Enter' && target.matches('tr.item')) {
    target.querySelector<HTMLElement>('summary, button')?.click()
    event.preventDefault()
    return
  }
  const by = stepOf(event.key)
  if (by === undefined || !isForList(event)) return
  const items = [...document.querySelectorAll<HTMLElement>(itemSelector)]
  const at = items.findIndex((item) => item.contains(document.activeElement))
  items[Math.max(0, Math.min(items.length - 1, at + by))]?.focus()
  event.preventDefault()
}
