import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'

const nameFields = () => ({
  organization_id: z.string(),
  operation: z.string(),
  /** The value of the request's header `Idempotency-Key`. */
  idempotency_key: z.string(),
})

/** Creates the fields of a response that is kept under the `Idempotency-Key` of its request. */
export const keptAnswerFields = () => ({
  ...nameFields(),
  /** Equal for requests that ask for the same thing. */
  request: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  /** Absent if the body is text as it is. */
  encoding: z.literal('base64').optional(),
})

/** Creates the schema of a kept response in snapshots. */
export const keptAnswerSchema = once(() => z.strictObject({ ...keptAnswerFields(), kept_at: z.int() }))

/** A response that is kept under the `Idempotency-Key` of its request; `kept_at` is in milliseconds since the epoch. */
export type KeptAnswer = z.output<ReturnType<typeof keptAnswerSchema>>

/** The request whose response is kept: an operation, for an organization, under a key. */
export type KeyedRequest = z.output<z.ZodObject<ReturnType<typeof nameFields>>>

/** The responses that a world repeats for requests with the same `Idempotency-Key`, by name, the oldest first. */
export type KeptAnswers = Map<string, KeptAnswer>

/** How long a response is kept, in milliseconds of the world's time. */
const lifetime = 24 * 3_600_000

/** The maximum number of responses that are kept; beyond it, the oldest are dropped. */
const mostAnswers = 10_000

/** Returns the name under which the response to a request is kept. */
export function nameOfKept({ organization_id, operation, idempotency_key }: KeyedRequest): string {
  return JSON.stringify([organization_id, operation, idempotency_key])
}

/** Returns the response to an earlier request with that key, unless it is too old at an instant. */
export function findKept(answers: KeptAnswers, request: KeyedRequest, now: number): KeptAnswer | undefined {
  const kept = answers.get(nameOfKept(request))
  return kept && isValid(kept, now) ? kept : undefined
}

/** Keeps a response, and drops those that are too old by then. */
export function keepAnswer(answers: KeptAnswers, answer: KeptAnswer): void {
  const name = nameOfKept(answer)
  // The latest comes last.
  answers.delete(name)
  answers.set(name, answer)
  for (const [other, kept] of answers) {
    if (answers.size <= mostAnswers && isValid(kept, answer.kept_at)) break
    answers.delete(other)
  }
}

function isValid({ kept_at }: KeptAnswer, now: number): boolean {
  return now - kept_at < lifetime
}
