import { sameAddress } from '../../../mail/address.js'
import type { MessageRow } from '../../../service/model/rows.js'
import type { Invariant } from './invariant.js'
import { answeredBy, bareAddress, reminder, watchMail } from './mail.js'

/** The agent does not reply to its own mail. */
export const neverAnswersItself: Invariant = {
  general: true,
  advice: 'Reply only to inbound mail that is not from your own address.',
  watch: watchMail("no reply to the agent's own mail", ({ store }) => ({
    judge(mail) {
      const { message } = mail
      const isOwn = ({ from, direction, created_at }: MessageRow): boolean => {
        const isReminder = direction === 'outbound' && message.created_at - created_at >= reminder
        return sameAddress(bareAddress(from), bareAddress(message.from)) && !isReminder
      }
      const answered = answeredBy(mail, store)
      if (!answered.length || !answered.every(isOwn)) return undefined
      return {
        found: `a reply of ${bareAddress(message.from)} to itself`,
        differences: answered.map(
          ({ id, direction }) => `it replies to ${id}, which is ${direction} and its own`,
        ),
      }
    },
  })),
}
