import type { Fault } from '../../../service/faults/fault.js'
import { addFault } from '../../../story/edits.js'
import type { Kind } from '../disturbance.js'
import {
  atRequest,
  honouringKeys,
  isAboutTheEnd,
  isWrite,
  methodOf,
  numberIn,
  sendingOperation,
  usedOperations,
} from './used.js'

/** What happens to one response. */
interface Effect {
  /** Its name in ids. */
  readonly name: string
  readonly fault: Fault
  /** Whether a request that writes is performed all the same. */
  readonly performsWrites?: true
  /** Whether only requests that write meet it. */
  readonly onlyWrites?: true
  /** In words that follow "the response to threads.list (1)". */
  readonly words: string
  readonly advice: string
}

const lookFirst =
  'A write whose response was lost may have happened: send it with an Idempotency-Key, or look for its result before you repeat it.'
const tryAgain =
  'Try again after a failure, a few times and with longer pauses, and go on with the rest of the work.'

/** The effects, the most telling first. */
const effects: readonly Effect[] = [
  {
    name: 'lost',
    fault: { performed: true, status: 504, times: 1 },
    onlyWrites: true,
    words: 'is lost after the request was performed (504)',
    advice: lookFirst,
  },
  {
    name: '503',
    fault: { status: 503, retry_after: 5, times: 1 },
    words: 'is 503 with Retry-After: 5',
    advice: 'After 503, send the request again once as many seconds have passed as Retry-After says.',
  },
  {
    name: '429',
    fault: { status: 429, retry_after: 30, times: 1 },
    words: 'is 429 with Retry-After: 30',
    advice:
      'After 429, send nothing until as many seconds have passed as Retry-After says, and then the request again.',
  },
  {
    name: 'reset',
    fault: { reset: true, times: 1 },
    performsWrites: true,
    words: 'never comes, for the connection is reset',
    advice: lookFirst,
  },
  {
    name: 'slow',
    fault: { delay: '90s', times: 1 },
    performsWrites: true,
    words: 'takes 90 seconds',
    advice: `Set a time-out. ${lookFirst}`,
  },
  {
    name: 'truncated',
    fault: { truncate: 20, times: 1 },
    words: 'breaks off after 20 bytes',
    advice: `Expect a body that breaks off. ${tryAgain}`,
  },
]

export const faultKind: Kind = {
  planned(undisturbed) {
    const counts = usedOperations(undisturbed)
    const used = [...counts.keys()]
    const writes = used.filter((one) => isWrite(one, undisturbed))
    const reads = used.filter((one) => methodOf(one, undisturbed) === 'GET')
    const [sent] = undisturbed.play.simulator.sentBy()
    const sending = sendingOperation(undisturbed, sent?.exchange ?? null) ?? writes[0]
    // Of the ten most valuable: the first mail lost after it was sent, and the first read refused for a while.
    const ranks: Readonly<Record<string, number>> = { [`${sending}/1/lost`]: 1, [`${reads[0]}/1/503`]: 6 }
    return effects.flatMap(({ name: group, onlyWrites }) => {
      const met = onlyWrites ? writes : [...writes, ...reads]
      // The first use of each operation comes before a later use of any.
      return [1, 2].flatMap((nth) => {
        const names = met.filter((one) => nth <= (counts.get(one as never) ?? 0))
        return names.map((operation) => {
          const name = `${operation}/${nth}/${group}`
          return { name, group, rank: ranks[name] }
        })
      })
    })
  },
  effect([operation = '', number, name = '', ...rest], story, key) {
    const nth = numberIn(number)
    const effect = effects.find((one) => one.name === name)
    const isKnown = rest.length === 0 && methodOf(operation, story) !== undefined
    if (!isKnown || nth === undefined || !effect) return undefined
    const writes = isWrite(operation, story)
    if (effect.onlyWrites && !writes) return undefined
    const isPerformed = writes && effect.performsWrites === true
    const fault = { operation, ...effect.fault, ...(isPerformed && { performed: true }) } as Fault
    const performed = isPerformed ? ', after the request was performed' : ''
    return {
      words: `the response to ${operation} (${nth}) ${effect.words}${performed}`,
      advice: name === 'reset' && !writes ? tryAgain : effect.advice,
      edit: (document) => addFault(honouringKeys(document, story), key, atRequest(operation, nth), fault),
    }
  },
  judges: isAboutTheEnd,
}
