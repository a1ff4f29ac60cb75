import { counted } from '../../contract/counted.js'
import { gapOf } from '../../contract/extensions.js'
import { type GapId, gapIds } from '../../contract/gaps.js'
import { didYouMean } from '../../contract/nearest.js'
import type { RelianceSummary } from '../../world/index.js'
import { listed, type MatcherResult, noRequests, simulatorIn } from './matcher.js'

/**
 * Whether the requests that came to a simulator, and the deliveries that came from it, relied on no other gaps than
 * these. Where none came, they did not: nothing has been shown then.
 */
export function toHaveReliedOnlyOn(received: unknown, allowed: readonly GapId[]): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveReliedOnlyOn')
  const own = mailbox.extensions.gaps
  const known: readonly string[] = [...gapIds, ...own.keys()]
  for (const gap of allowed) {
    if (!known.includes(gap)) throw new TypeError(`There is no gap "${gap}"${didYouMean(gap, known)}`)
  }
  const reliances = mailbox.reliances()
  const silent = mailbox.journal.exchanges().length === 0 && reliances.length === 0
  const beyond = reliances.filter(({ gap }) => !allowed.includes(gap as GapId))
  const list = allowed.join(', ')
  const wanted = `Expected requests that rely on no gap${list && ` but ${list}`}`
  return {
    pass: !silent && beyond.length === 0,
    message() {
      if (silent) return `${wanted}. ${noRequests(mailbox)}`
      if (beyond.length === 0) return unwanted(list, reliances)
      const found = counted(new Set(beyond.map(({ gap }) => gap)).size, list ? 'other gap' : 'gap')
      const blocks = beyond.map((one) => `${formatReliance(one)}\n    ${gapOf(one.gap, own)?.advice}`)
      return `${wanted}; they rely on ${found}:\n${listed(blocks, 20)}`
    },
  }
}

function unwanted(list: string, reliances: readonly RelianceSummary[]): string {
  const wanted = `Expected requests that rely on ${list ? `other gaps than ${list}` : 'a gap'}`
  if (reliances.length === 0) return `${wanted}; they rely on none.`
  return `${wanted}; they rely on no other:\n${listed(reliances.map(formatReliance), 20)}`
}

/** `threads.order, read last-message-desc, in 3 requests of threads.list`. */
function formatReliance({ gap, reading, operations, events = [], count }: RelianceSummary): string {
  const names = [...operations, ...events]
  const by = names.length === 0 ? '' : ` of ${names.join(', ')}`
  return `${gap}, read ${reading}, in ${countedWhere(operations, events, count)}${by}`
}

function countedWhere(operations: readonly string[], events: readonly string[], count: number): string {
  if (events.length === 0) return counted(count, 'request')
  if (operations.length === 0) return counted(count, 'delivery', 'deliveries')
  return `${count} requests and deliveries`
}
