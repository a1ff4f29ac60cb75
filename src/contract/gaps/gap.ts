import { operationNames } from '../operations.js'

/** One possible answer to a gap. */
export interface Reading<Name extends string = string> {
  /** The frozen name: typed, printed, stored in files. */
  readonly name: Name
  /** What the service does under this reading, in one sentence. */
  readonly means: string
  /** What a client sees under it: a request or a situation, an arrow, the visible result. */
  readonly example: string
  /** Whether it is only ever chosen by name, and never by a seed, because it lets strangers in. */
  readonly byNameOnly?: boolean
}

/** What it takes to learn how a live service settles a gap; `none` where no client can tell. */
export type Need = 'reads' | 'writes' | 'deliveries' | 'burst' | 'none'

/** A point at which the interface is silent, with every answer the simulator can give. */
export interface Gap<Name extends string = string> {
  /** The silent point, as a question. */
  readonly question: string
  /** The parts of the interface that leave it open, e.g. `['4.3']`. */
  readonly parts: readonly string[]
  /** The operations, resource fields or events whose answers it shapes, e.g. `threads.list`, `Thread.snippet`. */
  readonly concerns: readonly string[]
  /** What `calibrate` must be allowed to do to learn its reading. */
  readonly learnedBy: Need
  /** The possible answers; the first is the default. */
  readonly readings: readonly [Reading<Name>, Reading<Name>, ...Reading<Name>[]]
  /** The reading that gives a client least: what the `worst-case` profile chooses. */
  readonly worst: NoInfer<Name>
  /** What makes a client right under every reading, or what it had better avoid; one or two sentences. */
  readonly advice: string
  /** What is known of the world outside the interface; a hint, never a promise. `none` where nothing is. */
  readonly evidence: string
}

/** Declares a gap, keeping its reading names as literal types. */
export function defineGap<const Name extends string>(gap: Gap<Name>): Gap<Name> {
  return gap
}

/** What gaps concern that every operation has. */
export const everyOperation: readonly string[] = operationNames

/** What the evidence of gaps means by `SI`. */
export const evidenceNote =
  'SI is a public reference with the same paths and fields, wirebox-sh/docs at commit b341caa'
