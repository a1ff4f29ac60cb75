import type { Extensions } from '../contract/extensions.js'
import type { Readings } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import {
  createRandom,
  createSettle,
  createSilentSettle,
  delayOf,
  disturb,
  type FaultRule,
  keepsAnswer,
  type Persistence,
  type RecordedExchange,
  type RecordedFault,
  Reliances,
  RenderCache,
  Renderer,
  replacesOperation,
  StateError,
  stopwatch,
  type World,
  type Worlds,
} from '../world/index.js'
import { bearerKey } from './authentication.js'
import {
  answerOf,
  type Carrier,
  type Disturbance,
  disturbedResponse,
  faultResolver,
  findDisturbance,
} from './faults.js'
import { jsonReply, type Reply, sameReply } from './reply.js'
import {
  asRequest,
  type BaseUrl,
  type ReceivedRequest,
  RequestBody,
  type RequestContext,
  type RequestUrl,
  type Resolver,
  type ServiceRequest,
} from './request.js'
import { ExtensionFailure, errorReply, RequestError } from './request-error.js'
import { Routes } from './routes.js'
import { nearMiss } from './undocumented.js'

/** What the simulated service is made of. */
export interface ServiceOptions {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  /** Gets every defect of the simulator itself, which answers 500. */
  readonly onDefect: (error: unknown, request: Request) => void
  /** Whether exchanges are recorded with what they relied on: `true` when it is left out. */
  readonly observing?: boolean | undefined
  /** What carries the answers; the program's own `fetch` when it is left out. */
  readonly carrier?: Carrier | undefined
  /** Gets every exchange as it is recorded. */
  readonly onExchange?: ExchangeListener | undefined
  /** Gets the exchanges that met none of the operations. */
  readonly onUnmatched?: ExchangeListener | undefined
}

/** Gets an exchange as it is recorded, with its world. */
export type ExchangeListener = (exchange: RecordedExchange, world: World) => void

/** What a client gets: a reply, or the response that a fault made of one. */
export type Served = Reply | Response

/** When a request came: in the world's time, and in milliseconds of wall time since the service began. */
type Times = Required<Pick<RecordedExchange, 'at' | 'receivedMs'>>

/** A reply and what it relied on. */
interface Evaluation {
  readonly reply: Reply
  readonly reliances: Reliances
  readonly operation: AnyOperationName | null
  /** Whether it can be evaluated once more, in a rehearsal. */
  readonly repeatable: boolean
}

/** Serves requests: selects the world, evaluates, disturbs answers as faults say, and records exchanges. */
export class Service {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  readonly #options: ServiceOptions
  readonly #observing: boolean
  readonly #uptime = stopwatch()
  readonly #routes = new WeakMap<Extensions, Routes>()
  readonly #rendered = new RenderCache()

  constructor(options: ServiceOptions) {
    this.worlds = options.worlds
    this.baseUrl = options.baseUrl
    this.#options = options
    this.#observing = options.observing ?? true
  }

  /** The operations of a world. */
  routesIn({ extensions }: World): Routes {
    let routes = this.#routes.get(extensions)
    if (!routes) {
      routes = new Routes(extensions)
      this.#routes.set(extensions, routes)
    }
    return routes
  }

  /** The operations of the world that a request selects. */
  routesFor(request: ServiceRequest): Routes {
    return this.routesIn(this.worlds.find(bearerKey(request)).world)
  }

  /** Answers a request, unless a fault prevents it, and records the exchange in the journal of its world. */
  answer(request: ServiceRequest, url: RequestUrl, resolver: Resolver): Promise<Served> {
    const { persistence } = this.worlds
    if (!persistence) return this.#answer(request, url, resolver)
    return this.#answerDurably(persistence, request, () => this.#answer(request, url, resolver))
  }

