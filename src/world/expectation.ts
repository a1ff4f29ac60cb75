import type { GapId } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'
import type { DeliveryStatus } from './webhooks/delivery.js'

/** The kinds of expectations; one that has several of these as keys is of the first kind. */
export const expectationKinds = [
  'message',
  'thread',
  'identity',
  'request',
  'delivery',
  'reliances',
  'errors',
  'invariant',
] as const

/** The kind of an expectation. */
export type ExpectationKind = (typeof expectationKinds)[number]

/** Something said of a value instead of the value itself; all of it has to be so. */
export interface ValueCondition {
  readonly contains?: string | undefined
  /** The source of a regular expression that fits it. */
  readonly matches?: string | undefined
  readonly at_least?: number | undefined
  readonly at_most?: number | undefined
}

/** The id of a thread that a scenario speaks of by its key. */
export interface ThreadReference {
  readonly threadId: string
  readonly key: string
}

/** An expected value: the value itself, a condition, or the id of a thread. */
export type ExpectedValue = string | number | boolean | null | ValueCondition | ThreadReference

/** A moment that an agent, the timeline or another expectation decides; windows begin after it or end before it. */
export type Milestone = { readonly name: string } & (
  | { readonly kind: 'operation'; readonly operation: AnyOperationName }
  /** The place of the entry in the timeline of the beginning. */
  | { readonly kind: 'entry'; readonly entry: number }
  /** The place of the expectation in the file. */
  | { readonly kind: 'expectation'; readonly expectation: number }
)

/** A length of story time. */
interface Span {
  /** As the file has it, e.g. `30s`. */
  readonly text: string
  readonly milliseconds: number
}

/** The part of the story that counts; null where nothing is said. */
export interface StoryWindow {
  readonly after: Milestone | null
  readonly before: Milestone | null
  /** From `after`, or from the start of the story. */
  readonly within: Span | null
}

/** How many there have to be. */
export interface Amount {
  readonly least: number
  /** Null where there may be any number. */
  readonly most: number | null
}

interface Named {
  /** The key the file gives it. */
  readonly key: string | null
  /** What must be true, in the scenario's own words. */
  readonly describe: string | null
}

/** That an agent, a thread or a message is in some state: at the end, or at some moment of a window. */
export interface StateExpectation extends Named {
  readonly kind: 'identity' | 'thread' | 'message'
  readonly id: string
  /** How the scenario speaks of it, e.g. `thread refund of support`. */
  readonly name: string
  /** Fields as the service shows them. */
  readonly has: Readonly<Record<string, ExpectedValue>>
  readonly window: StoryWindow
}

/** Which requests of an operation are meant. */
export interface RequestCondition {
  readonly path?: ExpectedValue | undefined
  /** Parameters of the query; null for one that is left out. */
  readonly query?: Readonly<Record<string, ExpectedValue>> | undefined
  /** Fields of the JSON body; others may be beside them. */
  readonly body?: Readonly<Record<string, ExpectedValue>> | undefined
  readonly status?: number | undefined
}

/** How many requests of an operation come. */
export interface RequestExpectation extends Named {
  readonly kind: 'request'
  readonly operation: AnyOperationName
  readonly where: RequestCondition
  readonly amount: Amount
  readonly window: StoryWindow
}

/** How many deliveries there are in the end. */
export interface DeliveryExpectation extends Named {
  readonly kind: 'delivery'
  readonly event: EventType
  readonly status: DeliveryStatus | null
  readonly url: string | null
  readonly amount: Amount
  readonly window: StoryWindow
}

/** That exchanges and deliveries rely on these gaps alone. */
export interface ReliancesExpectation extends Named {
  readonly kind: 'reliances'
  readonly gaps: readonly GapId[]
}

/** That no answer has a 4xx status but these. */
export interface ErrorsExpectation extends Named {
  readonly kind: 'errors'
  readonly except: readonly number[]
}

/** What holds for any good client, whatever the story. */
export const invariantNames = [
  'ends',
  'gives-up',
  'obeys-retry-after',
  'handles-events-once',
  'answers-deliveries',
  'writes-nothing-else',
] as const

/** The name of an invariant. */
export type InvariantName = (typeof invariantNames)[number]

/** That an invariant holds. */
export interface InvariantExpectation extends Named {
  readonly kind: 'invariant'
  readonly invariant: InvariantName
  /** How many requests are not too many; null for the invariant's own limit. */
  readonly atMost: number | null
  /** What may be written, as `writes-nothing-else` shows writes; null where nothing is said. */
  readonly writes: readonly string[] | null
  readonly window: StoryWindow
}

/** Something that must be true when a story is over, with everything in it resolved; plain data. */
export type Expectation =
  | StateExpectation
  | RequestExpectation
  | DeliveryExpectation
  | ReliancesExpectation
  | ErrorsExpectation
  | InvariantExpectation
