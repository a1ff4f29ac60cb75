import type { GapId, Readings } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import {
  createSettle,
  createSilentSettle,
  type Destination,
  Reliances,
  RenderCache,
  Renderer,
  type Settle,
  type World,
} from '../world/index.js'
import { jsonReply, type Reply, sameReply } from './reply.js'
import { asRequest, type RequestBody, type RequestUrl, type ServiceRequest } from './request.js'
import { ExtensionFailure, errorReply, RequestError } from './request-error.js'

/** A request that was received: where it leads, and what answers it. */
export interface ReceivedRequest {
  readonly request: ServiceRequest
  readonly url: RequestUrl
  readonly body: RequestBody
  /** The bearer key. */
  readonly key: string | undefined
  /** The world that the key selects, and the organization in it. */
  readonly selected: Destination
  /** The generation of that world when the request came: resets begin another. */
  readonly generation: number
  readonly resolver: Resolver
}

/** One evaluation of a request: what is known before an operation takes it. */
export interface RequestContext extends Omit<ReceivedRequest, 'generation' | 'resolver'> {
  readonly settle: Settle
  readonly render: Renderer
  /** Changes the world by a command, or, in a rehearsal, only gives what the command would give. */
  readonly apply: World['apply']
  /** Evaluated only to see whether another reading makes a difference: nothing may change. */
  readonly rehearsal: boolean
  /** The operation, once it is known; null where the request is for none. */
  operation: AnyOperationName | null
  /** Whether an extension changed the world, which it cannot do once more. */
  changes: boolean
}

/** Answers one kind of request. @throws RequestError */
export type Resolver = (context: RequestContext) => Reply | Promise<Reply>

/** A reply and what it relied on. */
export interface Evaluation {
  readonly reply: Reply
  readonly reliances: Reliances
  readonly operation: AnyOperationName | null
  /** Whether it can be evaluated once more, in a rehearsal. */
  readonly repeatable: boolean
}

/** Evaluates requests under readings: for the real answer, and in rehearsals of what other readings would give. */
export class Evaluator {
  readonly #observing: boolean
  readonly #onDefect: (error: unknown, request: Request) => void
  readonly #cache = new RenderCache()

  /** Without observing, no reliance is noted. `onDefect` gets every defect of the simulator itself. */
  constructor(observing: boolean, onDefect: (error: unknown, request: Request) => void) {
    this.#observing = observing
    this.#onDefect = onDefect
  }

  /** Answers a request under the readings in force. */
  evaluate(received: ReceivedRequest, readings: Readings): Evaluation | Promise<Evaluation> {
    return this.#evaluate(received, readings, false)
  }

  /** Confirms reliances on values that are not shown as they are: by another evaluation under the other reading. */
  weigh(
    received: ReceivedRequest,
    readings: Readings,
    { reply, reliances, repeatable }: Evaluation,
  ): Promise<unknown> | undefined {
    if (!reliances.open || !repeatable) return undefined
    const pending = [...reliances.toWeigh(reply.status)].flatMap(({ gap, reading }) => {
      const confirm = (other: Evaluation): void => {
        if (!sameReply(reply, other.reply)) reliances.confirm(gap, reading)
      }
      const other = this.#evaluate(received, withReading(readings, gap, reading), true)
      if (other instanceof Promise) return [other.then(confirm)]
      confirm(other)
      return []
    })
    return pending.length === 0 ? undefined : Promise.all(pending)
  }

  /** Evaluates under some readings; a rehearsal changes nothing and shares no memory with the real answer. */
  #evaluate(
    { request, url, body, key, selected, resolver, generation }: ReceivedRequest,
    readings: Readings,
    rehearsal: boolean,
  ): Evaluation | Promise<Evaluation> {
    const { world } = selected
    const reliances = new Reliances()
    const settle =
      this.#observing && !rehearsal
        ? createSettle(readings, reliances.note, this.#cache.known)
        : createSilentSettle(readings)
    const cache = rehearsal ? undefined : this.#cache
    // Named one by one: copied as a whole, they take as long as the rest of an answer.
    const context: RequestContext = {
      request,
      url,
      body,
      key,
      selected,
      settle,
      render: new Renderer(cache, world.store, readings, url.base, reliances.note),
      apply: rehearsal ? world.rehearse.bind(world) : applyWithin(generation, world),
      rehearsal,
      operation: null,
      changes: false,
    }
    const finish = (reply: Reply): Evaluation => {
      return {
        reply: withCors(reply, context),
        reliances,
        operation: context.operation,
        repeatable: !context.changes,
      }
    }
    try {
      checkGeneration(generation, world)
      const reply = resolver(context)
      if (!(reply instanceof Promise)) return finish(reply)
      const checked = reply.finally(() => checkGeneration(generation, world))
      return checked.catch((error) => this.#errorReply(error, context)).then(finish)
    } catch (error) {
      return finish(this.#errorReply(error, context))
    }
  }

  #errorReply(error: unknown, { settle, request }: RequestContext): Reply {
    if (error instanceof RequestError) return errorReply(error, settle)
    this.#onDefect(error, asRequest(request))
    if (error instanceof ExtensionFailure) {
      return errorReply(new RequestError('disturbed', error.message, { status: 500 }), settle)
    }
    const message = 'The simulator failed; its log has the stack trace. Please report it.'
    return jsonReply(500, { error: { code: 'simulator_defect', message } })
  }
}

function withReading(readings: Readings, gap: GapId, reading: string): Readings {
  return { ...readings, [gap]: reading }
}

/** What a request may apply commands with: none once its world has begun anew. @throws RequestError */
function applyWithin(generation: number, world: World): World['apply'] {
  return (command) => {
    checkGeneration(generation, world)
    return world.apply(command)
  }
}

/** A request that was under way when its world was reset must not reach into the new state. @throws RequestError */
function checkGeneration(generation: number, world: World): void {
  if (world.generation === generation) return
  const message = `The world ${world.closed ? 'was closed' : 'began anew'} while this request was under way.`
  throw new RequestError('disturbed', message, { status: 503 })
}

/** Adds the cross-origin headers, where the request has an origin that would look for them. */
function withCors(reply: Reply, { request, settle }: RequestContext): Reply {
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
