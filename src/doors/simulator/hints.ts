import type { JournalEntry } from '../../service/world/index.js'
import { describeRefusal, hintsOf, inShort, isMistake, listed } from '../../story/expectations/index.js'

/** The maximum number of hints in a message. */
const maxHints = 5

/** What has a journal of requests. */
interface WithJournal {
  readonly journal: { entries(): readonly JournalEntry[] }
}

/**
 * Returns a message about something that did not happen, whose first line names the likeliest mistake in the requests of a
 * mailbox, with a paragraph of all of them: the hints that `serve` prints, and what else was refused, unless the message
 * says it already.
 */
export function withHints(message: string, { journal }: WithJournal): string {
  const entries = journal.entries()
  const hints = hintsOf(entries.map((entry) => entry.showWithoutBodies()))
  const refused = entries.filter(({ recorded }) => recorded.nearMiss === null && isMistake(recorded))
  const refusals = [...new Set(refused.slice(-maxHints).map(describeRefusal))]
  const all = [...hints, ...refusals].filter((hint) => !message.includes(hint.replace(/ \(\d+ times\)$/, '')))
  const likely = all.find((hint) => refusals.includes(hint)) ?? all.find(isSpelling) ?? all[0]
  if (likely === undefined) return message
  const [first = '', ...rest] = message.split('\n')
  // A line that introduces a list goes on with it.
  const isWhole = first.endsWith('.')
  const told = isWhole ? [`${first} ${inShort(likely)}.`, ...rest].join('\n') : message
  return isWhole && all.length === 1 ? told : `${told}\nHints about the requests:\n${listed(all, maxHints)}`
}

/** Returns whether a hint is about a misspelt name, which is more likely a mistake than one that other services have. */
function isSpelling(hint: string): boolean {
  return hint.includes('did you mean')
}
