import { eventTypes } from '../../../contract/resources.js'
import { addEntries, addRestart, type Moment } from '../../../story/edits.js'
import type { DisturbedStory, Effect, Kind, Planned, Undisturbed } from '../disturbance.js'
import {
  afterMs,
  atRequest,
  firstUses,
  honouringKeys,
  isAboutTheEnd,
  isRunning,
  isWrite,
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
 * A program is killed after it sent mail, before a write is performed, or after it accepted an event; it is down while mail comes; a second copy
 * runs.
 */
export const restartKind: Kind = {
  planned(undisturbed) {
    const kills = killMoments(undisturbed).map((moment, index): Planned => {
      return { name: `kill/${moment}`, group: 'kill', rank: index === 0 ? 5 : undefined }
    })
    // What ends by itself runs when somebody starts it.
    if (!isRunning(undisturbed)) return kills
    const downs = timedMail(undisturbed).filter(({ after }) => after >= 2)
    // Two copies cannot listen at one port.
    const [first] = undisturbed.play.receives ? [] : usedOperations(undisturbed).keys()
    return [
      ...kills,
      ...downs.slice(0, 3).map(({ name }) => ({ name: `down/${name}`, group: 'down' })),
      ...(first === undefined ? [] : [{ name: `second/${first}/1`, group: 'second' }]),
    ]
  },
  effect([how, ...parts], story, key) {
    if (how === 'down') return downAt(parts.join('/'), story, key)
    const [name = '', number] = parts
    const nth = numberIn(number)
    const moment = nth === undefined ? undefined : momentOf(name, nth, story)
    if (!moment || (how !== 'kill' && how !== 'second')) return undefined
    const isKill = how === 'kill'
    const unperformed = isKill && moment.isRequest ? ', which is not performed' : ''
    return {
      words: `${isKill ? 'the agent is killed and started again' : 'a second copy of the agent is started'} ${moment.words}${unperformed}`,
      advice: isKill
        ? note
        : 'Work under a lock that ends with its process, or send with an Idempotency-Key that every copy derives from the message.',
      edit: (document) => addRestart(honouringKeys(document, story), key, moment.moment, how),
    }
  },
  judges: isAboutTheEnd,
}

/** Returns the moments at which a program is killed, as ids name them: after it sent mail, before a write, after an event. */
function killMoments(undisturbed: Undisturbed): string[] {
  const { simulator } = undisturbed.play
  const mails = simulator.sentBy()
  const writes = [...usedOperations(undisturbed)].filter(([operation]) => isWrite(operation, undisturbed))
  const accepted = simulator.deliveries.list().filter(({ status }) => status === 'succeeded')
  const events = [...new Set(accepted.map(({ event }) => event.type))].map((type) => {
    return [type, accepted.filter(({ event }) => event.type === type).length] as const
  })
  const counts = [['sent', mails.length] as const, ...writes, ...events]
  return counts.flatMap(([name, count]) => firstUses(count).map((nth) => `${name}/${nth}`))
}

/** Returns a moment that an id names, and how it is called. */
function momentOf(
  name: string,
  nth: number,
  story: DisturbedStory,
): { readonly moment: Moment; readonly words: string; readonly isRequest?: true } | undefined {
  const event = eventTypes.find((type) => type === name)
  if (name === 'sent')
    return {
      moment: { when: { sent: {}, nth } },
      words: `once its message ${nth} is sent, before it gets the response`,
    }
  if (event)
    return { moment: { when: { delivery: event, nth } }, words: `once it has accepted ${event} (${nth})` }
  if (methodOf(name, story) === undefined) return undefined
  return {
    moment: atRequest(name, nth),
    words: `at its request ${name} (${nth})`,
    isRequest: true,
  }
}

function downAt(name: string, story: DisturbedStory, key: string): Effect | undefined {
  const mail = timedMail(story).find((one) => one.name === name)
  if (!mail || mail.after < 2) return undefined
  const stop = Math.max(mail.after - 1_000, Math.floor(mail.after / 2))
  return {
    words: `the agent is down while "${name}" comes`,
    advice: 'After a start, look for what came meanwhile by what you have done, not by when you started.',
    edit: (document) =>
      addEntries(honouringKeys(document, story), [
        { key: `${key}/stop`, ...afterMs(stop), agent: 'stop' },
        { key: `${key}/start`, ...afterMs(mail.after + down), agent: 'start' },
      ]),
  }
}
