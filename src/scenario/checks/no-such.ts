import { didYouMean } from '../../contract/nearest.js'
import { quoted } from '../problems/found-value.js'
import { shorten } from '../problems/places.js'

/** So many names are listed where none is like the one given. */
const mostListed = 8

/** `there is no thread "refnd"; did you mean "refund"?`, or, where no name is like it, the names there are. */
export function noSuch(what: string, given: string, known: readonly string[]): string {
  return `there is no ${what} ${quoted(given)}${nearestOf(given, known)}`
}

/** `; did you mean "refund"?`, or the names there are. */
export function nearestOf(given: string, known: readonly string[]): string {
  return didYouMean(given, known) || `; there is ${listOf(known)}`
}

/** Names in one line; of many, the first few. */
export function listOf(known: readonly string[]): string {
  const names = [...new Set(known)].map(shorten)
  if (names.length === 0) return 'none'
  const further = names.length - mostListed
  if (further < 2) return names.join(', ')
  return `${names.slice(0, mostListed).join(', ')} and ${further} more`
}

/** That no agent has a handle. */
export function noIdentity(handle: string, known: readonly string[]): string {
  return noSuch('identity with the handle', handle.replace(/^@/, ''), known)
}
