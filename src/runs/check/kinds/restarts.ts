import { type EventType, eventTypes } from '../../../contract/resources.js'
import { addEntries, addRestart, type Moment } from '../../../story/edits.js'
import type { Disturbance, DisturbedStory, Kind, PlannedDisturbance, Undisturbed } from '../disturbance.js'
import { honouringKeys } from './keys-honoured.js'
import {
  afterMs,
  atRequest,
  isAboutTheEnd,
  isProgram,
  isRunning,
  methodOf,
  numberIn,
  timedMail,
  usedOperations,
} from './used.js'

/** How long a program is down, in milliseconds. */
const down = 120_000

const note =
  'Note what is done once it is done, in MAILBOX_STATE_DIR or in the mailbox, and look there before you do it after a start.'

/**
 * A program is killed after it sent mail, made another write or accepted an event; it is down while mail comes; a second copy
 * runs.
 */
export const restartKind: Kind = {
  name: 'restarts',
  planned(undisturbed) {
    if (!isProgram(undisturbed)) return []
    const planned = (id: string, group: string, rank?: number): PlannedDisturbance => {
      return { id: `restarts/${id}`, group, ...(rank !== undefined && { rank }) }
    }
    const moments = killMoments(undisturbed)
    const kills = moments.map((moment, index) =>
      planned(`kill/${moment}`, 'kill', index === 0 ? 5 : undefined),
    )
    // What ends by itself runs when somebody starts it.
    if (!isRunning(undisturbed)) return kills
    const downs = timedMail(undisturbed)
      .filter(({ after }) => after >= 2)
      .slice(0, 3)
      .map(({ name }) => planned(`down/${name}`, 'down'))
    // Two copies cannot listen at one port.
    const first = undisturbed.play.receives ? undefined : [...usedOperations(undisturbed).keys()][0]
    return [...kills, ...downs, ...(first === undefined ? [] : [planned(`second/${first}/1`, 'second')])]
  },
  disturbance(id, story): Disturbance | undefined {
    const [kind, how, name = '', number] = id.split('/')
    if (kind !== 'restarts') return undefined
    if (how === 'down') return downAt(id, story)
    const nth = numberIn(number)
    const moment = nth === undefined ? undefined : momentOf(name, nth, story)
    if (!moment || (how !== 'kill' && how !== 'second')) return undefined
    const kills = how === 'kill'
    return {
      id,
      kind: 'restarts',
      words: `${kills ? 'the agent is killed and started again' : 'a second copy of the agent is started'} ${moment.words}`,
      advice: kills
        ? note
        : 'Work under a lock that ends with its process, or send with an Idempotency-Key that every copy derives from the message.',
      edit: (document) => addRestart(honouringKeys(document, story), id, moment.moment, how),
    }
  },
  judges: isAboutTheEnd,
}

/** Returns the moments at which a program is killed, as ids name them: those of mail, of other writes, of accepted events. */
function killMoments(undisturbed: Undisturbed): string[] {
  const { play, exchanges } = undisturbed
  const numbers = (count: number): number[] => [1, 2].filter((nth) => nth <= count)
  const mails = play.simulator.sentBy()
  const sending = new Set(
    mails.map(({ exchange }) => exchanges.find(({ seq }) => seq === exchange)?.operation),
  )
  const writes = [...usedOperations(undisturbed)].filter(([operation]) => {
    return !sending.has(operation) && (methodOf(operation, undisturbed) ?? 'GET') !== 'GET'
  })
  const events = new Map<EventType, number>()
  for (const { status, event } of play.simulator.deliveries.list())
    if (status === 'succeeded') events.set(event.type, (events.get(event.type) ?? 0) + 1)
  const named = (counts: Iterable<readonly [string, number]>): string[] => {
    return [...counts].flatMap(([name, count]) => numbers(count).map((nth) => `${name}/${nth}`))
  }
  return [...numbers(mails.length).map((nth) => `sent/${nth}`), ...named(writes), ...named(events)]
}

/** Returns a moment that an id names, and how it is called. */
function momentOf(
  name: string,
  nth: number,
  story: DisturbedStory,
): { readonly moment: Moment; readonly words: string } | undefined {
  if (name === 'sent') {
    return {
      moment: { when: { sent: {}, nth } },
      words: `once its message ${nth} is sent, before it gets the response`,
    }
  }
  const event = eventTypes.find((type) => type === name)
  if (event)
    return { moment: { when: { delivery: event, nth } }, words: `once it has accepted ${event} (${nth})` }
  if (methodOf(name, story) === undefined) return undefined
  return {
    moment: atRequest(name, nth),
    words: `at its request ${name} (${nth}), before it gets the response`,
  }
}

function downAt(id: string, story: DisturbedStory): Disturbance | undefined {
  const name = id.slice('restarts/down/'.length)
  const mail = timedMail(story).find((one) => one.name === name)
  if (!mail || mail.after < 2) return undefined
  const stop = Math.max(mail.after - 1_000, Math.floor(mail.after / 2))
  return {
    id,
    kind: 'restarts',
    words: `the agent is down while "${name}" comes`,
    advice: 'After a start, look for what came meanwhile by what you have done, not by when you started.',
    edit: (document) =>
      addEntries(honouringKeys(document, story), [
        { key: `${id}/stop`, ...afterMs(stop), agent: 'stop' },
        { key: `${id}/start`, ...afterMs(mail.after + down), agent: 'start' },
      ]),
  }
}
