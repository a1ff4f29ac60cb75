import { sameAddress } from '../../../mail/address.js'
import type { MessageRow } from '../../../service/model/rows.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import { fitsAddress } from '../sent-parts.js'
import type { JudgedMailbox } from '../tracker.js'
import { automaticField } from './ignores-automatic-mail.js'
import type { Invariant } from './invariant.js'
import { bareAddress, replyAddressOf, Served } from './mail.js'

/** Somebody who wrote to an agent. */
interface Person {
  readonly address: string
  readonly agent: string
  /** What they wrote that the agent has not answered, and what it wrote to them after. */
  open: Letter[]
  answered: Letter[]
}

interface Letter {
  readonly id: string
  readonly at: number
}

/** Every message of a person that comes in the story gets an answer: mail to them once the agent could know of it. */
export const answersEveryone: Invariant = {
  advice:
    'Look at every thread that has new mail, on all pages. Take a message as handled only once it is answered, and try again after a failure.',
  watch({ people }, { mailbox }) {
    const persons = new Map<string, Person>()
    /** Where the answer to a message of a person went instead, by the key of that person. */
    const crossed = new Map<string, string>()
    const served = new Served(mailbox)
    const note = (row: MessageRow, at: number): void => {
      const agent = mailbox.store.get('identity', row.identity_id)
      const address = replyAddressOf(row)
      if (!agent || address === undefined || sameAddress(address, agent.mailbox_address)) return
      if (automaticField(row.headers ?? row.further_headers ?? [])) return
      if (!(people?.some((one) => fitsAddress(one, address)) ?? true)) return
      const key = keyOf(agent.id, address)
      const { open = [], answered = [] } = persons.get(key) ?? {}
      persons.set(key, { address, agent: agent.agent_handle, open: [...open, { id: row.id, at }], answered })
    }
    for (const row of people ? waitingAtStart(people, mailbox) : []) note(row, row.created_at)

    /** Returns whether somebody waits. What the agent answered without knowing it, though it reads their mail, is missed. */
    const isWaiting = ({ address, open, answered }: Person): boolean => {
      const missed = answered.some(({ id }) => !served.knows(id))
      const isRead = () => served.between(0).some(({ from }) => sameAddress(bareAddress(from), address))
      return open.length > 0 || (missed && isRead())
    }

    return {
      expected:
        people === undefined ? 'an answer to everybody who writes' : `an answer to ${people.join(' and ')}`,
      observe(observation) {
        const { store } = mailbox
        served.note(observation)
        if (observation.type === 'event' && observation.event === 'message.received') {
          const row = store.get('message', observation.message)
          if (row) note(row, observation.moment.at)
        } else if (observation.type === 'exchange') {
          for (const { message, answered, exchange } of observation.sent()) {
            const recipients = recipientsOf(message)
            const asked = answered === null ? undefined : store.messageNamed(message.identity_id, answered)
            const asker = asked && replyAddressOf(asked)
            if (asker && !recipients.some((one) => sameAddress(one, asker))) {
              const instead = `the answer to ${asker} went to ${recipients.join(', ')} (request ${exchange})`
              crossed.set(keyOf(message.identity_id, asker), instead)
            }
            for (const recipient of recipients) {
              const person = persons.get(keyOf(message.identity_id, recipient))
              if (!person) continue
              person.answered = [...person.answered, ...person.open]
              person.open = []
            }
          }
        }
        return undefined
      },
      end() {
        const waiting = [...persons].filter(([, person]) => isWaiting(person))
        const [first] = waiting.map(([, person]) => person)
        if (!first) return undefined
        const all = waiting.map(([, { address }]) => bareAddress(address))
        const [instead, ...others] = waiting.map(([key]) => crossed.get(key))
        const since = (first.open.at(-1) ?? first.answered.at(-1))?.at
        const nobody = `no answer to ${all.slice(0, 5).join(', ')}${all.length > 5 ? ` and ${all.length - 5} more` : ''}`
        return {
          found: instead ?? nobody,
          line: `${first.address}, who wrote to ${first.agent}`,
          ...(since !== undefined && { since }),
          differences: [
            ...others.flatMap((one) => one ?? []).slice(0, 5),
            `${persons.size - all.length} of ${persons.size} who wrote were answered`,
          ],
        }
      },
    }
  },
}

function keyOf(identity: string, address: string): string {
  return `${identity} ${address.toLowerCase()}`
}

/** Returns what some people have written last in a thread, if nobody answered there. */
function waitingAtStart(people: readonly string[], { store }: JudgedMailbox): MessageRow[] {
  return [...store.all('identity')].flatMap(({ id }) => {
    const waiting = new Map<string, MessageRow[]>()
    for (const row of store.rows('message', store.messages(id).page({ order: 'created' }))) {
      const isOfPerson = people.some(
        (one) => !one.includes('*') && fitsAddress(one, replyAddressOf(row) ?? ''),
      )
      if (row.direction === 'outbound') waiting.delete(row.thread_id)
      else if (isOfPerson) waiting.set(row.thread_id, [...(waiting.get(row.thread_id) ?? []), row])
    }
    return [...waiting.values()].flat()
  })
}
