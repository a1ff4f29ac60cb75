import { Conversations } from './conversations.js'
import type { Invariant } from './invariant.js'
import { answeredBy, bareAddress, watchMail } from './mail.js'

/** The agent replies to a message once, whatever the words, whatever the operation, for whatever reason. */
export const answersOnce: Invariant = {
  advice:
    'Note which messages you have answered where every process sees it, before another attempt; look for your reply in the thread if you cannot know.',
  watch: watchMail('no second reply to a message', ({ store }) => {
    const conversations = new Conversations(store)
    return {
      note: (observation) => conversations.note(observation),
      judge(mail, { status }) {
        const before = conversations.take(mail, status >= 400 && status < 500)
        if (!before) return undefined
        const [answered] = answeredBy(mail, store)
        const to = answered ? bareAddress(answered.from) : mail.message.to
        return {
          found: `a second reply to ${to}, who had written nothing since the first`,
          differences: [`request ${before.exchange} had replied with "${before.message.subject}"`],
        }
      },
    }
  }),
}
