import type { EventType } from '../../../contract/resources.js'
import type { Duration } from '../../../service/time/time.js'
import { namesOfEntries } from '../../../story/compile/names.js'
import type { EntryInput } from '../../../story/overlays/moves.js'
import type { RequestNumber } from '../request-number.js'
import {
  atRequest,
  type ElementKind,
  inTimeline,
  mayWrite,
  momentsOf,
  type NamedEntry,
  type PoolFacts,
} from './kind.js'

/** What happens to the program of a client: it is killed, it is down while mail arrives, or another copy runs. */
export type LifeElement = MomentElement | DownElement

/** At a moment, the program is killed and started again, or a second copy of it is started. */
interface MomentElement {
  readonly vary: 'life'
  readonly how: 'kill' | 'second'
  readonly when: Moment
}

/** A moment of a client: a request before it is performed, mail that was sent, a delivery that was accepted. */
type Moment =
  | RequestNumber
  | { readonly sent: Readonly<Record<never, never>>; readonly nth: number }
  | { readonly delivery: EventType; readonly nth: number }

/** The program is stopped right before a timeline entry, and started some time after it; both after the start of the story. */
interface DownElement extends NamedEntry {
  readonly vary: 'life'
  readonly how: 'down'
  readonly stop: string
  readonly start: string
}

/** How often each kind of moment is tried. */
const mostMoments = 4

/** Milliseconds for which a program is down: a receiver gets the first retry, and others have to find what came. */
const [shortDown, longDown] = [3_000, 120_000]

export const lifeKind: ElementKind<LifeElement> = {
  elements(facts) {
    if (!facts.canRestart) return []
    const { deliveries = [], ended } = facts.base
    const receives = deliveries.some(({ status }) => status === 'succeeded')
    const kills = momentsOfLife(facts).map((when) => ({ vary: 'life', how: 'kill', when }) as const)
    // What ends by itself runs when somebody starts it.
    if (ended) return kills
    // Two copies cannot listen at one port.
    const seconds = receives ? [] : momentsOf(facts.base).filter(({ nth }) => nth <= 2)
    return [
      ...kills,
      ...seconds.map((when) => ({ vary: 'life', how: 'second', when }) as const),
      ...downElements(facts, receives ? shortDown : longDown),
    ]
  },
  describe(element) {
    if (element.how === 'down')
      return `the agent is down from right before ${inTimeline(element)} until ${element.start}`
    const { how, when } = element
    const moment =
      'request' in when
        ? atRequest(when)
        : 'sent' in when
          ? `once message ${when.nth} is sent, before the agent learns of it`
          : `after delivery ${when.nth} of ${when.delivery} succeeded`
    return `${moment}, the agent is ${how === 'kill' ? 'killed and started again' : 'started a second time'}`
  },
  advice({ how }) {
    if (how === 'down')
      return 'After a start, look for what came meanwhile by what you have done, not by when you started.'
    return how === 'kill'
      ? 'Note what is done once it is done, in MAILBOX_STATE_DIR or in the mailbox, and look whether it was before you do it again.'
      : 'Work under a lock that ends with its process, or look in the mailbox right before you send, with an Idempotency-Key.'
  },
  changes: ({ how }) => (how === 'down' ? ['restarts', 'late'] : ['restarts']),
  isMet(element, played, base) {
    const isTold = entriesOf(element).every(({ key = '' }) => played.happened.has(key))
    return isTold && base.requests + played.requests > 0
  },
  form: ({ how }) => how,
  spot: (element) => (element.how === 'down' ? element.name : JSON.stringify(element.when)),
  subject: (element) => (element.how === 'kill' ? JSON.stringify(element) : `life ${element.how}`),
  shape: ({ how }) => `life ${how}`,
  entries: entriesOf,
}

function entriesOf(element: LifeElement): EntryInput[] {
  if (element.how === 'down') {
    const { name, stop, start } = element
    return [
      { key: `stop before ${name}`, after: stop as Duration, agent: 'stop' },
      { key: `start after ${name}`, after: start as Duration, agent: 'start' },
    ]
  }
  const { how, when } = element
  const moment = 'request' in when ? when.request : 'sent' in when ? 'sent' : when.delivery
  return [{ key: `${how} at ${moment} ${when.nth}`, when: when as EntryInput['when'], agent: how }]
}

/** Returns the moments at which a program may be killed: those at which something is done, and then those at which it reads. */
function momentsOfLife({ base, initialState }: PoolFacts): Moment[] {
  const { mails = 0, deliveries = [] } = base
  const numbers = (count: number): number[] => {
    return Array.from({ length: Math.min(mostMoments, count) }, (_, index) => index + 1)
  }
  const received = new Map<EventType, number>()
  for (const { status, event } of deliveries)
    if (status === 'succeeded') received.set(event.type, (received.get(event.type) ?? 0) + 1)
  const requests = [...base.operations].flatMap(([request, count]) => {
    return numbers(count).map((nth): RequestNumber => ({ request, nth }))
  })
  const writes = (one: RequestNumber): boolean => mayWrite(one.request, initialState)
  return [
    ...numbers(mails).map((nth) => ({ sent: {}, nth })),
    ...requests.filter(writes),
    ...[...received].flatMap(([delivery, count]) => numbers(count).map((nth) => ({ delivery, nth }))),
    ...requests.filter((one) => !writes(one)),
  ]
}

/** Returns elements in which a program is down when an entry with mail comes. */
function downElements({ document, initialState }: PoolFacts, down: number): DownElement[] {
  const timeline = document.timeline ?? []
  const places = new Map(namesOfEntries(timeline).map((name, place) => [name, place]))
  return initialState.timeline.flatMap(({ name, after }): DownElement[] => {
    const entry = places.get(name) ?? -1
    const { receive, repeat } = timeline[entry] ?? {}
    if (!receive || repeat || after < 2) return []
    const stop = Math.max(after - 1_000, Math.floor(after / 2))
    return [{ vary: 'life', how: 'down', entry, name, stop: `${stop}ms`, start: `${after + down}ms` }]
  })
}
