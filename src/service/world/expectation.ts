import type { GapId } from '../../contract/gaps.js'
import type { AnyOperationName } from '../../contract/operations.js'
import type { EventType } from '../../contract/resources.js'
import type { DeliveryStatus } from '../webhooks/delivery.js'

/** The kinds of expectations. An expectation with several of these keys is of the first kind in this list. */
export const expectationKinds = [
  'message',
  'thread',
  'identity',
  'request',
  'sent',
  'delivery',
  'reliances',
  'errors',
  'leak',
  'invariant',
] as const

/** The kind of an expectation. */
export type ExpectationKind = (typeof expectationKinds)[number]

/** Conditions on a value, instead of the value itself; all of them must hold. */
export interface ValueCondition {
  readonly contains?: string | undefined
  /** The source of a regular expression that must match. */
  readonly matches?: string | undefined
  /** The flags of that regular expression. */
  readonly flags?: string | undefined
  readonly at_least?: number | undefined
  readonly at_most?: number | undefined
}

/** The id of a thread or a message that a scenario names by its key. */
export interface NamedId {
  readonly id: string
  /** For people: `thread refund`. */
  readonly name: string
}

/** An expected value: the value itself, a condition, or the id of a thread or a message. */
export type ExpectedValue = string | number | boolean | null | ValueCondition | NamedId

/** A moment at which a window begins or ends: a request, a timeline entry, another expectation being met, or a time. */
export type Milestone = { readonly name: string } & (
  | { readonly kind: 'operation'; readonly operation: AnyOperationName }
  /** The index of the entry in the timeline. */
  | { readonly kind: 'entry'; readonly entry: number }
  /** The index of the expectation in the file. */
  | { readonly kind: 'expectation'; readonly expectation: number }
  /** Milliseconds after the start of the story. */
  | { readonly kind: 'time'; readonly after: number }
)

/** A length of story time. */
interface Span {
  /** As written in the file, e.g. `30s`. */
  readonly text: string
  readonly milliseconds: number
}

/** The part of the story that counts; fields are null when unset. */
export interface StoryWindow {
  readonly after: Milestone | null
  readonly before: Milestone | null
  /** From `after`, or from the start of the story. */
  readonly within: Span | null
}

/** The expected number. */
export interface Amount {
  readonly least: number
  /** Null when there is no limit. */
  readonly most: number | null
}

interface Named {
  /** The key in the file. */
  readonly key: string | null
  /** The scenario's own description of the expectation. */
  readonly describe: string | null
  /** How much it counts in a score; one by default. */
  readonly weight?: number
}

/** Expects a state of an agent, a thread or a message: at the end, or at some moment of a window. */
export interface StateExpectation extends Named {
  readonly kind: 'identity' | 'thread' | 'message'
  readonly id: string
  /** The scenario's name for it, e.g. `thread refund of support`. */
  readonly name: string
  /** The expected fields, as the service returns them. */
  readonly has: Readonly<Record<string, ExpectedValue>>
  readonly window: StoryWindow
}

/** Selects requests of an operation. */
export interface RequestCondition {
  readonly path?: ExpectedValue | undefined
  /** Query parameters; null for one that must be missing. */
  readonly query?: Readonly<Record<string, ExpectedValue>> | undefined
  /** Fields of the JSON body; other fields may be present. */
  readonly body?: Readonly<Record<string, ExpectedValue>> | undefined
  readonly status?: number | undefined
}

/** Expects a number of requests of an operation. */
export interface RequestExpectation extends Named {
  readonly kind: 'request'
  readonly operation: AnyOperationName
  readonly where: RequestCondition
  readonly amount: Amount
  readonly window: StoryWindow
}

/** Selects mail that agents sent. In addresses, `*` matches any characters. */
export interface SentCondition {
  /** The handle of the agent that sent it. */
  readonly from?: string
  /** Addresses that it goes to, or the only addresses that its recipients of any kind may have. */
  readonly to?: readonly string[] | { readonly only: readonly string[] }
  readonly cc?: readonly string[]
  readonly bcc?: readonly string[]
  readonly thread?: NamedId
  readonly in_reply_to?: NamedId
  readonly subject?: ExpectedValue
  readonly text?: ExpectedValue
  readonly html?: ExpectedValue
  /** Names of files, all of which must be attached; none if empty. */
  readonly attachments?: readonly ExpectedValue[]
}

/** Expects a number of messages that agents sent. */
export interface SentExpectation extends Named {
  readonly kind: 'sent'
  readonly where: SentCondition
  /**
   * Whether it counts mail that meets the other conditions but goes to recipients that `to` does not allow.
   */
  readonly others: boolean
  readonly amount: Amount
  readonly window: StoryWindow
}

/** Expects a number of deliveries at the end. */
export interface DeliveryExpectation extends Named {
  readonly kind: 'delivery'
  readonly event: EventType
  readonly status: DeliveryStatus | null
  readonly url: string | null
  readonly amount: Amount
  readonly window: StoryWindow
}

/** Expects that exchanges and deliveries rely on no gaps other than these. */
export interface ReliancesExpectation extends Named {
  readonly kind: 'reliances'
  readonly gaps: readonly GapId[]
}

/** Expects that no response has a 4xx status other than these. */
export interface ErrorsExpectation extends Named {
  readonly kind: 'errors'
  readonly except: readonly number[]
}

/** Expects that secrets reach nobody but those allowed. */
export interface LeakExpectation extends Named {
  readonly kind: 'leak'
  /** The names of the secrets; null for all. */
  readonly secrets: readonly string[] | null
  /** The addresses to which mail may contain them; `*` matches any characters. */
  readonly allowedTo: readonly string[]
}

/** The rules that every good client follows in any story. */
export const invariantNames = [
  'ends',
  'gives-up',
  'obeys-retry-after',
  'handles-events-once',
  'answers-deliveries',
  'writes-nothing-else',
  'sends-once',
  'never-answers-itself',
  'answers-no-automatic-mail',
] as const

/** The name of an invariant. */
export type InvariantName = (typeof invariantNames)[number]

/** Expects that an invariant holds. */
export interface InvariantExpectation extends Named {
  readonly kind: 'invariant'
  readonly invariant: InvariantName
  /** The maximum number of requests; null for the invariant's default. */
  readonly atMost: number | null
  /** The permitted writes, in the form in which `writes-nothing-else` reports them; null when unset. */
  readonly writes: readonly string[] | null
  readonly window: StoryWindow
}

/** A resolved expectation of a scenario, as plain data. */
export type Expectation =
  | StateExpectation
  | RequestExpectation
  | SentExpectation
  | DeliveryExpectation
  | ReliancesExpectation
  | ErrorsExpectation
  | LeakExpectation
  | InvariantExpectation
