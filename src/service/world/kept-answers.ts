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

/** Creates the schema of kept responses in snapshots. */
export const keptAnswersSchema = once(() =>
  z.array(z.strictObject({ ...keptAnswerFields(), kept_at: z.int() })),
)

/**
 * A response that is kept under the `Idempotency-Key` of its request; `kept_at` is in milliseconds since the
 * epoch.
 */
export type KeptAnswer = z.output<ReturnType<typeof keptAnswersSchema>>[number]

/** The request whose response is kept: an operation, for an organization, under a key. */
export type KeyedRequest = z.output<z.ZodObject<ReturnType<typeof nameFields>>>

/** How long a response is kept, in milliseconds of the world's time. */
const lifetime = 24 * 3_600_000

/**
 * The maximum number of responses that are kept, and of characters in their bodies, so that a world cannot grow without
 * bound; beyond them, the oldest are dropped.
 */
const most = { answers: 10_000, characters: 33_554_432 }

/** The responses that a world repeats for requests with the same `Idempotency-Key`. */
export class KeptAnswers {
  /** By name, the oldest first. */
  readonly #answers = new Map<string, KeptAnswer>()
  /** The numbers of the commands in the journal that keep the responses; a state does not have them. */
  readonly #commands = new WeakMap<KeptAnswer, number>()
  /** The requests in progress, by name. */
  readonly #turns = new Map<string, Promise<unknown>>()

  #characters = 0

  constructor(kept: readonly KeptAnswer[] = []) {
    for (const answer of kept) this.#add(answer)
  }

  get state(): KeptAnswer[] {
    return [...this.#answers.values()]
  }

  /** Returns the response to an earlier request with that key, unless it is too old at an instant. */
  find(request: KeyedRequest, now: number): KeptAnswer | undefined {
    const kept = this.#answers.get(nameOf(request))
    return kept && isValid(kept, now) ? kept : undefined
  }

  /** Keeps a response, and drops those that are too old by then. */
  keep(answer: KeptAnswer): void {
    this.#remove(nameOf(answer))
    this.#add(answer)
    for (const [name, kept] of this.#answers) {
      const isFull = this.#answers.size > most.answers || this.#characters > most.characters
      // The latest one is kept whatever its size.
      if (kept === answer || (isValid(kept, answer.kept_at) && !isFull)) break
      this.#remove(name)
    }
  }

  #add(answer: KeptAnswer): void {
    this.#answers.set(nameOf(answer), answer)
    this.#characters += lengthOf(answer)
  }

  #remove(name: string): void {
    const kept = this.#answers.get(name)
    if (kept) this.#characters -= lengthOf(kept)
    this.#answers.delete(name)
  }

  /** Notes the number of the command that keeps the response of a request. */
  noteCommand(request: KeyedRequest, seq: number): void {
    const kept = this.#answers.get(nameOf(request))
    if (kept) this.#commands.set(kept, seq)
  }

  /** Returns the number of the command that keeps a response; 0 if it was kept before the journal began. */
  commandOf(answer: KeptAnswer): number {
    return this.#commands.get(answer) ?? 0
  }

  /** Handles a request once the earlier requests with the same key have their responses. */
  async inTurn<Answer>(request: KeyedRequest, answer: () => Promise<Answer>): Promise<Answer> {
    const name = nameOf(request)
    const earlier = this.#turns.get(name)
    const turn = earlier ? earlier.then(answer, answer) : answer()
    this.#turns.set(name, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(name) === turn) this.#turns.delete(name)
    }
  }
}

function nameOf({ organization_id, operation, idempotency_key }: KeyedRequest): string {
  return JSON.stringify([organization_id, operation, idempotency_key])
}

function lengthOf({ body }: KeptAnswer): number {
  return body?.length ?? 0
}

function isValid({ kept_at }: KeptAnswer, now: number): boolean {
  return now - kept_at < lifetime
}
