import { sameAddress } from '../../../mail/address.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { formatInstant } from '../../../service/time/time.js'
import { unlistedFor } from '../../../service/webhooks/listing.js'
import type { Moment } from '../time-window.js'
import type { Observation } from '../tracker.js'
import type { Invariant } from './invariant.js'
import { answeredBy, bareAddress, watchMail } from './mail.js'
import { ServedIds } from './served-ids.js'

/** How long ago a message must have come if time passes while an agent works, in milliseconds of story time. */
const reactionTime = 60_000

/** How long an agent must have paused since so that it could have read again, in milliseconds of story time. */
const longPause = 30_000

/** The agent has seen what came after the message that it replies to. */
export const readsBeforeItAnswers: Invariant = {
  advice: 'Read the thread right before you reply, to its end.',
  watch: watchMail(
    'no reply before newer messages of its thread were read',
    ({ store, clock, assumptions }) => {
      /** When messages came in since the story began, by id. */
      const arrivals = new Map<string, Moment>()
      const served = new ServedIds()
      const acts = new Acts()
      return {
        note(observation) {
          if (observation.type === 'event' && observation.event === 'message.received')
            arrivals.set(observation.message, observation.moment)
          if (observation.type === 'exchange') {
            acts.request(observation.moment, observation.exchange.status >= 400, observation.recorded.process)
          } else if (isTaken(observation)) acts.delivery(observation.moment)
          served.note(observation)
        },
        judge(mail, _, { moment, recorded }) {
          const { message } = mail
          const { acted, wasRefused } = acts.before(recorded.process)
          const answered = answeredBy(mail, store)
          const [first] = answered
          if (!first || !acted) return undefined
          const rows = store.rows('message', store.messages(first.thread_id).page({ order: 'created' }))
          const known = mail.answered === null ? rows.filter(({ id }) => served.has(id)) : answered
          const last = known.findLast(({ ordinal }) => ordinal < message.ordinal)
          if (!last) return undefined
          const missed = rows.find((row) => {
            const isNewer = row.ordinal > last.ordinal && row.ordinal < message.ordinal
            const isOwn = sameAddress(bareAddress(row.from), bareAddress(message.from))
            return isNewer && row.direction === 'inbound' && !isOwn && !served.has(row.id) && couldRead(row)
          })
          if (!missed) return undefined
          const came = formatInstant(missed.created_at)
          const of = `"${missed.subject}" of ${bareAddress(missed.from)}`
          return {
            found: `a reply without reading the newer message of ${bareAddress(missed.from)}`,
            differences: [`${of} came at ${came}, and no response carried it: ${missed.id}`],
          }

          /** Returns whether the agent has done something since, so that it was not writing its reply when the message came. */
          function couldRead({ id }: MessageRow): boolean {
            const arrival = arrivals.get(id)
            if (!arrival || !acted) return true
            const stands = clock.mode === 'auto' || clock.mode === 'frozen'
            // It may not have been listed when the agent last looked.
            const isListedLate = assumptions.current()['events.listed'] === 'after-the-event'
            const listed = arrival.at + (isListedLate ? unlistedFor : 0)
            // Only pauses of its own take time there; one after an error is a wait before it asks again.
            const paused = recorded.at - Math.max(acted.at, listed)
            if (clock.mode === 'auto' && !wasRefused && paused >= longPause) return true
            return (
              acted.seq > arrival.seq && acted.at >= listed && (stands || moment.at - listed >= reactionTime)
            )
          }
        },
      }
    },
  ),
}

/** The last act of an agent, or of one of its processes, and the one before. */
interface LastActs {
  readonly acted: Moment | undefined
  readonly seen: Moment | undefined
  /** Whether the last request, and the one before it, got an error. */
  readonly isRefused: boolean
  readonly wasRefused: boolean
}

const noActs: LastActs = { acted: undefined, seen: undefined, isRefused: false, wasRefused: false }

/** Keeps the last acts of an agent, and of each of its processes: what one does shows nothing of another that writes a reply. */
class Acts {
  #all = noActs
  readonly #own = new Map<number, LastActs>()

  request(moment: Moment, isRefused: boolean, process: number | undefined): void {
    const after = (last: LastActs): LastActs => {
      return { acted: last.seen, seen: moment, isRefused, wasRefused: last.isRefused }
    }
    this.#all = after(this.#all)
    if (process !== undefined) this.#own.set(process, after(this.#own.get(process) ?? noActs))
  }

  /** Notes a delivery that was taken, by whichever process. */
  delivery(moment: Moment): void {
    this.#all = { ...this.#all, seen: moment }
    for (const [process, last] of this.#own) this.#own.set(process, { ...last, seen: moment })
  }

  /** Returns the acts before the last request, of its process alone if that has sent another one. */
  before(process: number | undefined): LastActs {
    const own = process === undefined ? undefined : this.#own.get(process)
    return own?.acted ? own : this.#all
  }
}

function isTaken(observation: Observation): boolean {
  return observation.type === 'delivery' && observation.delivery.attempts.some(({ response }) => response)
}
