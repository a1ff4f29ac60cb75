import { parseInstant } from '../../../service/time/time.js'
import { formatExchange } from '../request.js'
import { Again } from './again.js'
import { equalBefore } from './equal-mail.js'
import type { Invariant, Violation } from './invariant.js'
import { bareAddress } from './mail.js'
import { hasNews, type Sending, sendingOf } from './sendings.js'
import { Served } from './served.js'
import { Writes } from './writes.js'

/** The agent does nothing twice. */
export const actsOnce: Invariant = {
  general: true,
  limit: 'replies',
  advice:
    'Keep what you have handled where every process and every start sees it, and note it before another attempt. Repeat a request that sends mail with the same Idempotency-Key; where keys may be ignored, look for the sent message first.',
  watch({ replies }, { mailbox }) {
    const served = new Served(mailbox)
    const again = new Again()
    const writes = new Writes(mailbox, again, served)
    const start = parseInstant(mailbox.clock.beganAt) as number
    let sent: readonly Sending[] = []
    const bounced = new Set<string>()

    /** Returns whether a bounce of a message excuses another one to these recipients. */
    const isBounced = ({ message: { id } }: Sending, recipients: readonly string[]): boolean => {
      return ['', ...recipients].some((one) => bounced.has(`${id} ${one}`))
    }

    /** Returns an earlier reply to the same message, if nothing calls for a second one. */
    const replyBefore = (next: Sending): Sending | undefined => {
      return sent.findLast((one) => {
        const common = one.answers.filter(({ id }) => next.answers.some((row) => row.id === id))
        if (common.length === 0 || isBounced(one, next.recipients) || hasNews(one, next, served)) return false
        // Mail that names no message may answer any of those in its thread.
        const isNamed = one.answered !== null && next.answered !== null
        const others = sent.filter(({ answers }) => answers.some(({ id }) => common[0]?.id === id))
        if (!isNamed && others.length < common.length) return false
        return replies !== undefined || again.explains(common, one, next)
      })
    }

    const judge = (next: Sending): Pick<Violation, 'found' | 'differences'> | undefined => {
      const open = sent.filter((one) => !isBounced(one, next.recipients))
      const equal = equalBefore(next, open, served, start)
      const to = next.recipients.find((one) => equal?.recipients.includes(one))
      if (equal) return { found: `the same message sent again to ${to}`, differences: describe(equal) }
      const before = replyBefore(next)
      const cause = before && again.causeSince(before, next)
      if (!before) return undefined
      const person = bareAddress(next.answers[0]?.from ?? '')
      return {
        found: `a second reply to ${person}${cause ? ` after ${cause}` : ''}`,
        differences: describe(before),
      }
    }

    return {
      expected: `nothing done twice${replies === undefined ? '' : ', and one reply to a message'}`,
      observe(observation) {
        again.note(observation)
        if (observation.type === 'event' && observation.event === 'message.bounced')
          bounced.add(`${observation.message} ${observation.recipient?.toLowerCase() ?? ''}`)
        let wrong: Pick<Violation, 'found' | 'differences'> | undefined
        if (observation.type === 'exchange') {
          const mails = observation.sent().map((mail) => sendingOf(mail, observation, mailbox.store))
          for (const next of mails) wrong ??= judge(next)
          wrong ??= writes.repeated(observation, (exchange) => {
            return sent.some((one) => one.exchange === exchange && isBounced(one, one.recipients))
          })
          // The agent has not sent what the service says it refused.
          if (observation.exchange.status < 400 || observation.exchange.status > 499)
            sent = [...sent, ...mails]
        }
        served.note(observation)
        if (!wrong || observation.type !== 'exchange') return undefined
        const { exchange } = observation
        return { ...wrong, line: formatExchange(exchange), exchange: exchange.seq }
      },
    }
  },
}

function describe({ exchange, message }: Sending): string[] {
  return [`request ${exchange} had sent "${message.subject}"`]
}
