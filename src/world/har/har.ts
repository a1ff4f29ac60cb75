import { version } from '../../contract/version.js'
import type { JournalEntry } from '../journal.js'
import { harEntry } from './entry.js'
import type { Har, HarLog } from './format.js'

/** All of an archive but its entries. */
export function harLog(): Omit<HarLog, 'entries'> {
  return { version: '1.2', creator: { name: 'agent-mailbox-sim', version }, pages: [] }
}

/** An archive of exchanges. */
export function createHar(entries: readonly JournalEntry[]): Har {
  return { log: { ...harLog(), entries: entries.map(harEntry) } }
}
