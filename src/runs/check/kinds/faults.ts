import type { Fault } from '../../../service/faults/fault.js'
import { addFault } from '../../../story/edits.js'
import type { Disturbance, DisturbedStory, Kind, PlannedDisturbance, Undisturbed } from '../disturbance.js'
import { honouringKeys } from './keys-honoured.js'
import { atRequest, isAboutTheEnd, methodOf, numberIn, usedOperations } from './used.js'

/** What happens to one response. */
interface Effect {
  /** Its name in ids. */
  readonly name: string
  readonly fault: Fault
  /** For a request that writes, if that is another one: its deed is done all the same. */
  readonly ofWrite?: Fault
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
    ofWrite: { performed: true, reset: true, times: 1 },
    words: 'never comes, for the connection is reset',
    advice: lookFirst,
  },
  {
    name: 'slow',
    fault: { delay: '90s', times: 1 },
    ofWrite: { performed: true, delay: '90s', times: 1 },
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
  name: 'faults',
  planned(undisturbed) {
    const counts = usedOperations(undisturbed)
    const writes = [...counts.keys()].filter((one) => isWrite(one, undisturbed))
    const reads = [...counts.keys()].filter((one) => methodOf(one, undisturbed) === 'GET')
    const places = [...writes, ...reads].flatMap((operation) => {
      return [1, 2].filter((nth) => nth <= (counts.get(operation) ?? 0)).map((nth) => ({ operation, nth }))
    })
    // The first use of each operation comes before a later use of any.
    const inOrder = places.toSorted((one, other) => one.nth - other.nth)
    return effects.flatMap(({ name, onlyWrites }) => {
      const met = inOrder.filter(({ operation }) => !onlyWrites || writes.includes(operation))
      return met.map(({ operation, nth }): PlannedDisturbance => {
        const rank = rankOf(name, operation, nth, { writes, reads }, undisturbed)
        return { id: `faults/${operation}/${nth}/${name}`, group: name, ...(rank && { rank }) }
      })
    })
  },
  disturbance(id, story): Disturbance | undefined {
    const [kind, operation = '', number, name = '', ...rest] = id.split('/')
    const nth = numberIn(number)
    const effect = effects.find((one) => one.name === name)
    const isKnown = kind === 'faults' && rest.length === 0 && methodOf(operation, story) !== undefined
    if (!isKnown || nth === undefined || !effect) return undefined
    const writes = isWrite(operation, story)
    if (effect.onlyWrites && !writes) return undefined
    const fault = { operation, ...((writes && effect.ofWrite) || effect.fault) } as Fault
    const performed = writes && effect.ofWrite ? ', after the request was performed' : ''
    return {
      id,
      kind: 'faults',
      words: `the response to ${operation} (${nth}) ${effect.words}${performed}`,
      advice: name === 'reset' && !writes ? tryAgain : effect.advice,
      edit: (document) => addFault(honouringKeys(document, story), id, atRequest(operation, nth), fault),
    }
  },
  judges: isAboutTheEnd,
}

/** Returns whether an operation writes. */
function isWrite(operation: string, story: DisturbedStory): boolean {
  return (methodOf(operation, story) ?? 'GET') !== 'GET'
}

/** Returns the place among the ten most valuable: the first mail lost after it was sent, and the first read refused for a while. */
function rankOf(
  effect: string,
  operation: string,
  nth: number,
  { writes, reads }: { readonly writes: readonly string[]; readonly reads: readonly string[] },
  { play, exchanges }: Undisturbed,
): number | undefined {
  if (nth !== 1) return undefined
  const [sent] = play.simulator.sentBy()
  const sending = exchanges.find(({ seq }) => seq === sent?.exchange)?.operation
  if (effect === 'lost' && operation === (sending ?? writes[0])) return 1
  return effect === '503' && operation === reads[0] ? 6 : undefined
}
