import type { Simulator } from '../../../doors/simulator/simulator.js'
import { WorldError } from '../../../service/model/errors.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import { parseInstant } from '../../../service/time/time.js'
import type { Exchange } from '../../../service/world/exchange.js'
import { answeredBy, replyAddressOf } from '../../../story/expectations/invariants/mail.js'
import type { Undisturbed } from '../disturbance.js'
import { nthOf } from './used.js'

/** A moment between an agent's look at a thread and its answer there, at which newer mail stays unread. */
export interface Meanwhile {
  /** The request right before whose response it is, and the number of that. */
  readonly operation: string
  readonly nth: number
  /** The handle of the agent. */
  readonly handle: string
  /** The place of the thread in the mailbox at that moment. */
  readonly place: number
  /** The address of the person who is answered there. */
  readonly person: string
}

/** The most moments of a play. */
const most = 2

/**
 * Returns the moments of a play at which newer mail would stay unread: the last request before an answer that is not the look at
 * its thread, where the agent did something about other threads in between, or never looked. An agent that looks right before
 * it answers has none.
 */
export function meanwhileIn({ play: { simulator }, exchanges }: Undisturbed): Meanwhile[] {
  const { store } = simulator
  const mails = simulator.sentBy()
  const answers = new Map(mails.map((mail) => [mail.exchange, answeredBy(mail, store)[0]]))
  const found = new Map<string, Meanwhile>()
  for (const { message, exchange } of mails) {
    if (found.size >= most) break
    const asked = answers.get(exchange)
    const handle = store.get('identity', message.identity_id)?.agent_handle
    const last = exchanges.findIndex(({ seq }) => seq === exchange)
    if (!asked || handle === undefined || last < 0) continue
    const { thread_id: thread, id } = asked
    const person = replyAddressOf(asked)
    if (person === undefined || hasLastWord(person, simulator)) continue
    const before = exchanges.slice(0, last)
    const look = before.findLastIndex((one) => looksAt(one, thread, id))
    const isElsewhere = ({ seq, operation }: Exchange): boolean => {
      const isOther = (answers.get(seq)?.thread_id ?? thread) !== thread
      return isOther || operation === 'messages.list' || operation === 'threads.list'
    }
    const between = before.slice(look + 1)
    if (look >= 0 && !between.some(isElsewhere)) continue
    const chosen = between.findLast((one) => one.method === 'GET' || isElsewhere(one))
    // Before the message that is answered came, there was nothing between it and the answer.
    if (!chosen?.operation || (parseInstant(chosen.at) ?? 0) < asked.created_at) continue
    const place = placeOf(simulator, chosen.seq - 1, message.identity_id, thread)
    if (place === 0) continue
    const nth = nthOf(exchanges, chosen.seq)
    found.set(`${chosen.seq}`, { operation: chosen.operation, nth, handle, place, person })
  }
  return [...found.values()]
}

function looksAt({ method, path, query }: Exchange, thread: string, message: string): boolean {
  return (
    method === 'GET' && (query['thread_id'] === thread || path.includes(thread) || path.includes(message))
  )
}

/** Returns whether the agent lets the last message of a person be, such as thanks. */
function hasLastWord(person: string, simulator: Simulator): boolean {
  const { store } = simulator
  const toThem = simulator.sentBy().filter(({ message }) => recipientsOf(message).includes(person))
  const last = Math.max(...toThem.map(({ message }) => message.ordinal))
  return [...store.all('message')].some((row) => {
    return row.direction === 'inbound' && row.ordinal > last && replyAddressOf(row) === person
  })
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
