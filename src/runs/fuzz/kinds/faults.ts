import { operations } from '../../../contract/operations.js'
import type { Fault } from '../../../service/faults/fault.js'
import type { EntryInput } from '../../../story/overlays/moves.js'
import { nameOfFault } from '../facts.js'
import type { RequestNumber } from '../request-number.js'
import { atRequest, type ElementKind, mayWrite } from './kind.js'

/** A fault that disturbs responses, starting with a request. */
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
  // It succeeds, and its response is lost.
  { performed: true, status: 503, times: 1 },
]

/**
 * Returns whether an operation happens and its response is lost, so that a client that repeats it does it
 * twice. The documented writes may be repeated; those of extensions send and create.
 */
export function losesDeed({ fault: { operation, performed } }: FaultElement): boolean {
  return performed === true && operation !== undefined && !Object.hasOwn(operations, operation)
}

export const faultKind: ElementKind<FaultElement> = {
  elements({ base, initialState }) {
    const places = [...base.operations].flatMap(([request, count]) => {
      const numbers = new Set([1, 2, 3, count].filter((nth) => nth <= count))
      return [...numbers].map((nth) => ({ request, nth }))
    })
    return faultEffects.flatMap((effect) => {
      const affected = effect.performed
        ? places.filter(({ request }) => mayWrite(request, initialState))
        : places
      return affected.map((when) => {
        return { vary: 'faults', when, fault: { operation: when.request, ...effect } as Fault } as const
      })
    })
  },
  describe({ when, fault: { operation: _, status, retry_after, times, performed, ...effect } }) {
    const names = Object.keys(effect).filter((name) => name !== 'after')
    const answered = performed ? 'it happens, but its response is' : 'its response is'
    const what =
      status === undefined ? `its response is disturbed (${names.join(', ')})` : `${answered} ${status}`
    const wait = retry_after === undefined ? '' : ` with Retry-After ${retry_after}`
    const often = times === undefined ? 'from then on' : times === 1 ? 'once' : `${times} times`
    return `${atRequest(when)}, ${what}${wait}, ${often}`
  },
  advice: ({ fault }) =>
    fault.performed
      ? 'A write whose response was lost may have happened: look for its result before you repeat it.'
      : 'After 429 and 503, retry a request that only reads a few times, each time after its Retry-After.',
  changes: () => ['failures'],
  fault: ({ fault }) => fault,
  isMet: ({ fault }, played) => played.faults.has(nameOfFault(fault)),
  form: ({ fault }) => JSON.stringify({ ...fault, operation: undefined }),
  spot: ({ when }) => JSON.stringify(when),
  entries({ when, fault }) {
    const { operation: _, ...effect } = fault
    const words = Object.entries(effect).map(([name, value]) => (value === true ? name : `${name} ${value}`))
    return [{ key: `${words.join(' ')} at ${when.request} ${when.nth}`, when, fault } as EntryInput]
  },
}
