import type { Extensions } from '../contract/extensions.js'
import {
  createRandom,
  delayOf,
  disturb,
  type FaultRule,
  keepsAnswer,
  type Persistence,
  type RecordedExchange,
  type RecordedFault,
  Reliances,
  replacesOperation,
  StateError,
  stopwatch,
  type World,
  type Worlds,
} from '../world/index.js'
import { bearerKey } from './authentication.js'
import { type Evaluation, Evaluator, type ReceivedRequest, type Resolver } from './evaluate.js'
import { ExtensionRoutes } from './extensions/perform.js'
import {
  answerOf,
  type Carrier,
  type Disturbance,
  disturbedResponse,
  faultResolver,
  findDisturbance,
  noteForTriggers,
} from './faults.js'
import { jsonReply, type Reply } from './reply.js'
import {
  type BaseUrl,
  parseRequestUrl,
  RequestBody,
  type RequestUrl,
  type ServiceRequest,
} from './request.js'
import { likelyMeant, looksDocumented, nearMiss } from './undocumented.js'

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
  readonly onExchange?: ((exchange: RecordedExchange, world: World) => void) | undefined
}

/** What a client gets: a reply, or the response that a fault made of one. */
export type Served = Reply | Response

/** When a request came, and how long ago that is. */
interface Times {
  /** The world's time. */
  readonly at: number
  /** Milliseconds of wall time since then. */
  elapsed(): number
}

/** Serves requests: selects the world, evaluates, disturbs answers as faults say, and records exchanges. */
export class Service {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  readonly #evaluator: Evaluator
  readonly #observing: boolean
  readonly #onExchange: ServiceOptions['onExchange']
  readonly #carrier: Carrier
  readonly #uptime = stopwatch()
  readonly #routes = new WeakMap<Extensions, ExtensionRoutes>()

  constructor({
    worlds,
    baseUrl,
    onDefect,
    observing = true,
    onExchange,
    carrier = 'fetch',
  }: ServiceOptions) {
    this.worlds = worlds
    this.baseUrl = baseUrl
    this.#evaluator = new Evaluator(observing, onDefect)
    this.#observing = observing
    this.#onExchange = onExchange
    this.#carrier = carrier
  }

  /** The operations of extensions in a world; undefined where it has none, as most have. */
  routesIn({ extensions }: World): ExtensionRoutes | undefined {
    if (extensions.operations.length === 0) return undefined
    let routes = this.#routes.get(extensions)
    if (!routes) {
      routes = new ExtensionRoutes(extensions)
      this.#routes.set(extensions, routes)
    }
    return routes
  }

