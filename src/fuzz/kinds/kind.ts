import { type AnyOperationName, operations } from '../../contract/operations.js'
import type { ScenarioInput } from '../../scenario/index.js'
import type { Delivery, InitialState } from '../../world/index.js'
import type { PlayedStory, ReliedReading, RequestNumber } from '../facts.js'

/** One kind of elements: how they are drawn, made simpler, described, and put into a story. */
export interface ElementKind<Element> {
  /** Returns the elements that may matter to a client, the simplest first: shrinking goes towards the first. */
  elements(facts: PoolFacts): readonly Element[]
  /** Describes an element in words, e.g. `at request 2 of threads.list, it is answered 503, once`. */
  describe(element: Element): string
  /** Returns what a client that fails under it has to do, in a sentence. */
  advice(element: Element): string
  /** Tells whether the element made a difference in a run of a client. */
  isMet(element: Element, played: PlayedStory, base: PlayedStory): boolean
  /** What it does, apart from where: drawn apart from that. The kind is the only form by default. */
  form?(element: Element): string
  /** Where, or as what, it does that; the whole element by default. */
  spot?(element: Element): string
  /** What only one element of a plan can be about; the whole element by default. */
  subject?(element: Element): string
  /** What elements have in common that have the same cause; their kind by default. */
  shape?(element: Element): string
  /** The other mail that it brings, and how much of it. */
  content?(element: Element): { readonly brought: Content; readonly count: number }
  /** The entries that it adds to the timeline. */
  entries?(element: Element): WrittenEntry[]
  /** Changes what is written in a scenario. */
  rewrite?(document: ScenarioInput, elements: readonly Element[]): ScenarioInput
  /** Changes a story that is loaded as `rewrite` does one that is written. */
  change?(state: InitialState, elements: readonly Element[]): InitialState
}

/** What brings other mail: mail that begins a thread or joins one, or more threads. */
export type Content = 'new-thread' | 'joining' | 'sizes'

/** An entry of a timeline as a scenario writes it. */
export type WrittenEntry = NonNullable<ScenarioInput['timeline']>[number]

/** An identity as a scenario writes it. */
export type WrittenIdentity = NonNullable<ScenarioInput['identities']>[number]

/** An entry of the timeline: its place in the file, and its name. */
export interface NamedEntry {
  readonly entry: number
  readonly name: string
}

/** What the elements of a scenario depend on. */
export interface PoolFacts {
  readonly document: ScenarioInput
  readonly initialState: InitialState
  /** The run without changes; without deliveries where nothing is known of it. */
  readonly base: Pick<PlayedStory, 'operations' | 'asked' | 'limits' | 'agents' | 'relied'> & {
    readonly deliveries?: readonly Delivery[]
  }
  /** What it may rely on; all that could matter to its operations where that is not known. */
  readonly relied?: readonly ReliedReading[] | undefined
}

/** Tells whether requests of an operation change nothing; those of extensions may. */
export function onlyReads(name: AnyOperationName | undefined): boolean {
  const known: Readonly<Record<string, { readonly method: string }>> = operations
  return name !== undefined && known[name]?.method === 'GET'
}

/** Returns the requests that something may happen at: the first few of each operation, and the last. */
export function momentsOf({ operations: met }: PoolFacts['base']): RequestNumber[] {
  return [...met].flatMap(([request, count]) => {
    const numbers = new Set([2, 1, 3, 4, count].filter((nth) => nth <= count + 1))
    return [...numbers].map((nth) => ({ request, nth }))
  })
}

/** Returns the identities whose mail the client lists: of the others it hears nothing. */
export function listedIdentities({ document, base: { agents } }: PoolFacts): readonly WrittenIdentity[] {
  const all = document.identities ?? []
  const listed = all.filter(({ handle }) => agents.has(handle))
  return (listed.length > 0 ? listed : all).slice(0, 3)
}

export function atRequest({ request, nth }: RequestNumber): string {
  return `at request ${nth} of ${request}`
}

export function inTimeline({ name }: NamedEntry): string {
  return `what the timeline has as "${name}"`
}
