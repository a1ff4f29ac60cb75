import type { Invariant } from './invariant.js'
import { answeredBy, bareAddress, Served } from './mail.js'

/** The agent answers no message whose content it was neither served nor delivered. */
export const readsBeforeItAnswers: Invariant = {
  advice: 'Read a message before you answer it: list the messages of its thread, to the end.',
  watch(_, { mailbox }) {
    const served = new Served(mailbox)
    return {
      expected: 'no answer to a message that was not read',
      observe(observation) {
        const mails = observation.type === 'exchange' ? observation.sent() : []
        for (const mail of mails) {
          const answered = answeredBy(mail, mailbox.store).filter(({ direction }) => direction === 'inbound')
          const [first] = answered
          if (!first || answered.some(({ id }) => served.has(id))) continue
          return {
            found: `an answer to ${bareAddress(first.from)}, whose message was not read`,
            differences: [`no response and no delivery carried ${first.id}, "${first.subject}"`],
          }
        }
        served.note(observation)
        return undefined
      },
    }
  },
}
