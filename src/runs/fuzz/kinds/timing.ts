import { actionOf } from '../../../story/actions/actions.js'
import { namesOfEntries } from '../../../story/compile/names.js'
import type { EntryInput, Moves } from '../../../story/overlays/moves.js'
import type { RequestNumber } from '../request-number.js'
import {
  atRequest,
  type ElementKind,
  inTimeline,
  momentsOf,
  type NamedEntry,
  type PoolFacts,
} from './kind.js'

/** A timeline entry that happens at another time. */
export type TimingElement =
  /** At a request, counted from its time. */
  | ({ readonly vary: 'timing'; readonly when: RequestNumber; readonly how?: undefined } & NamedEntry)
  /** At the time of another entry, which moves to its time (`swapped`) or stays (`together`). */
  | ({
      readonly vary: 'timing'
      readonly how: 'swapped' | 'together'
      readonly other: NamedEntry
    } & NamedEntry)

export const timingKind: ElementKind<TimingElement> = {
  elements({ document, initialState, base }) {
    const isTimed = initialState.expectations.some((one) => {
      return 'window' in one && (one.window.after !== null || one.window.before !== null)
    })
    if (isTimed) return []
    const timeline = document.timeline ?? []
    const names = namesOfEntries(timeline)
    const needed = timeline.map((entry) => neededBy(entry, timeline))
    const free = timeline.flatMap((entry, place) => {
      const isPlain = entry.key === undefined && entry.repeat === undefined && entry.when === undefined
      const isNeeded = needed.some((places) => places.includes(place))
      if (!isPlain || isNeeded || !actionOf(entry)?.action.isMovable) return []
      return [{ entry: place, name: names[place] as string }]
    })
    const afters = new Map(initialState.timeline.map(({ name, after }) => [name, after]))
    const moved = free.flatMap((one) => {
      const times = laterMoments(afters.get(one.name) ?? 0, base)
      return times.map((when) => ({ vary: 'timing', ...one, when }) as const)
    })
    const paired = free.slice(0, -1).flatMap((one, index) => {
      const other = free[index + 1] as NamedEntry
      const isTooEarly = needed[other.entry]?.some((place) => place > one.entry)
      return (['swapped', 'together'] as const).flatMap((how) => {
        return how === 'swapped' && isTooEarly ? [] : [{ vary: 'timing', ...one, how, other } as const]
      })
    })
    return [...moved, ...paired]
  },
  describe(element) {
    const name = inTimeline(element)
    if (element.how === undefined) return `${name} happens ${atRequest(element.when)}, counted from its time`
    const other = `"${element.other.name}"`
    return element.how === 'swapped'
      ? `${name} and ${other} swap places`
      : `${name} happens at the instant of ${other}`
  },
  advice: () => 'Expect every change of the mailbox at any moment, even between two requests.',
  changes: () => ['mail', 'together'],
  isMet({ name }, played, base) {
    return played.happened.has(name) && base.requests + played.requests > 0
  },
  subject: ({ entry }) => `timing ${entry}`,
  overlay: (elements) => ({ moved: movesOf(elements) }),
}

/** Returns the places of the entries whose mail begins the thread, or is the message, of which another entry speaks. */
function neededBy(entry: EntryInput, timeline: readonly EntryInput[]): readonly number[] {
  const spoken = Object.values(entry).flatMap((value) => {
    const { thread, message }: Spoken = Object(value)
    return [thread, message]
  })
  return timeline.flatMap(({ receive }, place) => {
    const { thread, subject, key } = receive ?? {}
    const brought = [subject === undefined ? undefined : thread, key]
    return timeline[place] !== entry && brought.some((name) => name !== undefined && spoken.includes(name))
      ? [place]
      : []
  })
}

/** What an action may say of a thread and of a message. */
interface Spoken {
  readonly thread?: unknown
  readonly message?: unknown
}

/** Returns how elements move entries; the first element about an entry wins. */
function movesOf(elements: readonly TimingElement[]): Moves {
  const all = elements.flatMap((element): (readonly [string, Moves[string]])[] => {
    const { name } = element
    if (element.how === undefined) return [[name, { when: element.when }]]
    const { how, other } = element
    const moved = [name, { like: other.name }] as const
    return how === 'together' ? [moved] : [moved, [other.name, { like: name }]]
  })
  return Object.fromEntries(all.toReversed())
}

/**
 * Returns the requests at which an entry may happen: none before its time, when a client may not expect
 * anything new, and none of the last, after which it may have ended. If nothing is known about the requests,
 * returns all.
 */
function laterMoments(after: number, base: PoolFacts['base']): readonly RequestNumber[] {
  if (base.asked.length === 0) return momentsOf(base)
  const later = base.asked.filter((one) => one.after >= after)
  const counts = new Map<string, number>()
  return later.slice(0, Math.ceil(later.length / 2)).flatMap(({ request }) => {
    const nth = (counts.get(request) ?? 0) + 1
    counts.set(request, nth)
    return nth <= 4 ? [{ request, nth }] : []
  })
}
