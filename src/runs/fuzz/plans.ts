import * as fc from 'fast-check'
import { mayGiveUp } from './judging.js'
import { losesDeed } from './kinds/faults.js'
import { formOf, type PlanElement, type Pool, spotOf, subjectOf } from './kinds/kinds.js'
import { isLateNews } from './kinds/mail.js'
import type { Vary } from './kinds/vary.js'

/** The elements that plans may have, and how many. */
export interface PlanShape {
  readonly pool: Pool
  readonly kinds: readonly Vary[]
  readonly most: number
  /** Whether each operation has at most one fault. */
  readonly fewFaults: boolean
}

/** Returns the arbitrary of the elements of a plan: no element twice, and one assumption of a gap. */
export function elementsArbitrary({ pool, kinds, most, fewFaults }: PlanShape): fc.Arbitrary<PlanElement[]> {
  // Lost responses to what must not happen twice are few among the faults, and mail between a look and an answer is little of
  // the mail, but clients most often fail there.
  const lost = kinds.includes('faults') ? pool.faults.filter(losesDeed) : []
  const news = kinds.includes('mail') ? pool.mail.filter(isLateNews) : []
  const present = [...kinds.map((kind): readonly PlanElement[] => pool[kind]), lost, news].filter(
    (elements) => elements.length > 0,
  )
  if (present.length === 0) return fc.constant([])
  const element = fc.oneof(...present.map((elements) => elementArbitrary(elements)))
  // With a least length, the last element of two would never be left out.
  const selector = (one: PlanElement): string => {
    return fewFaults && one.vary === 'faults' ? `faults ${one.fault.operation}` : subjectOf(one)
  }
  const elements = fc.uniqueArray(element, { maxLength: most, selector, size: 'max' })
  // Without a bias towards few elements, which the sizes of plans already have.
  return fc.noBias(elements.filter(({ length }) => length > 0))
}

/**
 * Returns the arbitrary of one kind of element. Form and spot are generated independently, so that no form is
 * more likely because it is possible in many spots, and each is shrunk separately.
 */
function elementArbitrary(elements: readonly PlanElement[]): fc.Arbitrary<PlanElement> {
  const forms = [...new Set(elements.map(formOf))]
  const spots = [...new Set(elements.map(spotOf))]
  const known = new Map(elements.map((one) => [`${formOf(one)} ${spotOf(one)}`, one]))
  const ofForm = new Map(forms.map((form) => [form, elements.filter((one) => formOf(one) === form)]))
  return fc.tuple(fc.constantFrom(...forms), fc.nat({ max: spots.length - 1 })).map(([form, spot]) => {
    const all = ofForm.get(form) as PlanElement[]
    return known.get(`${form} ${spots[spot]}`) ?? (all[spot % all.length] as PlanElement)
  })
}

/**
 * Returns the kinds of elements for the plans of a run: a random subset, so that rare kinds come up, with at least
 * two kinds if there are two, since the small plans of other runs cover single kinds.
 */
export function swarm(kinds: readonly Vary[], seed: number): Vary[] {
  const minLength = Math.min(2, kinds.length)
  const [chosen = []] = fc.sample(fc.subarray([...kinds], { minLength }), { numRuns: 1, seed })
  return chosen
}

/**
 * Returns the shape of the plans of a run: small ones come first. Many elements at a time make rare
 * combinations likely, and shrinking takes them apart; they include only faults that any client tolerates,
 * since others excuse it from the rest.
 */
export function planShape(run: number, runs: number, pool: Pool, kinds: readonly Vary[]): PlanShape {
  const share = run / runs
  const small = { pool, kinds, fewFaults: false }
  if (share < 0.15) return { ...small, most: 1 }
  if (share < 0.35) return { ...small, most: 2 }
  if (share < 0.5) return { ...small, most: 4 }
  const faults = pool.faults.filter(({ fault }) => !mayGiveUp([fault]))
  return { pool: { ...pool, faults }, kinds, most: share < 0.7 ? 10 : 24, fewFaults: true }
}

/** Mixes the seed of a search with the number of a run, into the seed of that run. */
export function seedOfRun(seed: number, run: number): number {
  const mixed = Math.imul((seed ^ 0x9e3779b9) + Math.imul(run + 1, 0x85ebca6b), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 15)) | 0
}
