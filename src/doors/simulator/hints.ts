import type { JournalEntry } from '../../service/world/exchange.js'
import { listed } from '../../story/expectations/judge.js'
import { describeRefusal, hintsOf, inShort, isMistake } from '../../story/expectations/refusals.js'

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
  const every = [...hints, ...refusals]
  const all = every.filter((hint) => !message.includes(hint.replace(/ \(\d+ times\)$/, '')))
  const [first = '', ...rest] = message.split('\n')
  const likely = every.find((hint) => refusals.includes(hint)) ?? every.find(isSpelling) ?? every[0]
  const cause = surplusIn(first, rest) ?? (likely === undefined ? nearestIn(rest) : inShort(likely))
  // A line that introduces a list goes on with it.
  const isWhole = first.endsWith('.') && cause !== undefined && !first.includes(cause)
  const told = isWhole ? [`${first} ${cause}${/[.?]$/.test(cause) ? '' : '.'}`, ...rest].join('\n') : message
  const isTold = all.length === 0 || (isWhole && all.length === 1 && all[0] === likely)
  return isTold ? told : `${told}\nHints about the requests:\n${listed(all, maxHints)}`
}

/** Returns a message about things of which there should be none, or fewer, whose first line names the last. */
export function withSurplus(message: string): string {
  const [first = '', ...rest] = message.split('\n')
  const surplus = first.endsWith('.') ? surplusIn(first, rest) : undefined
  return surplus === undefined ? message : [`${first} ${surplus}.`, ...rest].join('\n')
}

/** Returns the last of too many things, from the lines of a message that show those that match; undefined if they are not too many. */
function surplusIn(first: string, lines: readonly string[]): string | undefined {
  const [, most, none] = /^Expected (?:(?:exactly|at most) (\d+)|(no)) /.exec(first) ?? []
  const matching = lines.filter((line) => line.startsWith('  ✓ ')).map((line) => line.slice(4))
  const allowed = none === undefined ? Number(most) : 0
  const last = matching.at(-1)
  if (last === undefined || !(matching.length > allowed)) return undefined
  // A long list is cut.
  const isCut = lines.some((line) => /^ +and \d+ more/.test(line))
  return matching.length === 1 || isCut ? `Found ${last}` : `Found ${matching.length}, the last ${last}`
}

/** Returns what came closest and its first difference, from the lines of a message that show it. */
function nearestIn(lines: readonly string[]): string | undefined {
  const place = lines.findIndex((line) => line.startsWith('  ✗ '))
  const [nearest, difference] = lines.slice(place, place + 2).map((line) => line.trim())
  if (place < 0 || nearest === undefined) return undefined
  const isDifferent = difference !== undefined && lines[place + 1]?.startsWith('      ')
  return `The nearest is ${nearest.slice(2)}${isDifferent ? `: ${difference}` : ''}`
}

/** Returns whether a hint is about a misspelt name, which is more likely a mistake than one that other services have. */
function isSpelling(hint: string): boolean {
  return hint.includes('did you mean')
}
