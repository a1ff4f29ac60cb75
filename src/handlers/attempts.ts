import type { Readings } from '../contract/gaps.js'
import type { OperationName } from '../contract/operations.js'
import {
  createSettle,
  createSilentSettle,
  type Destination,
  Reliances,
  RenderCache,
  Renderer,
  type World,
} from '../world/index.js'
import { Alternatives } from './alternatives.js'
import { errorReply } from './error-reply.js'
import { Refusal } from './refusal.js'
import { jsonReply, type Reply, sameReply } from './reply.js'
import type { RequestBody } from './request-body.js'
import { asRequest, type ServiceRequest } from './service-request.js'
import type { Target } from './target.js'
import type { Answerer, Visit } from './visit.js'

/** A request that has arrived: where it leads, and what answers it. */
export interface Arrival {
  readonly request: ServiceRequest
  readonly body: RequestBody
  readonly target: Target
  readonly key: string | undefined
  readonly caller: Destination
  /** The story its world was in the midst of when it arrived. */
  readonly story: number
  readonly answerer: Answerer
}

/** A reply and what it relied on. */
export interface Attempt {
  readonly reply: Reply
  readonly reliances: Reliances
  readonly body: string | null
  /** Null where it met none of the operations. */
  readonly operation: OperationName | null
}

/** Told of every defect of the simulator itself. */
type OnDefect = (error: unknown, request: Request) => void

/** Answers requests under readings: the real answer, and rehearsals of what others would have given. */
export class Attempts {
  readonly #observing: boolean
  readonly #onDefect: OnDefect
  readonly #cache = new RenderCache()
  readonly #alternatives = new Alternatives()

  /** Without observing, no reliance is noted. */
  constructor(observing: boolean, onDefect: OnDefect) {
    this.#observing = observing
    this.#onDefect = onDefect
  }

  /** The answer under the readings in force. */
  answer(arrival: Arrival, readings: Readings): Attempt | Promise<Attempt> {
    return this.#attempt(arrival, readings, false)
  }

  /** Confirms reliances on values that are not shown as they are: by answering once more under the other reading. */
  weigh(arrival: Arrival, readings: Readings, { reply, reliances }: Attempt): Promise<unknown> | undefined {
    if (!reliances.open) return undefined
    const waiting = [...reliances.toWeigh(reply.status)].flatMap(({ gap, reading }) => {
      const confirm = (other: Attempt): void => {
        if (!sameReply(reply, other.reply)) reliances.confirm(gap, reading)
      }
      const other = this.#attempt(arrival, this.#alternatives.of(readings, gap, reading), true)
      if (other instanceof Promise) return [other.then(confirm)]
      confirm(other)
      return []
    })
    return waiting.length === 0 ? undefined : Promise.all(waiting)
  }

  /** Answers under some readings; a rehearsal changes nothing and shares no memory with the real answer. */
  #attempt(arrival: Arrival, readings: Readings, rehearsal: boolean): Attempt | Promise<Attempt> {
    const { request, body: requestBody, target, key, caller, answerer, story } = arrival
    const { world } = caller
    const reliances = new Reliances()
    const noting = this.#observing && !rehearsal
    const settle = noting
      ? createSettle(readings, reliances.note, this.#cache.known)
      : createSilentSettle(readings)
    const cache = rehearsal ? undefined : this.#cache
    let body: string | null = null
    let operation: OperationName | null = null
    // Named one by one: copied as a whole, they take as long as the rest of an answer.
    const visit: Visit = {
      request,
      body: requestBody,
      target,
      key,
      caller,
      settle,
      render: new Renderer(cache, world.store, readings, target.base, reliances.note),
      apply: rehearsal ? world.rehearse.bind(world) : applyWithin(story, world),
      rehearsal,
      noteBody: (text) => {
        body = text
      },
      noteOperation: (name) => {
        operation = name
      },
    }
    const finish = (reply: Reply): Attempt => ({ reply: withCors(reply, visit), reliances, body, operation })
    try {
      checkStory(story, world)
      const reply = answerer(visit)
      if (!(reply instanceof Promise)) return finish(reply)
      const checked = reply.finally(() => checkStory(story, world))
      return checked.catch((error) => this.#failure(error, visit)).then(finish)
    } catch (error) {
      return finish(this.#failure(error, visit))
    }
  }

  #failure(error: unknown, { settle, request }: Visit): Reply {
    if (error instanceof Refusal) return errorReply(error, settle)
    this.#onDefect(error, asRequest(request))
    const message = 'The simulator failed; its log has the stack trace. Please report it.'
    return jsonReply(500, { error: { code: 'simulator_defect', message } })
  }
}

/** What a request may apply commands with: none once its world has begun anew. @throws Refusal */
function applyWithin(story: number, world: World): World['apply'] {
  return (command) => {
    checkStory(story, world)
    return world.apply(command)
  }
}

/** What was under way when its world began anew must not reach into the new story. @throws Refusal */
function checkStory(story: number, world: World): void {
  if (world.story === story) return
  const message = `The world ${world.closed ? 'was closed' : 'began anew'} while this request was under way.`
  throw new Refusal('disturbed', message, { status: 503 })
}

/** The cross-origin headers, where the request has an origin that would look for them. */
function withCors(reply: Reply, { request, settle }: Visit): Reply {
  if (!request.headers.has('origin')) return reply
  const cors = settle(
    'format.cors',
    {
      none: (): Record<string, string> => ({}),
      permissive: (): Record<string, string> => ({ 'access-control-allow-origin': '*' }),
    },
    'shown',
  )
  return { ...reply, headers: { ...reply.headers, ...cors } }
}
