import type * as FastCheck from 'fast-check'
import { keyOfElement, type PlanElement, type Vary } from './elements.js'
import type { Pool } from './pool.js'

/** What `fast-check` exports: given by whoever has it, since it need not be there. */
export type FastCheckModule = typeof FastCheck

/** Which elements plans may have, and how many. */
export interface PlanShape {
  readonly pool: Pool
  readonly kinds: readonly Vary[]
  readonly most: number
}

/** Returns the arbitrary of the elements of a plan: no element twice, and one reading of a gap. */
export function elementsArbitrary(
  fc: FastCheckModule,
  { pool, kinds, most }: PlanShape,
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
  const elements = fc.uniqueArray(element, { maxLength: most, selector: placeOf, size: 'max' })
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
 * Returns the most elements of a plan: small plans come first. Many at a time make rare combinations likely, and shrinking
 * takes them apart; but of faults a client may bear only a few.
 */
export function mostElements(run: number, runs: number, kinds: readonly Vary[]): number {
  const share = run / runs
  if (share < 0.15) return 1
  if (share < 0.35) return 2
  if (kinds.includes('faults')) return 4
  return share < 0.6 ? 6 : 14
}

/** Mixes the seed of a search with the number of a run, into the seed of that run. */
export function seedOfRun(seed: number, run: number): number {
  const mixed = Math.imul((seed ^ 0x9e3779b9) + Math.imul(run + 1, 0x85ebca6b), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 15)) | 0
}
