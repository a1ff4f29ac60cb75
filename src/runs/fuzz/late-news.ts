import type { Simulator } from '../../doors/simulator/simulator.js'
import { WorldError } from '../../service/model/errors.js'
import { parseInstant } from '../../service/time/time.js'
import type { JournalEntry } from '../../service/world/exchange.js'
import { answeredBy } from '../../story/expectations/invariants/mail.js'
import type { RequestNumber } from './request-number.js'

/** A moment between the last look at a thread and an answer there, at which newer mail stays unread. */
export interface LateNews {
  /** The request right before which it comes, or the milliseconds after the start. */
  readonly when: RequestNumber | { readonly after: number }
  /** The handle of the agent. */
  readonly to: string
  /** Who wrote the message that is answered. */
  readonly from: string
  /** The place of the thread in the mailbox at that moment. */
  readonly place: number
}

/** The most moments of one run. */
const most = 6

/** How many requests before an answer are looked at. */
const longestWork = 50

/** How long a client must do nothing before it answers so that mail comes meanwhile, in milliseconds of story time. */
const longPause = 35_000

/**
 * Returns the moments of a run at which newer mail would stay unread: the last request before an answer that is not the
 * look at its thread, where the client did something about other threads in between or never looked; or a long pause.
 * `numbers` are those of the requests of operations, in order.
 */
export function lateNewsOf(simulator: Simulator, numbers: readonly RequestNumber[]): readonly LateNews[] {
  const { store } = simulator
  const entries = simulator.journal.entries().filter(({ recorded }) => recorded.operation !== null)
  const start = parseInstant(simulator.start) as number
  const mails = simulator.sentBy()
  const answers = new Map(mails.map((mail) => [mail.exchange, answeredBy(mail, store)[0]]))
  const found = new Map<string, LateNews>()
  for (const { message, exchange } of mails) {
    if (found.size >= most) break
    const asked = answers.get(exchange)
    const agent = store.get('identity', message.identity_id)?.agent_handle
    const last = entries.findIndex(({ seq }) => seq === exchange)
    if (!asked || agent === undefined || last < 0) continue
    const { thread_id: thread, from, id } = asked
    const add = (when: LateNews['when'], moment: number): void => {
      const place = placeOf(simulator, moment, message.identity_id, thread)
      if (place > 0) found.set(JSON.stringify([when, place]), { when, to: agent, from, place })
    }
    const between = sinceLook(entries.slice(Math.max(0, last - longestWork), last), thread, id)
    const isElsewhere = (one: JournalEntry): boolean =>
      looksElsewhere(one) || (answers.get(one.seq)?.thread_id ?? thread) !== thread
    if (!between.hasLooked || between.entries.some(isElsewhere)) {
      const chosen = between.entries.findLast((one) => one.recorded.method === 'GET' || isElsewhere(one))
      const place = chosen ? entries.indexOf(chosen) : -1
      const number = numbers[place]
      if (number) {
        const { request, nth } = number
        add({ request, nth }, entries[place - 1]?.seq ?? simulator.events.log.oldest - 1)
      }
    }
    const came = (entries[last] as JournalEntry).recorded.at
    const quiet = Math.max(entries[last - 1]?.recorded.at ?? start, asked.created_at, start) + 1000
    if (came - quiet >= longPause) {
      const { log } = simulator.events
      add({ after: quiet - start }, log.entries.findLast(({ at }) => at <= quiet)?.seq ?? log.oldest - 1)
    }
  }
  return [...found.values()]
}

/** Returns the requests since the last look at a thread, or at the message that is answered; all if there was none. */
function sinceLook(entries: readonly JournalEntry[], thread: string, message: string) {
  const look = entries.findLastIndex(({ recorded: { method, path, search } }) => {
    const isThread = new URLSearchParams(search).get('thread_id') === thread
    return method === 'GET' && (isThread || path.includes(thread) || path.includes(message))
  })
  return { entries: entries.slice(look + 1), hasLooked: look >= 0 }
}

function looksElsewhere({ recorded: { operation } }: JournalEntry): boolean {
  return operation === 'messages.list' || operation === 'threads.list'
}

/** Returns the place of a thread in a mailbox at a moment, from 1 for the one with the latest mail; 0 if it is not known. */
function placeOf(simulator: Simulator, moment: number, mailbox: string, thread: string): number {
  try {
    const { store } = simulator.paced.stateAt(moment)
    return store.threads(mailbox).page({ order: 'last-message', descending: true }).indexOf(thread) + 1
  } catch (error) {
    if (error instanceof WorldError) return 0
    throw error
  }
}
