import type { EventType } from '../../../contract/resources.js'
import { parseDuration, parseInstant } from '../../../service/time/time.js'
import type { Trigger } from '../../../service/world/triggers.js'
import { namesOfEntries } from '../../../story/compile/names.js'
import type { EntryInput } from '../../../story/overlays/moves.js'
import {
  atRequest,
  type ElementKind,
  inTimeline,
  momentsOf,
  type NamedEntry,
  onlyReads,
  type PoolFacts,
} from './kind.js'

/** A delivery that is repeated, or deliveries of a timeline entry that are late. */
export type DeliveryElement = RepeatedElement | LateElement

interface RepeatedElement {
  readonly vary: 'deliveries'
  readonly when: Exclude<Trigger, { readonly sent: unknown }>
  readonly event: EventType
  readonly nth: number
  readonly how?: undefined
}

/** Deliveries of earlier entries may be late as well. */
interface LateElement extends NamedEntry {
  readonly vary: 'deliveries'
  readonly how: 'late'
  readonly delay: string
}

/** The longest gap between entries, in milliseconds, in which the order of deliveries matters. */
const longestDelay = 60_000

export const deliveryKind: ElementKind<DeliveryElement> = {
  elements(facts) {
    const { base, document } = facts
    if (!base.deliveries) {
      if (!document.webhooks?.length) return []
      const event = 'message.received' as const
      const repeated = [1, 2].map((nth) => {
        return { vary: 'deliveries', when: { delivery: event, nth }, event, nth: 1 } as const
      })
      return [...repeated, ...lateElements(facts)]
    }
    const received = base.deliveries.filter(({ status }) => status === 'succeeded')
    if (received.length === 0) return []
    const reads = momentsOf(base).filter(({ request, nth }) => onlyReads(request) && nth <= 3)
    const counts = new Map<string, number>()
    const repeated = received.flatMap(({ event: { type } }): RepeatedElement[] => {
      const nth = (counts.get(type) ?? 0) + 1
      counts.set(type, nth)
      if (nth > 3) return []
      const triggers = [{ delivery: type, nth }, { delivery: type, nth: nth + 1 }, ...reads]
      return triggers
        .filter((when) => !('delivery' in when) || when.nth <= received.length)
        .map((when) => ({ vary: 'deliveries', when, event: type, nth }))
    })
    return [...repeated, ...lateElements(facts)]
  },
  describe(element) {
    if (element.how === 'late') return `the deliveries of ${inTimeline(element)} are ${element.delay} late`
    const { when, event, nth } = element
    const moment =
      'request' in when ? atRequest(when) : `after delivery ${when.nth} of ${when.delivery} succeeded`
    return `${moment}, delivery ${nth} of ${event} is sent again`
  },
  advice({ how }) {
    return how === 'late'
      ? 'Expect events in any order, and read the messages of the thread at each event.'
      : 'Keep the ids of the events that you have handled, and respond with 200 when one arrives again.'
  },
  changes: ({ how }) => (how === 'late' ? ['events', 'late'] : ['events']),
  isMet(element, played) {
    if (element.how === undefined) return played.happened.has(nameOf(element))
    const least = parseDuration(element.delay) as number
    return played.deliveries.some(({ event, attempts: [first] }) => {
      return first && (parseInstant(first.at) as number) - (parseInstant(event.at) as number) >= least
    })
  },
  form: ({ how = 'deliveries' }) => how,
  subject: (element) => (element.how === 'late' ? `late ${element.entry}` : JSON.stringify(element)),
  entries(element) {
    if (element.how === 'late') return []
    const { when, event, nth } = element
    return [{ key: nameOf(element), when, redeliver: { event, nth } } as EntryInput]
  },
  overlay: (elements) => ({
    moved: Object.fromEntries(
      elements.filter(isLate).map(({ name, delay }) => [name, { event_delay: delay }]),
    ),
  }),
}

function nameOf({ when, event, nth }: RepeatedElement): string {
  return `${event} ${nth} again at ${'request' in when ? when.request : when.delivery} ${when.nth}`
}

function isLate(element: DeliveryElement): element is LateElement {
  return element.how === 'late'
}

/** Returns elements that deliver the events of an entry after those of the next entry. */
function lateElements({ document, initialState }: PoolFacts): LateElement[] {
  const timeline = document.timeline ?? []
  const places = new Map(namesOfEntries(timeline).map((name, place) => [name, place]))
  const told = initialState.timeline.flatMap((one) => {
    const entry = places.get(one.name) ?? -1
    const { receive, deliver, bounce, repeat, event_delay } = timeline[entry] ?? {}
    const isPlain = repeat === undefined && event_delay === undefined
    return isPlain && (receive ?? deliver ?? bounce) ? [{ entry, name: one.name, after: one.after }] : []
  })
  return told.flatMap(({ after, ...named }, index) => {
    const gap = (told[index + 1]?.after ?? after) - after
    if (gap > longestDelay) return []
    return [{ vary: 'deliveries', how: 'late', ...named, delay: `${(gap + 5_000) / 1000}s` } as const]
  })
}
