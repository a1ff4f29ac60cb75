import type * as FastCheck from 'fast-check'
import { keyOfElement, type PlanElement, type Vary } from './elements.js'
import { mayGiveUp } from './judging.js'
import type { Pool } from './pool.js'

/** What `fast-check` exports: given by whoever has it, since it need not be there. */
export type FastCheckModule = typeof FastCheck

/** Which elements plans may have, and how many. */
export interface PlanShape {
  readonly pool: Pool
  readonly kinds: readonly Vary[]
  readonly most: number
  /** Whether an operation has one fault at most. */
  readonly fewFaults: boolean
}

/** Returns the arbitrary of the elements of a plan: no element twice, and one reading of a gap. */
export function elementsArbitrary(
  fc: FastCheckModule,
  { pool, kinds, most, fewFaults }: PlanShape,
): FastCheck.Arbitrary<PlanElement[]> {
  const present = kinds.map((kind) => pool[kind]).filter((elements) => elements.length > 0)
  if (present.length === 0) return fc.constant([])
  // A gap with many readings is no more likely than others, nor is a form of mail that fits many places.
  const element = fc.oneof(
    ...present.map((elements) => {
      const names = [...new Set(elements.map(groupOf))]
      const groups = names.map((name) => elements.filter((one) => groupOf(one) === name))
      return fc.oneof(...groups.map((group) => fc.constantFrom(...group)))
    }),
  )
  // With a least length, the last element of two would never be left out.
  const selector = (one: PlanElement): string => {
    return fewFaults && one.vary === 'faults' ? `faults ${one.fault.operation}` : placeOf(one)
  }
  const elements = fc.uniqueArray(element, { maxLength: most, selector, size: 'max' })
  // Without a bias towards few of them, which the sizes of plans have already.
  return fc.noBias(elements.filter(({ length }) => length > 0))
}

function groupOf(element: PlanElement): string {
  switch (element.vary) {
    case 'readings':
      return element.gap
    case 'mail':
      return element.form
    case 'faults':
      return `${element.fault.status ?? 'damage'} ${element.fault.times}`
    default:
      return element.vary
  }
}

/** Names what only one element of a plan is about. */
export function placeOf(element: PlanElement): string {
  switch (element.vary) {
    case 'readings':
      return `readings ${element.gap}`
    case 'sizes':
      return `sizes ${element.identity}`
    case 'timing':
      return `timing ${element.entry}`
    default:
      return keyOfElement(element)
  }
}

/** Returns which kinds of elements the plans of a run may have: not all of them at a time, so that rare ones come up. */
export function swarm(fc: FastCheckModule, kinds: readonly Vary[], seed: number): Vary[] {
  if (kinds.length === 0) return []
  const [chosen = []] = fc.sample(fc.subarray([...kinds], { minLength: 1 }), { numRuns: 1, seed })
  return chosen
}

/**
 * Returns the shape of the plans of a run: small ones come first. Many elements at a time make rare combinations likely,
 * and shrinking takes them apart; among them are only faults that any client bears, since others excuse it from the rest.
 */
export function planShape(run: number, runs: number, pool: Pool, kinds: readonly Vary[]): PlanShape {
  const share = run / runs
  const small = { pool, kinds, fewFaults: false }
  if (share < 0.15) return { ...small, most: 1 }
  if (share < 0.35) return { ...small, most: 2 }
  if (share < 0.5) return { ...small, most: 4 }
  const faults = pool.faults.filter((one) => one.vary === 'faults' && !mayGiveUp([one.fault]))
  return { pool: { ...pool, faults }, kinds, most: share < 0.7 ? 6 : 14, fewFaults: true }
}

/** Mixes the seed of a search with the number of a run, into the seed of that run. */
export function seedOfRun(seed: number, run: number): number {
  const mixed = Math.imul((seed ^ 0x9e3779b9) + Math.imul(run + 1, 0x85ebca6b), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 15)) | 0
}
