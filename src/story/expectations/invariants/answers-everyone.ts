import { sameAddress } from '../../../mail/address.js'
import { automaticField } from '../../../mail/automatic.js'
import type { MailboxStore } from '../../../service/model/mailbox-store.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import { fitsAddress } from '../recipients.js'
import type { Invariant } from './invariant.js'
import { bareAddress, replyAddressOf } from './mail.js'
import { Served } from './served.js'

/** Somebody who waits for an answer, and since when. */
interface Waiting {
  readonly address: string
  readonly agent: string
  readonly since: number
  /** The ids of the messages that wait, of those that came in the story. */
  readonly messages: readonly string[]
  /** Whether they came right before an answer to earlier mail: who gets them after that may find that it answers them, too. */
  readonly isCrossed?: true
}

/** Every message of a person that comes in the story gets an answer: mail to them once the agent could know of it. */
export const answersEveryone: Invariant = {
  limit: 'people',
  advice:
    'Look at every thread that has new mail, on all pages. Take a message as handled only once it is answered, and try again after a failure.',
  watch({ people }, { mailbox }) {
    /** The addresses that wait, by the id of the agent to which they wrote and in their order. */
    const waiting = new Map<string, Waiting>()
    const served = new Served(mailbox)
    let answered = 0
    /** Everybody to whom the agent wrote, and the ids of what it sent. */
    const reached = new Set<string>()
    const own = new Set<string>()
    /** To whom the answers to messages of others went instead, by the address that waits. */
    const crossed = new Map<string, string>()
    /** Returns whether the agent knows of any message of somebody who waits; one that knows of none gets mail by other ways. */
    const hasRead = ({ address }: Waiting): boolean => {
      return served.between(0).some(({ from }) => sameAddress(bareAddress(from), address))
    }
    return {
      expected:
        people === undefined ? 'an answer to everybody who writes' : `an answer to ${people.join(' and ')}`,
      observe(observation) {
        const { store } = mailbox
        served.note(observation)
        if (observation.type === 'event' && observation.event === 'message.received') {
          const row = store.get('message', observation.message)
          const agent = row && store.get('identity', row.identity_id)
          if (!row || !agent || automaticField(row.headers ?? row.further_headers ?? [])) return undefined
          const address = replyAddressOf(row)
          const isWanted = people?.some((one) => fitsAddress(one, address ?? '')) ?? true
          if (address === undefined || !isWanted || sameAddress(address, agent.mailbox_address))
            return undefined
          const since = observation.moment.at
          const { agent_handle: handle } = agent
          const key = `${agent.id} ${address.toLowerCase()}`
          const messages = [...(waiting.get(key)?.messages ?? []), row.id]
          waiting.set(key, { address, agent: handle, since, messages })
        } else if (observation.type === 'exchange') {
          for (const { message, answered: reference, exchange } of observation.sent()) {
            own.add(message.id)
            const named = reference === null ? undefined : store.messageNamed(message.identity_id, reference)
            const asked = named && replyAddressOf(named)?.toLowerCase()
            const recipients = recipientsOf(message)
            if (asked !== undefined && !recipients.some((one) => sameAddress(one, asked)))
              crossed.set(
                asked,
                `the answer to ${asked} went to ${recipients.join(', ')} (request ${exchange})`,
              )
            for (const recipient of recipients) {
              reached.add(recipient.toLowerCase())
              const key = `${message.identity_id} ${recipient.toLowerCase()}`
              const open = waiting.get(key)
              if (!open) continue
              // What comes just before an answer, when the agent knows only of earlier messages, is not answered by it.
              const unknown = open.messages.filter((id) => !served.knows(id))
              const isEarlier = unknown.length > 0 && hasRead(open)
              if (isEarlier) waiting.set(key, { ...open, messages: unknown, isCrossed: true })
              else if (waiting.delete(key)) answered++
            }
          }
        }
        return undefined
      },
      end() {
        const named = people?.filter((one) => !one.includes('*') && !reached.has(one.toLowerCase())) ?? []
        for (const one of named.length > 0 ? openFromStart(named, mailbox.store, own) : []) {
          waiting.set(`${one.id} ${one.address.toLowerCase()}`, one)
        }
        const open = [...waiting.values()].filter(({ isCrossed, messages }) => {
          return !isCrossed || !messages.every((id) => served.knows(id))
        })
        const [first] = open
        if (!first) return undefined
        const all = open.map(({ address }) => bareAddress(address))
        return {
          found: `no answer to ${all.slice(0, 5).join(', ')}${all.length > 5 ? ` and ${all.length - 5} more` : ''}`,
          line: `${first.address}, who wrote to ${first.agent}`,
          since: first.since,
          differences: [
            ...all.flatMap((one) => crossed.get(one.toLowerCase()) ?? []).slice(0, 5),
            `${answered} of ${answered + all.length} who wrote were answered`,
          ],
        }
      },
    }
  },
}

/**
 * Returns those of some people to whose latest mail in a thread nobody but the agent wrote anything later there; nobody
 * who wrote in the story and was not answered is missing.
 */
function openFromStart(people: readonly string[], store: MailboxStore, own: ReadonlySet<string>) {
  return [...store.all('identity')].flatMap(({ id, agent_handle: agent }) => {
    /** Those who wait, by thread and address. */
    const open = new Map<string, Map<string, Waiting & { readonly id: string }>>()
    for (const row of store.rows('message', store.messages(id).page({ order: 'created' }))) {
      const waiting = open.get(row.thread_id) ?? new Map()
      open.set(row.thread_id, waiting)
      const address = replyAddressOf(row)
      if (row.direction === 'inbound' && people.some((one) => fitsAddress(one, address ?? ''))) {
        const since = row.created_at
        waiting.set(address ?? '', { id, address: address ?? '', agent, since, messages: [] })
      } else if (row.direction === 'outbound' && !own.has(row.id)) waiting.clear()
    }
    return [...open.values()].flatMap((waiting) => [...waiting.values()])
  })
}
