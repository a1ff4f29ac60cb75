import { noExtensions } from '../../../contract/extensions.js'
import type { AnyOperationName } from '../../../contract/operations.js'
import type { Fault } from '../../../service/faults/fault.js'
import type { EntryInput } from '../../../story/overlays/moves.js'
import { type AssumptionElement, assumptionKind } from './assumptions.js'
import { type DeliveryElement, deliveryKind } from './deliveries.js'
import { type FaultElement, faultKind, losesDeed } from './faults.js'
import { type FormElement, formKind } from './forms.js'
import type { ElementKind, PlanChange, PlanOverlay, PoolFacts } from './kind.js'
import { type LifeElement, lifeKind } from './life.js'
import { type MailElement, mailKind } from './mail.js'
import { type SizeElement, sizeKind } from './sizes.js'
import { type TimingElement, timingKind } from './timing.js'
import { type Vary, varyKinds } from './vary.js'

/** One change of a story; plain data. */
export type PlanElement =
  | AssumptionElement
  | FaultElement
  | MailElement
  | SizeElement
  | TimingElement
  | DeliveryElement
  | LifeElement
  | FormElement

/** The elements of one kind. */
type ElementOf<Kind extends Vary> = Extract<PlanElement, { readonly vary: Kind }>

/** The elements that plans are made of, by kind. */
export type Pool = { readonly [Kind in Vary]: readonly ElementOf<Kind>[] }

/** The kinds of elements. */
const kinds: { readonly [Kind in Vary]: ElementKind<ElementOf<Kind>> } = {
  assumptions: assumptionKind,
  faults: faultKind,
  mail: mailKind,
  sizes: sizeKind,
  timing: timingKind,
  deliveries: deliveryKind,
  life: lifeKind,
  forms: formKind,
}

function kindOf({ vary }: PlanElement): ElementKind<PlanElement> {
  return kinds[vary] as ElementKind<never>
}

/** Returns the elements that may matter to a client, given its run without changes. */
export function poolOf(facts: PoolFacts): Pool {
  return Object.fromEntries(varyKinds.map((kind) => [kind, kinds[kind].elements(facts)])) as unknown as Pool
}

/** Returns the elements that may matter to an unknown client of a scenario. */
export function anyPool(story: Pick<PoolFacts, 'document' | 'initialState' | 'named'>): Pool {
  const { extensions = noExtensions } = story.initialState
  const reads = ['threads.list', 'messages.list', 'identities.get'] as const
  const posts = extensions.operations.flatMap(({ id, method }) => (method === 'POST' ? [id] : []))
  const factsWith = (names: readonly AnyOperationName[]): PoolFacts => {
    const operations = new Map(names.map((name) => [name, 3]))
    const limits = new Set([50])
    return { ...story, base: { operations, limits, asked: [], agents: new Set(), relied: [] } }
  }
  const pool = poolOf(factsWith(reads))
  const lost = faultKind.elements(factsWith(posts)).filter(losesDeed)
  return { ...pool, faults: [...pool.faults, ...lost].map(shortened) }
}

/** Returns a fault whose delay takes as long on a frozen clock, in wall time, as on the clock of `fuzz`, which runs at 10x. */
function shortened(element: FaultElement): FaultElement {
  const { delay, drip } = element.fault
  const short = { ...(delay !== undefined && { delay: '1ms' }), ...(drip !== undefined && { drip: '1ms' }) }
  return { ...element, fault: { ...element.fault, ...short } }
}

/** Returns a key that is the same for equal elements. */
export function keyOfElement(element: PlanElement): string {
  return JSON.stringify(element)
}

/** Describes an element in words. */
export function describeElement(element: PlanElement): string {
  return kindOf(element).describe(element)
}

/** The kinds by how well they explain a failure, the best first. */
const explaining: readonly Vary[] = [
  ...(['assumptions', 'forms', 'mail', 'deliveries', 'timing', 'sizes', 'life', 'faults'] as const),
]

/** Returns advice about a failure under some elements, in a sentence. */
export function adviceUnder(elements: readonly PlanElement[]): string {
  const [first] = explaining.flatMap((kind) => elements.filter(({ vary }) => vary === kind))
  return first ? kindOf(first).advice(first) : ''
}

export const isMet: ElementKind<PlanElement>['isMet'] = (element, played, base) => {
  return kindOf(element).isMet(element, played, base)
}

export function formOf(element: PlanElement): string {
  return kindOf(element).form?.(element) ?? element.vary
}

export function spotOf(element: PlanElement): string {
  return kindOf(element).spot?.(element) ?? keyOfElement(element)
}

export function subjectOf(element: PlanElement): string {
  return kindOf(element).subject?.(element) ?? keyOfElement(element)
}

export function shapeOf(element: PlanElement): string {
  return kindOf(element).shape?.(element) ?? element.vary
}

/** Returns what elements change for a client. */
export function planChanges(elements: readonly PlanElement[]): ReadonlySet<PlanChange> {
  return new Set(elements.flatMap((element) => kindOf(element).changes(element)))
}

/** Returns the faults among elements. */
export function faultsOf(elements: readonly PlanElement[]): Fault[] {
  return elements.flatMap((element) => kindOf(element).fault?.(element) ?? [])
}

/** Returns how many messages or threads an element adds. */
export function addedBy(element: PlanElement): number {
  return kindOf(element).adds?.(element) ?? 0
}

/**
 * Returns the element that shows whether a client tolerates the content of another element; undefined if that
 * has no content.
 */
export function plainContent(element: PlanElement, pool: Pool): PlanElement | undefined {
  return kindOf(element).plain?.(element, pool[element.vary])
}

function entriesOf(element: PlanElement) {
  return kindOf(element).entries?.(element) ?? []
}

/** Returns what elements lay over a story. */
export function overlayOf(elements: readonly PlanElement[]) {
  const parts = byKind(elements).flatMap((own) => kindOf(own[0]).overlay?.(own) ?? [])
  const names = new Set(parts.flatMap(({ moved = {} }) => Object.keys(moved)))
  const moves = [...names].map((name) => {
    return [name, Object.assign({}, ...parts.map(({ moved }) => moved?.[name]))] as const
  })
  return {
    ...Object.assign({}, ...parts),
    ...(names.size > 0 && { moved: Object.fromEntries(moves) }),
    entries: elements.flatMap(entriesOf),
  } as PlanOverlay & { readonly entries: readonly EntryInput[] }
}

function byKind(elements: readonly PlanElement[]): (readonly [PlanElement, ...PlanElement[]])[] {
  return varyKinds.flatMap((kind) => {
    const [first, ...others] = elements.filter(({ vary }) => vary === kind)
    return first ? [[first, ...others] as const] : []
  })
}
