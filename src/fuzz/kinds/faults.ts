import type { Fault } from '../../world/index.js'
import { nameOfFault, type RequestNumber } from '../facts.js'
import { atRequest, type ElementKind } from './kind.js'

/** A fault that disturbs answers from a request on. */
export interface FaultElement {
  readonly vary: 'faults'
  readonly when: RequestNumber
  readonly fault: Fault
}

/** The effects of faults, the most common first. */
export const faultEffects: readonly Omit<Fault, 'operation'>[] = [
  { status: 503, times: 1 },
  { status: 503, retry_after: 1, times: 1 },
  { status: 429, retry_after: 1, times: 1 },
  { status: 500, times: 1 },
  { status: 503 },
  { status: 503, retry_after: 1, times: 2 },
  { reset: true, times: 1 },
  { malformed: true, times: 1 },
  { empty: true, times: 1 },
  { truncate: 20, times: 1 },
  { delay: '10ms', times: 1 },
  { drip: '10ms', times: 1 },
  { status: 500 },
]

export const faultKind: ElementKind<FaultElement> = {
  elements({ base }) {
    const places = [...base.operations].flatMap(([request, count]) => {
      const numbers = new Set([1, 2, 3, count].filter((nth) => nth <= count))
      return [...numbers].map((nth) => ({ request, nth }))
    })
    return faultEffects.flatMap((effect) => {
      return places.map((when) => {
        return { vary: 'faults', when, fault: { operation: when.request, ...effect } as Fault } as const
      })
    })
  },
  describe({ when, fault: { operation: _, status, retry_after, times, ...effect } }) {
    const names = Object.keys(effect).filter((name) => name !== 'after')
    const what =
      status === undefined ? `its answer is disturbed (${names.join(', ')})` : `it is answered ${status}`
    const wait = retry_after === undefined ? '' : ` with Retry-After ${retry_after}`
    const often = times === undefined ? 'from then on' : times === 1 ? 'once' : `${times} times`
    return `${atRequest(when)}, ${what}${wait}, ${often}`
  },
  advice: () =>
    'After 429 and 503, repeat a request that only reads a few times, once its Retry-After is over.',
  isMet: ({ fault }, played) => played.faults.has(nameOfFault(fault)),
  form: ({ fault }) => JSON.stringify({ ...fault, operation: undefined }),
  spot: ({ when }) => JSON.stringify(when),
  entries({ when, fault }) {
    const { operation: _, ...effect } = fault
    const words = Object.entries(effect).map(([name, value]) => (value === true ? name : `${name} ${value}`))
    return [{ key: `${words.join(' ')} at ${when.request} ${when.nth}`, when, fault }]
  },
}
