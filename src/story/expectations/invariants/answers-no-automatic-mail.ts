import { automaticField } from '../../../mail/index.js'
import type { Invariant } from './invariant.js'
import { answeredBy, bareAddress, watchMail } from './mail.js'

/** The agent does not reply to mail from programs and lists. */
export const answersNoAutomaticMail: Invariant = {
  advice:
    'Do not reply to mail with Auto-Submitted other than no, with Precedence bulk, list or junk, with List-Id or with a null Return-Path.',
  watch: watchMail('no reply to automatic mail', ({ store }) => ({
    judge(mail) {
      const answered = answeredBy(mail, store).filter(({ direction }) => direction === 'inbound')
      const marks = answered.map(({ headers, further_headers }) =>
        automaticField(headers ?? further_headers ?? []),
      )
      const [mark] = marks
      if (!mark || marks.includes(undefined)) return undefined
      const differences = answered.map(({ id, from }) => `it replies to ${id} from ${bareAddress(from)}`)
      return { found: `a reply to automatic mail, ${mark.join(': ')}`, differences }
    },
  })),
}