  /** The operations of extensions in the world that a request selects. */
  routesFor(request: ServiceRequest): ExtensionRoutes | undefined {
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
    const elapsed = stopwatch()
    const key = bearerKey(request)
    const selected = this.worlds.find(key)
    const { world } = selected
    const at = world.clock.now()
    const body = new RequestBody(request)
    const received = { request, url, body, key, selected, generation: world.generation, resolver }
    if (!selected.gone && !world.triggers.none)
      noteForTriggers(world, request.method, url, this.routesIn(world))
    if (!selected.gone && !world.faults.none) {
      const disturbance = findDisturbance(world, request.method, url, this.routesIn(world))
      if (disturbance) return this.#answerDisturbed(received, disturbance, { at, elapsed })
    }
    const { readings } = world
    const evaluated = this.#evaluator.evaluate(received, readings)
    // Awaited only where it must be: until a list is answered and weighed, nobody else changes the world.
    const evaluation = evaluated instanceof Promise ? await evaluated : evaluated
    const { reply } = evaluation
    if (!this.#observing) return reply
    const weighing = this.#evaluator.weigh(received, readings, evaluation)
    if (weighing) await weighing
    this.#record(received, evaluation, { at, elapsed, reply, fault: null })
    return reply
  }

  /** Answers a request as a fault has it: late, instead of the operation, or with a damaged answer. */
  async #answerDisturbed(
    received: ReceivedRequest,
    disturbance: Disturbance,
    times: Times,
  ): Promise<Response> {
    const { id, fault } = disturbance.rule
    const { world } = received.selected
    await waitForDelay(disturbance.rule, received)
    const { readings } = world
    const resolver = replacesOperation(fault) ? faultResolver(disturbance) : received.resolver
    const evaluation = await this.#evaluator.evaluate({ ...received, resolver }, readings)
    const answer = disturb(fault, answerOf(evaluation.reply))
    if (this.#observing) {
      const recorded = { ...times, fault: { id, ...fault } }
      if (keepsAnswer(fault)) {
        await this.#evaluator.weigh({ ...received, resolver }, readings, evaluation)
        this.#record(received, evaluation, { ...recorded, reply: { ...answer, body: evaluation.reply.body } })
      } else {
        const { bytes } = answer
        const reply = { ...answer, body: bytes && { bytes: () => bytes, size: bytes.length } }
        this.#record(received, { ...evaluation, reliances: new Reliances() }, { ...recorded, reply })
      }
    }
    const { signal } = received.request
    return disturbedResponse(answer, { clock: world.clock, carrier: this.#carrier, signal })
  }

  /**
   * Records a request that is left to whoever else answers below the base URL, where it looks as if an operation was
   * meant. At any origin, there is too much else.
   */
  noteElsewhere(request: ServiceRequest, url: RequestUrl): void {
    if (!this.#observing || this.baseUrl.origin === undefined) return
    const meant = likelyMeant(request.method, url.path)
    if (meant !== null) this.#recordUnanswered(request, url, meant)
  }

  /**
   * Explains a request that nobody answered, where it looks like one to the service at another address, and records it
   * in the journal; undefined for any other request.
   */
  noteStray(request: ServiceRequest): string | undefined {
    const { origin, pattern } = this.baseUrl
    const { origin: base, pathname: path, search } = new URL(request.url)
    if (origin === undefined || parseRequestUrl(request.url, this.baseUrl) || !looksDocumented(path)) {
      return undefined
    }
    const { method, headers } = request
    const where = `${method} ${base}${path} is outside the base URL`
    const hint = `${where}; the service is simulated at ${pattern}.`
    const { world } = this.worlds.find(bearerKey(request))
    if (this.#observing) this.#recordUnanswered(request, { base, path, search }, hint)
    return world.masker.forRequest(headers, search).text(hint)
  }

  #recordUnanswered(request: ServiceRequest, { base, path, search }: RequestUrl, nearMiss: string): void {
    const { method, headers } = request
    const { world } = this.worlds.find(bearerKey(request))
    const { generation } = world
    const at = world.clock.now()
    const body = new RequestBody(request)
    const record = () => {
      if (world.generation !== generation) return
      world.record({
        at,
        operation: null,
        method,
        base,
        path,
        search,
        status: 0,
        durationMs: 0,
        requestHeaders: headers,
        requestBody: body.text,
        responseHeaders: {},
        responseBody: null,
        reliances: [],
        fault: null,
        nearMiss,
      })
    }
    if (method === 'GET' || method === 'HEAD') record()
    else void body.bytes().then(record, record)
  }

  #record(
    { request, url, body, selected, generation }: ReceivedRequest,
    { reliances, operation }: Evaluation,
    { at, elapsed, reply, fault }: Times & { readonly reply: Reply; readonly fault: RecordedFault | null },
  ): void {
    const { world } = selected
    // A journal that begins anew has nothing of what was under way then.
    if (world.generation !== generation) return
    const durationMs = elapsed()
    const exchange: RecordedExchange = {
      at,
      operation,
      method: request.method,
      base: url.base,
      path: url.path,
      search: url.search,
      status: reply.status,
      durationMs,
      receivedMs: this.#uptime() - durationMs,
      requestHeaders: request.headers,
      requestBody: body.text,
      responseHeaders: reply.headers,
      responseBody: reply.body,
      reliances: reliances.list(),
      fault,
      nearMiss: operation === null ? nearMiss(request.method, url.path, this.routesIn(world)?.list) : null,
    }
    world.record(exchange)
    this.#onExchange?.(exchange, world)
  }
}

/** Waits as long as a fault delays its answer, unless the client gives up before. */
async function waitForDelay(
  { id, fault, hit }: FaultRule,
  { request, selected: { world } }: ReceivedRequest,
): Promise<void> {
  const delay = delayOf(fault, createRandom(world.initialState.seed, `faults/${id}/${hit}/delay`))
  if (delay > 0) await world.clock.wait(delay, request.signal)
}
