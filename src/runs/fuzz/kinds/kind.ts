import { noExtensions } from '../../../contract/extensions.js'
import { type AnyOperationName, operations } from '../../../contract/operations.js'
import type { AssumptionChoices } from '../../../service/assumptions/assumptions.js'
import type { Fault } from '../../../service/faults/fault.js'
import type { Delivery } from '../../../service/webhooks/delivery.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import type { MailboxSizes, WrittenIdentity } from '../../../story/overlays/mailboxes.js'
import type { FormedMessage } from '../../../story/overlays/message-forms.js'
import type { EntryInput, Moves } from '../../../story/overlays/moves.js'
import type { Story } from '../../../story/overlays/story.js'
import type { PlayedStory, ReliedAssumption } from '../facts.js'
import type { RequestNumber } from '../request-number.js'
import type { Vary } from './vary.js'

/** What an element changes for a client, which decides by what the client can still be judged. */
export type PlanChange =
  /** Its mail is written in another way. */
  | 'words'
  /** It sees other mail, or the same at other times. */
  | 'mail'
  /** Further mail comes while it works. */
  | 'meanwhile'
  /** Threads that there were get further mail. */
  | 'threads'
  /** Things that come one after another may come together. */
  | 'together'
  /** Mail may come whose header fields it cannot see. */
  | 'hidden-headers'
  /** Responses are others, for another assumption. */
  | 'responses'
  /** Requests fail. */
  | 'failures'
  /** Events come differently. */
  | 'events'
  /** It learns of mail late. */
  | 'late'
  /** Its program is started again, or twice. */
  | 'restarts'

/** A kind of element: how its elements are generated, shrunk, described and added to a story. */
export interface ElementKind<Element> {
  /** Returns the elements that may matter to a client, the simplest first, since shrinking moves to the first. */
  elements(facts: PoolFacts): readonly Element[]
  /** Describes an element in words, e.g. `at request 2 of threads.list, its response is 503, once`. */
  describe(element: Element): string
  /** Returns advice for a client that fails under the element, in a sentence. */
  advice(element: Element): string
  /** Returns what the element changes for a client. */
  changes(element: Element): readonly PlanChange[]
  /** Returns the fault that the element is, if it is one. */
  fault?(element: Element): Fault
  /** Returns whether the element affected a run of a client. */
  isMet(element: Element, played: PlayedStory, base: PlayedStory): boolean
  /**
   * Returns what the element does, which is generated independently of where it does it; by default its kind.
   */
  form?(element: Element): string
  /** Returns where the element does it; by default the whole element. */
  spot?(element: Element): string
  /** Returns the subject that only one element of a plan can have; by default the whole element. */
  subject?(element: Element): string
  /** Returns what failures with the same cause have in common; by default the kind. */
  shape?(element: Element): string
  /** Returns how many messages or threads the element adds. */
  adds?(element: Element): number
  /**
   * Returns the element of the kind's elements that shows, without a disturbance, whether a client tolerates such
   * content at all; undefined for one without content.
   */
  plain?(element: Element, all: readonly Element[]): Element | undefined
  /** Returns the entries that the element adds to the timeline. */
  entries?(element: Element): EntryInput[]
  /** Returns what else the elements lay over the story. */
  overlay?(elements: readonly Element[]): PlanOverlay
}

/** What a plan lays over a story, beside further entries. */
export interface PlanOverlay {
  readonly assumptions?: AssumptionChoices
  readonly mailboxes?: MailboxSizes
  readonly forms?: readonly FormedMessage[]
  readonly moved?: Moves
}

/** An entry of the timeline: its place in the file, and its name. */
export interface NamedEntry {
  readonly entry: number
  readonly name: string
}

/** The facts that the elements of a scenario depend on. */
export interface PoolFacts {
  readonly document: ScenarioInput
  readonly initialState: Story
  /** The run without changes; its deliveries are undefined if the client is unknown. */
  readonly base: Pick<PlayedStory, 'operations' | 'asked' | 'limits' | 'agents' | 'relied'> & {
    readonly deliveries?: readonly Delivery[]
    /** Whether it ended by itself, and how many messages it sent, if it is known. */
    readonly ended?: boolean
    readonly mails?: number
    readonly lateNews?: PlayedStory['lateNews']
  }
  /** Whether the client is a program that can be killed and started again. */
  readonly canRestart?: boolean | undefined
  /** The assumptions that the client may rely on; by default those of the run without changes. */
  readonly relied?: readonly ReliedAssumption[] | undefined
  /** The kinds that somebody has named; undefined if all are tried by default. */
  readonly named?: readonly Vary[] | undefined
}

/** Returns whether an operation only reads; operations of extensions may write. */
export function onlyReads(name: AnyOperationName | undefined): boolean {
  const known: Readonly<Record<string, { readonly method: string }>> = operations
  return name !== undefined && known[name]?.method === 'GET'
}

/** Returns whether an operation may write, documented or of an extension. */
export function mayWrite(name: AnyOperationName, { extensions = noExtensions }: Story): boolean {
  const extension = extensions.operations.find(({ id }) => id === name)
  return extension ? extension.method !== 'GET' : !onlyReads(name)
}

/** Returns the requests at which something may happen: the first few of each operation, and the last one. */
export function momentsOf({ operations: met }: PoolFacts['base']): RequestNumber[] {
  return [...met].flatMap(([request, count]) => {
    const numbers = new Set([2, 1, 3, 4, count].filter((nth) => nth <= count + 1))
    return [...numbers].map((nth) => ({ request, nth }))
  })
}

/** Returns the identities whose mail the client lists; it never sees the others. */
export function listedIdentities({ document, base: { agents } }: PoolFacts): readonly WrittenIdentity[] {
  const all = document.identities ?? []
  const listed = all.filter(({ handle }) => agents.has(handle))
  return (listed.length > 0 ? listed : all).slice(0, 3)
}

export function atRequest({ request, nth }: RequestNumber): string {
  return `at request ${nth} of ${request}`
}

export function inTimeline({ name }: NamedEntry): string {
  return `the timeline entry "${name}"`
}
