import { automaticField, sameAddress } from '../../../mail/index.js'
import { addressesOf, recipientsOf } from '../../../service/rendering/index.js'
import { fitsAddress } from '../recipients.js'
import type { Invariant } from './invariant.js'
import { bareAddress } from './mail.js'

/** Everybody who wrote in the story gets mail of the agent after that. */
export const answersEveryone: Invariant = {
  limit: 'people',
  advice: 'Look at every thread that has new mail, on all pages, and until there are no more.',
  watch({ people }, { store }) {
    /** The addresses that wait, by the id of the agent to which they wrote and in their order. */
    const waiting = new Map<string, { readonly address: string; readonly agent: string }>()
    let answered = 0
    return {
      expected:
        people === null ? 'an answer to everybody who writes' : `an answer to ${people.join(' and ')}`,
      observe(observation) {
        if (observation.type === 'event' && observation.event === 'message.received') {
          const row = store.get('message', observation.message)
          const agent = row && store.get('identity', row.identity_id)
          if (!row || !agent || automaticField(row.headers ?? row.further_headers ?? [])) return undefined
          const { from, reply_to } = addressesOf(row)
          const [address] = reply_to.length > 0 ? reply_to : from
          const isWanted = people?.some((one) => fitsAddress(one, address ?? '')) ?? true
          if (address === undefined || !isWanted || sameAddress(address, agent.mailbox_address))
            return undefined
          waiting.set(`${agent.id} ${address.toLowerCase()}`, { address, agent: agent.agent_handle })
        } else if (observation.type === 'exchange') {
          for (const { message } of observation.sent()) {
            for (const recipient of recipientsOf(message)) {
              if (waiting.delete(`${message.identity_id} ${recipient.toLowerCase()}`)) answered++
            }
          }
        }
        return undefined
      },
      end() {
        const [first] = waiting.values()
        if (!first) return undefined
        const all = [...waiting.values()].map(({ address }) => bareAddress(address))
        return {
          found: `no answer to ${all.slice(0, 5).join(', ')}${all.length > 5 ? ` and ${all.length - 5} more` : ''}`,
          line: `${first.address}, who wrote to ${first.agent}`,
          differences: [`${answered} of ${answered + all.length} who wrote were answered`],
        }
      },
    }
  },
}
