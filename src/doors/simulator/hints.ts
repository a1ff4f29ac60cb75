import type { JournalEntry } from '../../service/world/exchange.js'
import { listed } from '../../story/expectations/judge.js'
import { describeRefusal, hintsOf, inShort, isMistake } from '../../story/expectations/refusals.js'

/** The maximum number of hints in a message. */
const maxHints = 5

/** What has a journal of requests. */
interface WithJournal {
  readonly journal: { entries(): readonly JournalEntry[] }
}

/** Returns a message whose first line goes on with what tells most, unless it introduces a list. */
export function withCause(message: string, cause: string | undefined): string {
  const [first = '', ...rest] = message.split('\n')
  if (cause === undefined || !first.endsWith('.') || first.includes(cause)) return message
  return [`${first} ${cause}${/[.?]$/.test(cause) ? '' : '.'}`, ...rest].join('\n')
}

/**
 * Returns a message about something that did not happen, whose first line names the likeliest mistake in the requests of a
 * mailbox, or else `cause`, with a paragraph of all mistakes: the hints that `serve` prints, and what else was refused, unless the
 * message says it already. What there is too much of tells more than mistakes do.
 */
export function withHints(message: string, { journal }: WithJournal, cause?: string): string {
  const entries = journal.entries()
  const hints = hintsOf(entries.map((entry) => entry.showWithoutBodies()))
  const refused = entries.filter(({ recorded }) => recorded.nearMiss === null && isMistake(recorded))
  const refusals = [...new Set(refused.slice(-maxHints).map(describeRefusal))]
  const every = [...hints, ...refusals]
  const all = every.filter((hint) => !message.includes(hint.replace(/ \(\d+ times\)$/, '')))
  const likely = every.find((hint) => refusals.includes(hint)) ?? every.find(isSpelling) ?? every[0]
  const isSurplus = cause?.startsWith('Found ') === true
  const told = withCause(message, isSurplus || likely === undefined ? cause : inShort(likely))
  const isTold = all.length === 0 || (told !== message && !isSurplus && all.length === 1 && all[0] === likely)
  return isTold ? told : `${told}\nHints about the requests:\n${listed(all, maxHints)}`
}

/** Returns whether a hint is about a misspelt name, which is more likely a mistake than one that other services have. */
function isSpelling(hint: string): boolean {
  return hint.includes('did you mean')
}
