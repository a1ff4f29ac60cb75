import { operationNames } from '../operations.js'

/** One possible answer to a gap. */
export interface Assumption<Name extends string = string> {
  /** The name, which never changes: it is typed, printed and stored in files. */
  readonly name: Name
  /** What the service does under this assumption, in one sentence. */
  readonly means: string
  /** What a client sees under this assumption: a request or a situation, an arrow, and the visible result. */
  readonly example: string
  /** Whether it can only be chosen by name, never by a seed, because it gives strangers access. */
  readonly byNameOnly?: boolean
}

/**
 * What it takes to learn how a live service settles a gap: requests that `calibrate` sends, a look at a real delivery
 * (`by-hand`), or `none` if no client can find out.
 */
export type Need = 'reads' | 'writes' | 'by-hand' | 'burst' | 'none'

/** A point at which the interface is silent, with every answer that the simulator can give. */
export interface Gap<Name extends string = string> {
  /** The silent point, as a question. */
  readonly question: string
  /** The parts of the interface that leave it open, e.g. `['4.3']`. */
  readonly parts: readonly string[]
  /** The operations, resource fields or events that it affects, e.g. `threads.list`, `Thread.snippet`. */
  readonly concerns: readonly string[]
  /** What it takes to learn its assumption from a live service. */
  readonly learnedBy: Need
  /** The possible answers; the first is the default. */
  readonly assumptions: readonly [Assumption<Name>, Assumption<Name>, ...Assumption<Name>[]]
  /** The assumption that is hardest on a client, which the `worst-case` profile chooses. */
  readonly worst: NoInfer<Name>
  /** How a client can be correct under every assumption, or what it should avoid; one or two sentences. */
  readonly advice: string
  /** What is known about real services: a hint, never a promise. `none` if nothing is known. */
  readonly evidence: string
}

/** Declares a gap, keeping its assumption names as literal types. */
export function defineGap<const Name extends string>(gap: Gap<Name>): Gap<Name> {
  return gap
}

/** The `concerns` of gaps that affect every operation. */
export const everyOperation: readonly string[] = operationNames

/** Explains the first source in the evidence of gaps. */
export const evidenceNote =
  'wirebox-sh/docs is a public reference with the same paths and fields, seen at commit b341caa'
