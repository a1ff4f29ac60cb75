import type { Readings } from '../../contract/gaps.js'
import type { MailboxStore, WebhookRow } from '../../model/index.js'
import type { Relied } from '../reliance-summary.js'
import { createSettle, type Reliance } from '../settle.js'
import type { MailEvent } from './mail-event.js'
import { isTold, subscriptionsTo } from './subscribers.js'

/** Who is told of an event. */
export interface Addressees {
  /** The subscriptions that are, each with what that relies on. */
  readonly told: readonly { readonly webhook: WebhookRow; readonly reliances: readonly Reliance[] }[]
  /** What it relies on that others are not. */
  readonly untold: readonly Relied[]
}

/** Who is told of an event, of those that subscribe to its type. */
export function addresseesOf(event: MailEvent, store: MailboxStore, readings: Readings): Addressees {
  const all = subscriptionsTo(event, store).map((webhook) => {
    const reliances: Reliance[] = []
    const settle = createSettle(readings, (reliance) => reliances.push(reliance))
    return { webhook, reliances, told: isTold(webhook, event, settle) }
  })
  const relied = all.filter(({ told, reliances }) => !told && reliances.length > 0)
  return {
    told: all.filter(({ told }) => told),
    untold: relied.map(({ reliances }) => ({ operation: null, event: event.type, reliances })),
  }
}
