import type { AssumptionOf, GapId } from '../../contract/gaps.js'
import { type Answer, describeExchange, type LiveRequest, rowsOf } from '../answer.js'
import type { Ask, Survey } from './survey.js'

/** How one gap is learned: the requests, and what their answers show. */
export interface Probe {
  readonly gap: GapId
  /** Returns the requests, or what is missing for them; an answer to an equal request of another probe is shared. */
  readonly requests: Requests
  /** Returns an assumption; undefined if it is unclear, because the answers fit none or several. */
  readonly classify: (answers: readonly Answer[], survey: Survey) => string | undefined
}

export type Requests = (survey: Survey) => readonly LiveRequest[] | string

/** What the answers are under each assumption of a gap; a missing assumption does not compile. */
type Signs<Gap extends GapId> = Readonly<Record<AssumptionOf<Gap>, Sign>>

/** Returns whether answers are as under one assumption. */
export type Sign = (answers: readonly Answer[], survey: Survey) => boolean | undefined

/** Defines the probe of a gap by a function of its answers. */
export function defineProbe<Gap extends GapId>(
  gap: Gap,
  requests: Requests,
  classify: (answers: readonly Answer[], survey: Survey) => AssumptionOf<Gap> | undefined,
): Probe {
  return { gap, requests, classify }
}

/** Defines the probe of a gap by what its answers look like under each assumption; only one may fit. */
export function defineChoice<Gap extends GapId>(gap: Gap, requests: Requests, signs: Signs<Gap>): Probe {
  const names = Object.keys(signs) as AssumptionOf<Gap>[]
  const classify: Probe['classify'] = (answers, survey) => {
    return onlyOf(names.filter((name) => signs[name](answers, survey)))
  }
  return { gap, requests, classify }
}

/** What is known about a gap. */
export interface Finding {
  /** The only assumption under which a service answers so; undefined if that is unclear. */
  readonly assumption: string | undefined
  /** The exchanges that show it, or why it is unclear. */
  readonly because: string
}

/** Says why a gap is unclear. */
export function unclear(because: string): Finding {
  return { assumption: undefined, because }
}

/** Asks what a probe needs, and returns what the answers show. @throws LiveError */
export async function findingFrom({ requests, classify }: Probe, survey: Survey, ask: Ask): Promise<Finding> {
  const wanted = requests(survey)
  if (typeof wanted === 'string') return unclear(wanted)
  const answers: Answer[] = []
  for (const request of wanted) answers.push(await ask(request))
  const assumption = classify(answers, survey)
  const seen = answers.map(describeExchange).slice(0, 3).join('; ')
  return { assumption, because: assumption ? seen : `several assumptions fit, or none: ${seen}` }
}

/** A property of an answer. */
type Is = (answer: Answer) => boolean

/** Returns whether all answers, and at least one, have a property. */
export function all(is: Is): (answers: readonly Answer[]) => boolean {
  return (answers) => answers.length > 0 && answers.every(is)
}

/** Returns whether an answer has one of these statuses. */
export function hasStatus(...statuses: readonly number[]): Is {
  return ({ status }) => statuses.includes(status)
}

export const isInvalid = hasStatus(400, 422)
export const isUnauthorized = hasStatus(401, 403)

/** Returns whether an answer is a list, of this many rows. */
export function isList(list: string, count?: number): Is {
  return (answer) => {
    const rows = rowsOf(answer, list)
    return rows !== undefined && (count === undefined || rows.length === count)
  }
}

/** Returns the ids of the rows of a list; undefined if the answer is not such a list. */
export function idsOf(answer: Answer | undefined, list: string): readonly string[] | undefined {
  return answer && rowsOf(answer, list)?.map(({ id }) => String(id))
}

/** Returns whether two lists of ids are equal. */
export function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return (
    a !== undefined && b !== undefined && a.length === b.length && a.every((id, index) => id === b[index])
  )
}

/** Returns the only value of several; undefined if they differ, or there is none. */
export function onlyOf<Value>(values: Iterable<Value>): Value | undefined {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? first : undefined
}
