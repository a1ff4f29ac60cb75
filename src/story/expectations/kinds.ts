import { deliveryExpectations } from './delivery.js'
import { errorsExpectations } from './errors.js'
import { invariantExpectations } from './invariant.js'
import type { ExpectationKind, Written } from './kind.js'
import { leakExpectations } from './leak.js'
import { requestExpectations } from './request.js'
import { sentExpectations } from './sent.js'
import { identityExpectations, messageExpectations, threadExpectations } from './state.js'
import type { Compiled, NearestMatch } from './tracker.js'

/** Every kind of expectation by its key. An expectation with the keys of several is of the first of them. */
export const expectationKinds = {
  message: messageExpectations,
  thread: threadExpectations,
  identity: identityExpectations,
  request: requestExpectations,
  sent: sentExpectations,
  delivery: deliveryExpectations,
  errors: errorsExpectations,
  leak: leakExpectations,
  invariant: invariantExpectations,
}

type Kinds = typeof expectationKinds

/** The name of a kind of expectation. */
export type ExpectationKindName = keyof Kinds

/** The names of the kinds, in their order. */
export const expectationKindNames = Object.keys(expectationKinds) as ExpectationKindName[]

/** An expectation of a story. */
export interface Expectation extends Compiled {
  readonly kind: ExpectationKindName
  /** The key in the file. */
  readonly key: string | null
  /** The scenario's own description of it. */
  readonly describe: string | null
  /** How much it counts in a score; one by default. */
  readonly weight?: number
  /** As its author wrote it. */
  readonly written: Partial<Written<KindKeys>>
}

/** The result of one expectation of a scenario. */
export interface ExpectationResult {
  /** Its place in the file, counted from 0. */
  readonly index: number
  readonly key: string | null
  readonly kind: ExpectationKindName
  /** What must be true, in a sentence: the scenario's own, or a generated one. */
  readonly describe: string
  readonly passed: boolean
  /** The story time at which it failed, ISO 8601 UTC; the end of the run if it passed, or could still have passed. */
  readonly at: string
  /** The expectation in words, e.g. `at least 1 request of messages.list with query.agent "support"`. */
  readonly expected: string
  /** The finding in words, e.g. `0 of 14 requests`, `unread: true`. */
  readonly found: string
  /** The nearest match of a failed expectation, if there is one. */
  readonly nearest: NearestMatch | null
  /** Why it says nothing although it passed; absent if it was judged. */
  readonly unjudged?: string
}

/** Returns whether an agent meets an expectation only by doing something. */
export function isWork({ kind, amount, state }: Expectation): boolean {
  return amount ? amount.least > 0 : state !== undefined && kind !== 'identity'
}

/** Any kind: what it takes and returns depends on the kind. */
// biome-ignore lint/suspicious/noExplicitAny: the keys and the expectations of the kinds differ.
export type AnyKind = ExpectationKind<any>

/** Returns the kind of an expectation: the first that it has a key of. */
export function kindIn(written: object): ExpectationKindName | undefined {
  return expectationKindNames.find((kind) => (written as Record<string, unknown>)[kind] !== undefined)
}

/** Returns the kind of that name. */
export function kindNamed(name: ExpectationKindName): AnyKind {
  return expectationKinds[name]
}

type ToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The keys of all kinds. */
export type KindKeys = ToIntersection<Kinds[ExpectationKindName]['keys']>
