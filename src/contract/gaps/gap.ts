import { operationNames } from '../operations.js'

/** One possible answer to a gap. */
export interface Assumption {
  /** The name, which never changes: it is typed, printed and stored in files. */
  readonly name: string
  /** What the service does under this assumption, in one sentence. */
  readonly means: string
  /** What a client sees under this assumption: a request or a situation, an arrow, and the visible result. */
  readonly example: string
}

/**
 * What it takes to learn how a live service settles a gap: requests that `calibrate` sends, a look at what it does by itself
 * (`by-hand`), or `none` if no client can find out.
 */
type Need = 'reads' | 'writes' | 'by-hand' | 'none'

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
  /**
   * The possible answers by name: what the service does, and after ` – for example ` what a client then sees. The first
   * is the default.
   */
  readonly assumptions: Readonly<Record<Name, string>>
  /** The default where it cannot be the first: an object has names that are numbers in their order. */
  readonly default?: NoInfer<Name>
  /** Assumptions that can only be chosen by name, never by a seed, because they give strangers access. */
  readonly byNameOnly?: readonly NoInfer<Name>[]
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

type Answers = Pick<Gap, 'assumptions' | 'default'>

/** Returns the names of the assumptions of a gap, the default first. */
export function namesOfAssumptions({ assumptions, default: first }: Answers): string[] {
  const names = Object.keys(assumptions)
  return first === undefined ? names : [first, ...names.filter((name) => name !== first)]
}

/** Returns the assumptions of a gap, the default first. */
export function describeAssumptions(gap: Answers): Assumption[] {
  return namesOfAssumptions(gap).map((name) => {
    const [means, example = ''] = (gap.assumptions[name] as string).split(' – for example ')
    return { name, means: `${means?.replace(/\.$/, '')}.`, example }
  })
}

/** The `concerns` of gaps that affect every operation. */
export const everyOperation: readonly string[] = operationNames

/** Explains the first source in the evidence of gaps. */
export const evidenceNote =
  'wirebox-sh/docs is a public reference with the same paths and fields, seen at commit b341caa'
