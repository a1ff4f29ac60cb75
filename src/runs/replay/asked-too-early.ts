import type { JournalEntry } from '../../service/world/exchange.js'

/**
 * Says that an agent looked for the message of an event before it was listed, and did not ask for the same again;
 * undefined if it did.
 */
export function askedTooEarly(entries: readonly JournalEntry[]): string | undefined {
  const place = entries.findLastIndex(({ recorded: { reliances } }) => {
    return reliances.some(
      ({ gap, assumption }) => gap === 'events.listed' && assumption === 'after-the-event',
    )
  })
  const early = entries[place]?.recorded
  if (!early) return undefined
  const { method, path, search } = early
  const asksAgain = entries
    .slice(place + 1)
    .some(({ recorded }) => recorded.path === path && recorded.search === search)
  return asksAgain
    ? undefined
    : `${method} ${path} came before the message of the event was listed, and was not repeated (events.listed)`
}
