import { sameAddress } from '../../../mail/address.js'
import { bareAddress, reminder } from './mail.js'
import { hasNews, type Sending } from './sendings.js'
import type { Served } from './served.js'

/**
 * Returns an earlier message that one repeats: to the same recipient within a day, in the same words and about the same, with
 * nothing new served to the agent in between. `sent` are the messages so far that have not bounced, `start` the story's.
 */
export function equalBefore(
  next: Sending,
  sent: readonly Sending[],
  served: Served,
  start: number,
): Sending | undefined {
  const equal = sent.filter(({ recipients, words, about, message }) => {
    const isRecent = next.message.created_at - message.created_at < reminder
    const isSame = isRecent && words === next.words && about === next.about
    return isSame && recipients.some((one) => next.recipients.includes(one))
  })
  const last = equal.at(-1)
  if (!last) return undefined
  const isNamed = next.about !== null && next.about !== next.message.thread_id
  // What names no message may tell of any that is new.
  const isNew = isNamed ? hasNews(last, next, served) : served.between(last.seq, next.seq).length > 0
  if (isNew) return undefined
  return isNamed || equal.length >= numberOfCauses(next, equal, sent, served, start) ? last : undefined
}

/**
 * Returns how many equal messages that name no other one may be right: one for each message that the agent was served since it
 * wrote anything else, of their thread, from their recipient, or else of anybody, of whom it may tell a colleague; after a lost
 * response only of those that came in the story.
 */
function numberOfCauses(
  next: Sending,
  equal: readonly Sending[],
  sent: readonly Sending[],
  served: Served,
  start: number,
): number {
  const [first] = equal as readonly [Sending, ...Sending[]]
  const other = sent.findLast((one) => one.seq < first.seq)
  const isLost = equal.some((one) => one.isLost)
  const rows = served
    .between(other?.seq ?? 0, next.seq)
    .filter(({ created_at }) => !isLost || created_at >= start)
  const own = rows.filter(({ thread_id, from }) => {
    if (next.about !== null) return thread_id === next.about
    return next.recipients.some((one) => sameAddress(one, bareAddress(from)))
  })
  return own.length > 0 ? own.length : rows.length
}