  /** Answers once the world is owned here, and shows nothing that is not durable. */
  async #answerDurably(
    persistence: Persistence,
    request: ServiceRequest,
    answer: () => Promise<Served>,
  ): Promise<Served> {
    const key = bearerKey(request)
    try {
      const ready = persistence.admit(key, () => !request.signal.aborted)
      const isKnown = ready === undefined || (await ready)
      const { world, gone } = this.worlds.find(key)
      if (isKnown && gone)
        throw new StateError('moved', 'This world was given up a moment ago; try again.', 1)
      const settled = persistence.hold(world)
      const served = await answer()
      const durable = settled()
      if (durable) await durable
      return served
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      const { code, message, retryAfter = 1 } = error
      const status = code === 'damaged' ? 500 : 503
      const retry = { 'retry-after': String(retryAfter) }
      return jsonReply(status, { error: { code: `state_${code}`, message } }, status === 503 ? retry : {})
    }
  }

  async #answer(request: ServiceRequest, url: RequestUrl, resolver: Resolver): Promise<Served> {
    const receivedMs = this.#uptime()
    const key = bearerKey(request)
    const selected = this.worlds.find(key)
    const { world } = selected
    const at = world.clock.now()
    const body = new RequestBody(request)
    const received = { request, url, body, key, selected, generation: world.generation, resolver }
    const disturbance = selected.gone ? undefined : this.#disturbanceOf(request, url, world)
    if (disturbance) return this.#answerDisturbed(received, disturbance, { at, receivedMs })
    const { readings } = world
    const evaluated = this.#evaluate(received, readings)
    // Awaited only where it must be: until a list is answered and weighed, nobody else changes the world.
    const evaluation = evaluated instanceof Promise ? await evaluated : evaluated
    if (this.#observing) {
      const weighing = this.#weigh(received, readings, evaluation)
      if (weighing) await weighing
      this.#record(received, evaluation, evaluation.reply, null, { at, receivedMs })
    }
    return evaluation.reply
  }

  /** Has happen what waits for this request, and finds the rule that disturbs its answer. */
  #disturbanceOf({ method }: ServiceRequest, url: RequestUrl, world: World): Disturbance | undefined {
    if (!world.initialState.triggered?.length && world.faults.rules.size === 0) return undefined
    const route = this.routesIn(world).find(method, url.path)
    if (route) world.triggers.noteRequest(route.operation.id)
    return findDisturbance(world, method, url, route)
  }

  /** Answers a request as a fault has it: late, instead of the operation, or with a damaged answer. */
  async #answerDisturbed(given: ReceivedRequest, disturbance: Disturbance, times: Times): Promise<Response> {
    const { id, fault } = disturbance.rule
    const { world } = given.selected
    await waitForDelay(disturbance.rule, given)
    const { readings } = world
    const resolver = replacesOperation(fault) ? faultResolver(disturbance) : given.resolver
    const received = { ...given, resolver }
    const evaluation = await this.#evaluate(received, readings)
    const answer = disturb(fault, answerOf(evaluation.reply))
    if (this.#observing) {
      const recorded = { id, ...fault }
      if (keepsAnswer(fault)) {
        await this.#weigh(received, readings, evaluation)
        this.#record(received, evaluation, { ...answer, body: evaluation.reply.body }, recorded, times)
      } else {
        const { bytes } = answer
        const reply = { ...answer, body: bytes && { bytes: () => bytes, size: bytes.length } }
        this.#record(received, { ...evaluation, reliances: new Reliances() }, reply, recorded, times)
      }
    }
    const { carrier = 'fetch' } = this.#options
    return disturbedResponse(answer, { clock: world.clock, carrier, signal: given.request.signal })
  }

  /** Evaluates a request under some readings; a rehearsal changes nothing and shares no memory with the real answer. */
  #evaluate(
    { request, url, body, key, selected, resolver, generation }: ReceivedRequest,
    readings: Readings,
    rehearsal = false,
  ): Evaluation | Promise<Evaluation> {
    const { world } = selected
    const reliances = new Reliances()
    const settle =
      this.#observing && !rehearsal
        ? createSettle(readings, reliances.note, this.#rendered.known)
        : createSilentSettle(readings)
    const cache = rehearsal ? undefined : this.#rendered
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
      const { operation, changes } = context
      return { reply: withCors(reply, context), reliances, operation, repeatable: !changes }
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

  /** Confirms reliances on values that are not shown as they are: by another evaluation under the other reading. */
  #weigh(
    received: ReceivedRequest,
    readings: Readings,
    { reply, reliances, repeatable }: Evaluation,
  ): Promise<unknown> | undefined {
    if (!reliances.open || !repeatable) return undefined
    const pending = [...reliances.toWeigh(reply.status)].flatMap(({ gap, reading }) => {
      const confirm = (other: Evaluation): void => {
        if (!sameReply(reply, other.reply)) reliances.confirm(gap, reading)
      }
      const other = this.#evaluate(received, { ...readings, [gap]: reading }, true)
      if (other instanceof Promise) return [other.then(confirm)]
      confirm(other)
      return []
    })
    return pending.length === 0 ? undefined : Promise.all(pending)
  }

  #errorReply(error: unknown, { settle, request }: RequestContext): Reply {
    if (error instanceof RequestError) return errorReply(error, settle)
    this.#options.onDefect(error, asRequest(request))
    if (error instanceof ExtensionFailure) {
      return errorReply(new RequestError('disturbed', error.message, { status: 500 }), settle)
    }
    const message = 'The simulator failed; its log has the stack trace. Please report it.'
    return jsonReply(500, { error: { code: 'simulator_defect', message } })
  }

  #record(
    { request, url, body, selected: { world }, generation }: ReceivedRequest,
    { reliances, operation }: Evaluation,
    reply: Reply,
    fault: RecordedFault | null,
    { at, receivedMs }: Times,
  ): void {
    // A journal that begins anew has nothing of what was under way then.
    if (world.generation !== generation) return
    const exchange: RecordedExchange = {
      at,
      operation,
      method: request.method,
      base: url.base,
      path: url.path,
      search: url.search,
      status: reply.status,
      durationMs: this.#uptime() - receivedMs,
      receivedMs,
      requestHeaders: request.headers,
      requestBody: body.text,
      responseHeaders: reply.headers,
      responseBody: reply.body,
      reliances: reliances.list(),
      fault,
      nearMiss: operation === null ? nearMiss(request.method, url.path, this.routesIn(world).further) : null,
    }
    world.record(exchange)
    this.#options.onExchange?.(exchange, world)
    if (operation === null) this.#options.onUnmatched?.(exchange, world)
  }

  /** Records a request that the simulator leaves to others, with what it was most likely meant for. */
  recordUnanswered(request: ServiceRequest, url: RequestUrl, nearMiss: string): void {
    if (!this.#observing) return
    const { method, headers: requestHeaders } = request
    const { world } = this.worlds.find(bearerKey(request))
    const { generation } = world
    const at = world.clock.now()
    const body = new RequestBody(request)
    const record = () => {
      if (world.generation !== generation) return
      world.record({ ...unanswered, ...url, at, method, requestHeaders, requestBody: body.text, nearMiss })
    }
    if (method === 'GET' || method === 'HEAD') record()
    else void body.bytes().then(record, record)
  }
}

/** What the journal has of the answer to a request that the simulator does not answer. */
const unanswered = {
  operation: null,
  status: 0,
  durationMs: 0,
  responseHeaders: {},
  responseBody: null,
  reliances: [],
  fault: null,
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
  const permissive: Readonly<Record<string, string>> = { 'access-control-allow-origin': '*' }
  const cors = settle('format.cors', { none: () => ({}), permissive: () => permissive }, 'shown')
  return { ...reply, headers: { ...reply.headers, ...cors } }
}

/** Waits as long as a fault delays its answer, unless the client gives up before. */
async function waitForDelay(
  { id, fault, hit }: FaultRule,
  { request, selected: { world } }: ReceivedRequest,
): Promise<void> {
  const delay = delayOf(fault, createRandom(world.initialState.seed, `faults/${id}/${hit}/delay`))
  if (delay > 0) await world.clock.wait(delay, request.signal)
}
