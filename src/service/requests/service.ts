import type { Extensions } from '../../contract/extensions.js'
import { type AssumptionChoices, withChoices } from '../assumptions/assumptions.js'
import { createSettle, Reliances } from '../assumptions/settle.js'
import { keepsAnswer } from '../faults/fault.js'
import type { FaultRule } from '../faults/fault-rules.js'
import { StateError } from '../model/errors.js'
import type { OrganizationRow } from '../model/rows.js'
import { authenticate, performOperation } from '../operations/operation.js'
import { jsonReply, type Reply, type Served } from '../operations/reply.js'
import {
  type BaseUrl,
  bearerKey,
  isRead,
  type ReceivedRequest,
  RequestBody,
  type RequestUrl,
  type Resolver,
  requestOf,
  type ServiceRequest,
} from '../operations/request.js'
import { RequestError } from '../operations/request-error.js'
import type { RecordedExchange, RecordedFault } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { type Destination, type Persistence, type Worlds, worldNamedIn } from '../world/worlds.js'
import { type Evaluation, Evaluator } from './evaluator.js'
import {
  type Carrier,
  disturbedResponse,
  disturbReply,
  findDisturbance,
  needsNoKey,
  type RoutedRequest,
  readNamedParties,
  resolverUnder,
  waitForDelay,
} from './faults.js'
import { locate, type RequestTarget, Routes } from './routes.js'
import { storedFile } from './stored-file.js'
import { answerUnmatched, isBelowApi, likelyMeant, nearMiss, routesBesideSlash } from './undocumented.js'

/** The dependencies and options of the simulated service. */
interface ServiceOptions {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  /** Called with every defect of the simulator itself, which gets 500. */
  readonly onDefect: (error: unknown, request: Request) => void
  /** Whether exchanges are recorded with what they relied on; `true` by default. */
  readonly observing?: boolean | undefined
  /** What carries the responses; `fetch` by default. */
  readonly carrier?: Carrier | undefined
  /** Called with every exchange when it is recorded. */
  readonly onExchange?: ExchangeListener | undefined
  /** Called with every exchange that matched no operation. */
  readonly onUnmatched?: ExchangeListener | undefined
}

/** Called with a recorded exchange and its world. */
export type ExchangeListener = (exchange: RecordedExchange, world: World) => void

/** When a request arrived: in the world's time, and on the machine's monotonic clock. */
type Times = Required<Pick<RecordedExchange, 'at' | 'receivedMs'>>

/**
 * Serves requests: selects the world, evaluates the request, applies faults to the response, and records the
 * exchange.
 */
export class Service {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  readonly #options: ServiceOptions
  readonly #observing: boolean
  readonly #routes = new WeakMap<Extensions, Routes>()
  readonly #evaluator: Evaluator

  constructor(options: ServiceOptions) {
    this.worlds = options.worlds
    this.baseUrl = options.baseUrl
    this.#options = options
    this.#observing = options.observing ?? true
    this.#evaluator = new Evaluator(this.#observing, options.onDefect)
  }

  /**
   * Handles a request and records the exchange in the journal of its world; undefined if it is neither below
   * /api/v1 nor for an extension of its world.
   */
  answer(request: ServiceRequest, target: RequestTarget): Promise<Served | undefined> {
    const { persistence } = this.worlds
    if (!persistence) return this.#answer(request, target)
    return this.#answerDurably(persistence, request, () => this.#answer(request, target))
  }

