import type { Assumptions } from '../../contract/gaps.js'
import type { AnyOperationName } from '../../contract/operations.js'
import { createSettle, Reliances } from '../assumptions/settle.js'
import { jsonReply, type Reply, sameReply, withCors } from '../operations/reply.js'
import {
  applyWithin,
  asRequest,
  checkGeneration,
  type ReceivedRequest,
  type RequestContext,
} from '../operations/request.js'
import { ExtensionFailure, errorReply, RequestError } from '../operations/request-error.js'
import { type RenderCache, Renderer } from '../rendering/renderer.js'
import type { World } from '../world/world.js'

/** A command and its result. */
interface Applied {
  readonly command: object
  readonly result: unknown
}

/** A response, what it relied on, and what it did. */
export interface Evaluation {
  readonly reply: Reply
  readonly reliances: Reliances
  readonly operation: AnyOperationName | null
  readonly hints: ReadonlySet<string>
  /** The commands that it applied, by number. */
  readonly commands: readonly number[]
  /** The same commands with their results. */
  readonly applied: readonly Applied[]
  /** The earlier request whose response it got. */
  readonly replayed: number | undefined
}

/** Notes the commands that a function applies. */
function noting(applied: Applied[], apply: World['apply']): World['apply'] {
  return ((command: object) => {
    const result: unknown = apply(command as never)
    applied.push({ command, result })
    return result
  }) as World['apply']
}

/** Begins a rehearsal, in which a command that was applied already has the result it had, not that of a second one. */
function rehearse(world: World, applied: readonly Applied[] = []): ReturnType<World['rehearsal']> {
  const { store, apply } = world.rehearsal()
  const again = (command: object): unknown => {
    const text = applied.length > 0 ? JSON.stringify(command) : ''
    const known = applied.find((one) => JSON.stringify(one.command) === text)
    return known ? known.result : apply(command as never)
  }
  return { store, apply: again as World['apply'] }
}

/**
 * Evaluates requests under assumptions, and finds out whether another assumption would have given another response.
 */
export class Evaluator {
  readonly #observing: boolean
  readonly #onDefect: (error: unknown, request: Request) => void
  readonly #rendered: RenderCache = new WeakMap()

  /** `onDefect` is called with every defect of the simulator itself, which gets 500. */
  constructor(observing: boolean, onDefect: (error: unknown, request: Request) => void) {
    this.#observing = observing
    this.#onDefect = onDefect
  }

  /** Evaluates a request under some assumptions; a rehearsal changes nothing and does not use the cache of rendered rows. */
  evaluate(
    { request, url, body, key, selected, resolver, generation }: ReceivedRequest,
    assumptions: Assumptions,
    first?: Partial<Evaluation>,
  ): Evaluation | Promise<Evaluation> {
    const { world } = selected
    const reliances = new Reliances()
    const rehearsal = first !== undefined
    const settle = createSettle(assumptions, this.#observing && !rehearsal ? reliances.note : undefined)
    const cache = rehearsal ? undefined : this.#rendered
    const { extensions } = world
    const commands: number[] = []
    const hints = new Set<string>()
    const applied: Applied[] = []
    const { store, apply } = rehearsal
      ? rehearse(world, first.applied)
      : {
          store: world.store,
          apply: noting(applied, applyWithin(generation, world, commands)),
        }
    // Listed one by one, because spreading `received` would take as long as the rest of the evaluation.
    const context: RequestContext = {
      request,
      url,
      body,
      key,
      selected,
      settle,
      render: new Renderer(cache, { store, assumptions, extensions }, url.base, reliances.note),
      store,
      apply,
      rehearsal,
      // An extension that has changed the world would see its own changes.
      answered: first?.commands?.length ? first.reply : undefined,
      operation: null,
      hints,
      commands,
      replayed: undefined,
    }
    const finish = (reply: Reply): Evaluation => {
      const { operation, replayed } = context
      const answer = withCors(reply, request.headers, settle)
      return { reply: answer, reliances, operation, hints, commands, applied, replayed }
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

  /** Confirms possible reliances, by evaluating the request again under each other assumption. */
  confirm(
    received: ReceivedRequest,
    assumptions: Assumptions,
    evaluation: Evaluation,
  ): Promise<unknown> | undefined {
    const { reply, reliances } = evaluation
    const pending = reliances.possible().flatMap(({ gap, assumption }) => {
      const confirm = (other: Evaluation): void => {
        if (!sameReply(reply, other.reply)) reliances.confirm(gap, assumption)
      }
      const other = this.evaluate(received, { ...assumptions, [gap]: assumption }, evaluation)
      if (other instanceof Promise) return [other.then(confirm)]
      confirm(other)
      return []
    })
    return pending.length === 0 ? undefined : Promise.all(pending)
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
