import { adviceOf, type GapId, gapIds, noExtensions, readingsOf } from '../../../contract/index.js'
import type { ElementKind } from './kind.js'

/** Another reading of a gap. */
export interface ReadingElement {
  readonly vary: 'readings'
  readonly gap: GapId
  readonly reading: string
}

/**
 * The gaps that a careful client handles under every reading. The others are left to `explore`, which tries
 * them one by one: they concern the form of a request or an event, which a client can only guess, or they
 * take minutes.
 */
const varied: ReadonlySet<GapId> = new Set<GapId>([
  'threads.total',
  'threads.order',
  'threads.snippet',
  'threads.unread-after-read',
  'threads.unread-after-reply',
  'threads.forward',
  'threads.new-subject',
  'messages.order',
  'messages.total',
  'messages.offset',
  'messages.limit-maximum',
  'messages.headers',
  'messages.empty-body',
  'format.timestamps',
  'webhooks.order',
  'events.body-bytes',
  'events.duplicates',
  'events.order',
  'events.listed',
])

export const readingKind: ElementKind<ReadingElement> = {
  elements({ initialState, base, relied = base.relied }) {
    const { readings: present, origins, timeline } = initialState
    const told = new Set(timeline.flatMap((entry) => Object.keys(entry.readings ?? {})))
    const matters = relied.flatMap(({ gap, instead }) => instead.map((reading) => ({ gap, reading })))
    // Others may become relevant under another element.
    const parts = new Set([...base.operations.keys()].map((name) => name.split('.')[0] as string))
    const others = gapIds
      .filter((gap) => parts.has(gap.split('.')[0] as string) || gap.startsWith('events.'))
      .flatMap((gap) => readingsOf(gap).map(({ name }) => ({ gap, reading: name })))
      .filter(({ gap, reading }) => reading !== present[gap])
    const all = new Map([...matters, ...others].map((one) => [`${one.gap}=${one.reading}`, one]))
    return [...all.values()]
      .filter(({ gap }) => {
        // Readings that the story itself chooses stay.
        const isFree = varied.has(gap) && !origins[gap].startsWith('scenario') && !told.has(gap)
        return isFree && (base.deliveries?.length || !gap.startsWith('events.'))
      })
      .map((one) => ({ vary: 'readings', ...one }))
  },
  describe: ({ gap, reading }) => `${gap} has the reading ${reading}`,
  advice: ({ gap }) => adviceOf(gap, noExtensions.gaps),
  changes({ gap, reading }) {
    return gap === 'messages.headers' && reading === 'omitted'
      ? ['responses', 'hidden-headers']
      : ['responses']
  },
  isMet(element, { relied }) {
    return relied.some(({ gap, reading, instead }) => {
      return gap === element.gap && reading === element.reading && instead.length > 0
    })
  },
  form: ({ gap }) => gap,
  spot: ({ reading }) => reading,
  subject: ({ gap }) => `readings ${gap}`,
  shape: ({ gap }) => `readings:${gap}`,
  overlay: (elements) => ({
    readings: Object.fromEntries(elements.map(({ gap, reading }) => [gap, reading])),
  }),
}