  /**
   * Handles a request once this process owns the world, and returns the response once the changes are
   * durable.
   */
  async #answerDurably(
    persistence: Persistence,
    request: ServiceRequest,
    answer: () => Promise<Served | undefined>,
  ): Promise<Served | undefined> {
    const key = bearerKey(request)
    let id = this.worlds.first.id
    try {
      const ready = persistence.admit(key, () => !request.signal.aborted)
      const isKnown = ready === undefined || (await ready)
      const { world, gone } = this.worlds.find(key)
      if (isKnown && gone)
        throw new StateError('moved', 'This server no longer owns this world; try again.', 1)
      id = world.id
      const settled = persistence.hold(world)
      const served = await answer()
      const durable = settled()
      if (durable) await durable
      return served
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      const { code, message, retryAfter = 1 } = error
      // The world was deleted meanwhile: its key is one of no world.
      const isFork = code === 'moved' && id !== this.worlds.first.id
      if (isFork && !(await persistence.find(id).catch(() => true))) return answer()
      const status = code === 'damaged' ? 500 : 503
      const retry = { 'retry-after': String(retryAfter) }
      return jsonReply(status, { error: { code: `state_${code}`, message } }, status === 503 ? retry : {})
    }
  }

  /**
   * Handles a recorded request once more, in its world in the present state: with its key and its fault, and
   * under the assumptions that its response relied on, or `choices` instead. Changes and records nothing.
   * Undefined if it was left to others.
   * @throws WorldError
   */
  async repeat(recorded: RecordedExchange, choices: AssumptionChoices): Promise<Reply | undefined> {
    const { reliances, fault, operation } = recorded
    const request = requestOf(recorded)
    const target = locate(request, this.baseUrl)
    const received = target && this.#receive(request, target)
    if (!received) return undefined
    const { assumptions: present, extensions } = received.selected.world
    const relied = Object.fromEntries(reliances.map(({ gap, assumption }) => [gap, assumption]))
    const assumptions = withChoices(present, { ...relied, ...choices }, extensions.gaps)
    const resolver = fault ? resolverUnder(fault, operation, received.resolver) : received.resolver
    const { reply } = await this.#evaluator.evaluate({ ...received, resolver }, assumptions, {})
    return fault ? disturbReply(fault, reply)[1] : reply
  }

  async #answer(request: ServiceRequest, target: RequestTarget): Promise<Served | undefined> {
    const received = this.#receive(request, target)
    if (!received) return this.#leave(request, target.url)
    const { selected } = received
    const { world } = selected
    const { method, signal } = request
    const waiting = world.gate?.({ method, path: target.url.path, search: target.url.search, signal })
    if (waiting) await waiting
    const times = { at: world.clock.now(), receivedMs: world.clock.monotonic }
    const named = readNamedParties(received)
    if (named) await named
    if (isKilled(world)) return this.#leaveUndone(received, times)
    const disturbance = selected.gone ? undefined : this.#disturbanceOf(received)
    // An entry that waited for this request may have killed its client.
    if (isKilled(world)) return this.#leaveUndone(received, times)
    if (disturbance) return this.#answerDisturbed(received, disturbance, times)
    const { assumptions } = world
    const evaluated = this.#evaluator.evaluate(received, assumptions)
    // Awaited only if it is a promise: nothing can change the world between the evaluations of a list.
    const evaluation = evaluated instanceof Promise ? await evaluated : evaluated
    if (this.#observing) {
      const confirming = this.#evaluator.confirm(received, assumptions, evaluation)
      if (confirming) await confirming
      this.#record(received, evaluation, evaluation.reply, null, times)
    }
    return evaluation.reply
  }

  /** Returns the world of a request and the organization that it may act for; undefined if its key is refused. */
  async organizationFor(
    request: ServiceRequest,
  ): Promise<{ readonly world: World; readonly organization: OrganizationRow } | undefined> {
    const key = bearerKey(request)
    await this.worlds.persistence?.admit(key, () => !request.signal.aborted)
    const selected = this.worlds.find(key)
    const { world } = selected
    const context = { request, key, selected, settle: createSettle(world.assumptions) }
    try {
      return { world, organization: authenticate({ authentication: 'stated' }, context) }
    } catch (error) {
      if (error instanceof RequestError) return undefined
      throw error
    }
  }

  /**
   * Returns whether it handles a request, whose world must have been loaded, rather than leaving it to
   * others.
   */
  isFor(request: ServiceRequest): boolean {
    const target = locate(request, this.baseUrl)
    return target !== undefined && this.#receive(request, target) !== undefined
  }

  /** Finds the world of a request and what handles it there; undefined if that is left to others. */
  #receive(request: ServiceRequest, target: RequestTarget): RoutedRequest | undefined {
    const key = bearerKey(request)
    const received = this.#receiveIn(this.worlds.find(key), key, request, target)
    if (key !== undefined || (received && !needsNoKey(received))) return received
    // What needs no key may be of another world, which its address names.
    const id = worldNamedIn(target.url.search)
    if (id === undefined) return received
    const other = this.#receiveIn(this.worlds.find(key, id), key, request, target)
    return other && needsNoKey(other) ? other : received
  }

  #receiveIn(
    selected: Destination,
    key: string | undefined,
    request: ServiceRequest,
    { url, documented, fileId }: RequestTarget,
  ): RoutedRequest | undefined {
    const { world } = selected
    const routes = this.#routesIn(world)
    const exact = fileId === undefined ? routes.find(request.method, url.path, documented) : undefined
    const isOwn = exact !== undefined || fileId !== undefined || isBelowApi(url.path)
    if (!isOwn && routes.at(url.path).length === 0) return undefined
    const resolver: Resolver = (context) => {
      if (exact) return performOperation(exact.operation, exact.params, context)
      if (fileId !== undefined) return storedFile(fileId, this.worlds, context)
      return answerUnmatched(context, routes)
    }
    const body = new RequestBody(request)
    const settle = createSettle(world.assumptions)
    const beside = exact ? [] : routesBesideSlash(url.path, routes, settle)
    const route = exact ?? beside.find(({ operation }) => operation.method === request.method)
    return { request, url, body, key, selected, generation: world.generation, resolver, route }
  }

  /** Returns the operations of a world. */
  #routesIn({ extensions }: World): Routes {
    let routes = this.#routes.get(extensions)
    if (!routes) {
      routes = new Routes(extensions)
      this.#routes.set(extensions, routes)
    }
    return routes
  }

  /** Leaves a request to others, and records it if it looks like a typo. */
  #leave(request: ServiceRequest, url: RequestUrl): undefined {
    // With a base URL it may be a typo; with any origin, too many other requests arrive here.
    const meant = this.baseUrl.origin === undefined ? null : likelyMeant(request.method, url.path)
    if (meant !== null) this.recordUnanswered(request, url, meant)
  }

  /** Plays the timeline entries that wait for this request, and finds the fault rule that hits it. */
  #disturbanceOf(received: RoutedRequest): FaultRule | undefined {
    const { route, selected } = received
    const { world } = selected
    if (!world.initialState.triggered?.length && world.faults.list().length === 0) return undefined
    if (route) world.triggers.noteRequest(route.operation.id)
    return findDisturbance(received)
  }

  /**
   * Handles a request under a fault, which delays the response, replaces the operation or its response, or
   * damages it.
   */
  async #answerDisturbed(original: RoutedRequest, rule: FaultRule, times: Times): Promise<Response> {
    const { request, route, selected } = original
    const { world } = selected
    const fault = { id: rule.id, ...rule.fault }
    const { performed = false } = fault
    if (!performed) await waitForDelay(rule, original)
    if (isKilled(world)) return this.#leaveUndone(original, times)
    const { assumptions } = world
    const disturbed = {
      ...original,
      resolver: resolverUnder(fault, route?.operation.id ?? null, original.resolver),
    }
    const received = performed ? original : disturbed
    const evaluation = await this.#evaluator.evaluate(received, assumptions)
    const isReplaced = disturbed.resolver !== received.resolver
    const { reply } = isReplaced ? await this.#evaluator.evaluate(disturbed, assumptions, {}) : evaluation
    const [answer, recorded] = disturbReply(fault, reply)
    if (this.#observing) {
      // What a request changes may depend on an assumption, even if its response never arrives.
      const isRelevant = keepsAnswer(fault) || (performed && !isRead(request))
      if (isRelevant) await this.#evaluator.confirm(received, assumptions, evaluation)
      const { reliances } = isRelevant ? evaluation : { reliances: new Reliances() }
      this.#record(received, { ...evaluation, reliances }, recorded, fault, times)
    }
    if (performed) await waitForDelay(rule, original)
    const { carrier = 'fetch' } = this.#options
    return disturbedResponse(answer, { clock: world.clock, carrier, signal: request.signal })
  }

  /** Records a request whose client was killed before it was performed, and ends its connection. */
  #leaveUndone(received: RoutedRequest, times: Times): Response {
    const { request, route, selected } = received
    const operation = route?.operation.id ?? null
    const nothing = { reliances: new Reliances(), hints: new Set<string>(), commands: [], applied: [] }
    const evaluation = { ...nothing, operation, replayed: undefined }
    const reply: Reply = { status: 0, headers: {}, body: null }
    if (this.#observing) this.#record(received, { ...evaluation, reply }, reply, null, times)
    const answer = { status: 200, headers: {}, bytes: null, ending: 'reset', drip: 0 } as const
    const { carrier = 'fetch' } = this.#options
    return disturbedResponse(answer, { clock: selected.world.clock, carrier, signal: request.signal })
  }

  #record(
    { request, url, body, selected: { world }, generation }: ReceivedRequest,
    { reliances, operation, hints, commands, replayed }: Evaluation,
    reply: Reply,
    fault: RecordedFault | null,
    { at, receivedMs }: Times,
  ): void {
    // The world was reset meanwhile, and its new journal has no exchanges from before.
    if (world.generation !== generation) return
    const exchange: RecordedExchange = {
      at,
      operation,
      method: request.method,
      base: url.base,
      path: url.path,
      search: url.search,
      status: reply.status,
      durationMs: world.clock.monotonic - receivedMs,
      receivedMs,
      requestHeaders: request.headers,
      requestBody: body.text,
      requestBytes: body.binary,
      responseHeaders: reply.headers,
      responseBody: reply.body,
      reliances: reliances.list(),
      fault,
      hints: reply.status < 400 ? [...hints] : [],
      commands,
      replayed: replayed === undefined ? undefined : () => world.journal.exchangeOf(replayed),
      via: request.via,
      start: world.agentLife?.client?.start,
      nearMiss:
        operation === null
          ? nearMiss(request.method, url.path, this.#routesIn(world).extensionOperations)
          : null,
    }
    world.record(exchange)
    this.#options.onExchange?.(exchange, world)
    if (operation === null) this.#options.onUnmatched?.(exchange, world)
  }

  /** Records a call of a tool that became no request, as a request for no operation. */
  recordRefusedCall({ tool, input, status, message, key }: RefusedCall): void {
    if (!this.#observing) return
    const { world } = this.worlds.find(key)
    const bytes = new TextEncoder().encode(JSON.stringify({ error: { code: 'refused_call', message } }))
    const exchange: RecordedExchange = {
      ...unanswered,
      ...{ at: world.clock.now(), receivedMs: world.clock.monotonic },
      ...{ method: 'POST', base: '', path: '/mcp', search: '', status },
      requestHeaders: new Headers(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      requestBody: JSON.stringify({ tool, arguments: input }),
      responseHeaders: { 'content-type': 'application/json' },
      responseBody: { bytes: () => bytes, size: bytes.length },
      nearMiss: message,
      via: 'mcp',
    }
    world.record(exchange)
    this.#options.onExchange?.(exchange, world)
  }

  /** Records a request that is for no operation, with the one it was probably meant for, and what a server says instead. */
  recordUnanswered(request: ServiceRequest, url: RequestUrl, nearMiss: string, status = 0): void {
    if (!this.#observing) return
    const { method, headers: requestHeaders } = request
    const { world } = this.worlds.find(bearerKey(request))
    const { generation } = world
    const times = { at: world.clock.now(), receivedMs: world.clock.monotonic }
    const body = new RequestBody(request)
    const record = () => {
      if (world.generation !== generation) return
      world.record({
        ...unanswered,
        ...url,
        ...times,
        method,
        requestHeaders,
        requestBody: body.text,
        nearMiss,
        status,
      })
    }
    if (isRead(request)) record()
    else void body.bytes().then(record, record)
  }
}

/** Returns whether what sent the request that is being handled was killed. */
function isKilled({ agentLife }: World): boolean {
  return agentLife?.client?.isKilled === true
}

/** The fields of an exchange that the simulator does not respond to. */
export const unanswered = {
  operation: null,
  status: 0,
  durationMs: 0,
  responseHeaders: {},
  responseBody: null,
  reliances: [],
  fault: null,
}

/** A call of a tool that there is not, or with arguments that give no request. */
interface RefusedCall {
  readonly tool: string
  readonly input: unknown
  /** The status of a request with the same mistake. */
  readonly status: number
  readonly message: string
  /** The key of the caller. */
  readonly key: string | undefined
}
