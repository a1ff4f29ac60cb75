import { formatDuration } from '../../../base/text.js'
import { type EventType, eventTypes } from '../../../contract/resources.js'
import { addEntries, moveEntries, resolveAssumptions, setAssumptions } from '../../../story/edits.js'
import type { Disturbance, DisturbedStory, Kind, PlannedDisturbance } from '../disturbance.js'
import { honouringKeys } from './keys-honoured.js'
import { isAboutTheEnd, numberIn, timedMail } from './used.js'

/** The id of the one under which a message is listed only after its event. */
const beforeListed = 'deliveries/before-listed'

/** How late an event is that nothing follows soon, as late as one whose first attempts were lost, in milliseconds. */
const late = 120_000

/** The longest time between two entries after which the order of their events still matters, in milliseconds. */
const soon = 60_000

export const deliveryKind: Kind = {
  name: 'deliveries',
  planned(undisturbed) {
    const { play, relied } = undisturbed
    const taken = play.simulator.deliveries.list().filter(({ status }) => status === 'succeeded')
    if (taken.length === 0) return []
    const counts = new Map<EventType, number>()
    for (const { event } of taken) counts.set(event.type, (counts.get(event.type) ?? 0) + 1)
    const twice = [...counts].flatMap(([type, count]) => {
      return [1, 2]
        .filter((nth) => nth <= count)
        .map((nth): PlannedDisturbance => {
          const rank = type === 'message.received' && nth === 1 && { rank: 2 }
          return { id: `deliveries/${type}/${nth}/twice`, group: 'twice', ...rank }
        })
    })
    const delayed = timedMail(undisturbed)
      .slice(0, 4)
      .map(({ name }): PlannedDisturbance => {
        const { next } = delayOf(name, undisturbed) ?? {}
        return { id: `deliveries/late/${name}`, group: next === undefined ? 'late' : 'order' }
      })
    const listed = relied.get('events.listed')
    const isOpen = listed && !listed.fixed && !listed.pinned && listed.instead.includes('after-the-event')
    return [...twice, ...delayed, ...(isOpen ? [{ id: beforeListed, group: 'listed' }] : [])]
  },
  disturbance(id, story): Disturbance | undefined {
    if (id === beforeListed) {
      return {
        id,
        kind: 'deliveries',
        words: 'an event comes before its message is listed',
        advice: 'If the message of an event is missing, look again after a few seconds, or respond with 503.',
        edit: (document) =>
          setAssumptions(resolveAssumptions(document, story.story), { 'events.listed': 'after-the-event' }),
      }
    }
    const [kind, first = '', second = '', third] = id.split('/')
    if (kind !== 'deliveries') return undefined
    if (first === 'late') return lateDelivery(id, story)
    const nth = numberIn(second)
    const event = eventTypes.find((type) => type === first)
    if (!event || nth === undefined || third !== 'twice') return undefined
    return {
      id,
      kind: 'deliveries',
      words: `${event} (${nth}) is delivered twice`,
      advice: 'Keep the ids of the events that you have handled, and respond with 200 when one comes again.',
      edit: (document) =>
        addEntries(honouringKeys(document, story), [
          { key: id, when: { delivery: event, nth }, redeliver: { event, nth } },
        ]),
    }
  },
  judges: isAboutTheEnd,
}

function lateDelivery(id: string, story: DisturbedStory): Disturbance | undefined {
  const name = id.slice('deliveries/late/'.length)
  const { delay, next } = delayOf(name, story) ?? {}
  if (delay === undefined) return undefined
  const how = next === undefined ? `${formatDuration(delay)} late` : `only after that of "${next}"`
  return {
    id,
    kind: 'deliveries',
    words: `the event of "${name}" comes ${how}`,
    advice: 'Expect events late and in any order, and read the messages of the thread at each event.',
    edit: (document) => moveEntries(document, new Map([[name, { event_delay: `${delay}ms` }]])),
  }
}

/** Returns by how much the event of an entry is late, and the entry whose event overtakes it. */
function delayOf(name: string, story: DisturbedStory): { delay: number; next?: string } | undefined {
  const mails = timedMail(story)
  const place = mails.findIndex((one) => one.name === name)
  const [mail, next] = [mails[place], mails[place + 1]]
  if (!mail || mail.entry.event_delay !== undefined) return undefined
  const gap = (next?.after ?? Number.POSITIVE_INFINITY) - mail.after
  return next && gap <= soon ? { delay: gap + 5_000, next: next.name } : { delay: late }
}
