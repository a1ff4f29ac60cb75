import { formatDuration } from '../../../base/text.js'
import { eventTypes } from '../../../contract/resources.js'
import { addEntries, moveEntries } from '../../../story/edits.js'
import type { DisturbedStory, Effect, Kind } from '../disturbance.js'
import { assuming, firstUses, honouringKeys, isAboutTheEnd, numberIn, timedMail } from './used.js'

/** How late an event is that nothing follows soon, as late as one whose first attempts were lost, in milliseconds. */
const late = 120_000

/** The longest time between two entries after which the order of their events still matters, in milliseconds. */
const soon = 60_000

export const deliveryKind: Kind = {
  planned(undisturbed) {
    const { play, relied } = undisturbed
    const taken = play.simulator.deliveries.list().filter(({ status }) => status === 'succeeded')
    if (taken.length === 0) return []
    const types = [...new Set(taken.map(({ event }) => event.type))]
    const twice = types.flatMap((type) => {
      const uses = firstUses(taken.filter(({ event }) => event.type === type).length)
      return uses.map((nth) => {
        const rank = type === 'message.received' && nth === 1 ? 2 : undefined
        return { name: `${type}/${nth}/twice`, group: 'twice', rank }
      })
    })
    const delayed = timedMail(undisturbed).slice(0, 4)
    const late = delayed.map(({ name }) => {
      const isOvertaken = delayOf(name, undisturbed)?.next !== undefined
      return { name: `late/${name}`, group: isOvertaken ? 'order' : 'late' }
    })
    const isOpen = relied.get('events.listed')?.includes('after-the-event')
    return [...twice, ...late, ...(isOpen ? [{ name: 'before-listed', group: 'listed' }] : [])]
  },
  effect([first = '', ...parts], story, key) {
    if (first === 'before-listed')
      return {
        words: 'an event comes before its message is listed',
        advice: 'If the message of an event is missing, look again after a few seconds, or respond with 503.',
        edit: (document) => assuming(document, story.story, { 'events.listed': 'after-the-event' }),
      }
    if (first === 'late') return lateDelivery(parts.join('/'), story)
    const nth = numberIn(parts[0])
    const event = eventTypes.find((type) => type === first)
    if (!event || nth === undefined || parts[1] !== 'twice') return undefined
    return {
      words: `${event} (${nth}) is delivered twice`,
      advice: 'Keep the ids of the events that you have handled, and respond with 200 when one comes again.',
      edit: (document) =>
        addEntries(honouringKeys(document, story), [
          { key, when: { delivery: event, nth }, redeliver: { event, nth } },
        ]),
    }
  },
  judges: isAboutTheEnd,
}

function lateDelivery(name: string, story: DisturbedStory): Effect | undefined {
  const { delay, next } = delayOf(name, story) ?? {}
  if (delay === undefined) return undefined
  const how = next === undefined ? `${formatDuration(delay)} late` : `only after that of "${next}"`
  return {
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
