import { adviceOf, noExtensions } from '../../../contract/extensions.js'
import { assumptionsOf, type GapId, gapIds } from '../../../contract/gaps.js'
import type { ElementKind } from './kind.js'

/** Another assumption of a gap. */
export interface AssumptionElement {
  readonly vary: 'assumptions'
  readonly gap: GapId
  readonly assumption: string
}

/**
 * The gaps that a careful client handles under every assumption. The others are left to `explore`, which tries
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

export const assumptionKind: ElementKind<AssumptionElement> = {
  elements({ initialState, base, relied = base.relied }) {
    const { assumptions: present, origins, timeline } = initialState
    const told = new Set(timeline.flatMap((entry) => Object.keys(entry.assumptions ?? {})))
    const matters = relied.flatMap(({ gap, instead }) => instead.map((assumption) => ({ gap, assumption })))
    // Others may become relevant under another element.
    const parts = new Set([...base.operations.keys()].map((name) => name.split('.')[0] as string))
    const others = gapIds
      .filter((gap) => parts.has(gap.split('.')[0] as string) || gap.startsWith('events.'))
      .flatMap((gap) => assumptionsOf(gap).map(({ name }) => ({ gap, assumption: name })))
      .filter(({ gap, assumption }) => assumption !== present[gap])
    const all = new Map([...matters, ...others].map((one) => [`${one.gap}=${one.assumption}`, one]))
    return [...all.values()]
      .filter(({ gap }) => {
        // Assumptions that the story itself chooses stay.
        const isFree = varied.has(gap) && !origins[gap].startsWith('scenario') && !told.has(gap)
        return isFree && (base.deliveries?.length || !gap.startsWith('events.'))
      })
      .map((one) => ({ vary: 'assumptions', ...one }))
  },
  describe: ({ gap, assumption }) => `${gap} has the assumption ${assumption}`,
  advice: ({ gap }) => adviceOf(gap, noExtensions.gaps),
  changes({ gap, assumption }) {
    return gap === 'messages.headers' && assumption === 'omitted'
      ? ['responses', 'hidden-headers']
      : ['responses']
  },
  isMet(element, { relied }) {
    return relied.some(({ gap, assumption, instead }) => {
      return gap === element.gap && assumption === element.assumption && instead.length > 0
    })
  },
  form: ({ gap }) => gap,
  spot: ({ assumption }) => assumption,
  subject: ({ gap }) => `assumptions ${gap}`,
  shape: ({ gap }) => `assumptions:${gap}`,
  overlay: (elements) => ({
    assumptions: Object.fromEntries(elements.map(({ gap, assumption }) => [gap, assumption])),
  }),
}
