import type { JournalEntry } from '../../service/world/index.js'
import { describeRefusal, hintsOf, isMistake, listed } from '../../story/expectations/index.js'

/** The maximum number of hints in a message. */
const maxHints = 5

/** What has a journal of requests. */
interface WithJournal {
  readonly journal: { entries(): readonly JournalEntry[] }
}

/**
 * Returns a message about something that did not happen, with a paragraph of likely mistakes in the requests of a mailbox: the
 * hints that `serve` prints, and what else was refused, unless the message says it already.
 */
export function withHints(message: string, { journal }: WithJournal): string {
  const entries = journal.entries()
  const hints = hintsOf(entries.map((entry) => entry.showWithoutBodies()))
  const refused = entries.filter(({ recorded }) => recorded.nearMiss === null && isMistake(recorded))
  const all = [...hints, ...new Set(refused.slice(-maxHints).map(describeRefusal))]
  const others = all.filter((hint) => !message.includes(hint.replace(/ \(\d+ times\)$/, '')))
  return others.length === 0 ? message : `${message}\nHints about the requests:\n${listed(others, maxHints)}`
}
