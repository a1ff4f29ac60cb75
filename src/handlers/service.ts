import {
  createRandom,
  delayOf,
  disturb,
  type FaultRule,
  keepsAnswer,
  type RecordedExchange,
  type RecordedFault,
  Reliances,
  replacesOperation,
  stopwatch,
  type World,
  type Worlds,
} from '../world/index.js'
import { type Arrival, type Attempt, Attempts } from './attempts.js'
import { Content } from './content.js'
import { bearerKey } from './credentials.js'
import { answerOf, type Carrier, disturbedResponse } from './faults/disturbed-response.js'
import { type Disturbance, disturbanceOf } from './faults/faulted-request.js'
import { standIn } from './faults/stand-in.js'
import { likelyMeant, nearMiss } from './near-miss.js'
import type { Reply } from './reply.js'
import { RequestBody } from './request-body.js'
import type { ServiceRequest } from './service-request.js'
import { type Site, type Target, Targets } from './target.js'
import type { Answerer } from './visit.js'

/** What the simulated service is made of. */
export interface ServiceOptions {
  readonly worlds: Worlds
  readonly site: Site
  /** Told of every defect of the simulator itself, which answers 500. */
  readonly onDefect: (error: unknown, request: Request) => void
  /** Whether exchanges are recorded with what they relied on; they are unless told otherwise. */
  readonly observing?: boolean | undefined
  /** Who carries the answers; the program's own `fetch` when it is left out. */
  readonly carrier?: Carrier | undefined
  /** Told of every exchange as it is recorded. */
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

/** The way of a request: find the world, answer, turn refusals into errors, keep the exchange. */
export class Service {
  readonly worlds: Worlds
  readonly targets: Targets
  readonly site: Site
  readonly #attempts: Attempts
  readonly #observing: boolean
  readonly #onExchange: ServiceOptions['onExchange']
  readonly #carrier: Carrier

  constructor({ worlds, site, onDefect, observing = true, onExchange, carrier = 'fetch' }: ServiceOptions) {
    this.worlds = worlds
    this.site = site
    this.targets = new Targets(site)
    this.#attempts = new Attempts(observing, onDefect)
    this.#observing = observing
    this.#onExchange = onExchange
    this.#carrier = carrier
  }

  /** Answers a request, as far as no fault has it otherwise, and records the exchange in the journal of its world. */
  async answer(request: ServiceRequest, target: Target, answerer: Answerer): Promise<Served> {
    const elapsed = stopwatch()
    const key = bearerKey(request)
    const caller = this.worlds.find(key)
    const { world } = caller
    const at = world.clock.now()
    const { story } = world
    const arrival = { request, body: new RequestBody(request), target, key, caller, story, answerer }
    const disturbance = caller.gone ? undefined : disturbanceOf(world, request.method, target)
    if (disturbance) return this.#answerDisturbed(arrival, disturbance, { at, elapsed })
    const { readings } = world
    const attempted = this.#attempts.answer(arrival, readings)
    // Awaited only where it must be: until a list is answered and weighed, nobody else changes the world.
    const attempt = attempted instanceof Promise ? await attempted : attempted
    if (!this.#observing) return attempt.reply
    const weighing = this.#attempts.weigh(arrival, readings, attempt)
    if (weighing) await weighing
    this.#record(arrival, attempt, { at, elapsed, reply: attempt.reply, fault: null })
    return attempt.reply
  }

  /** Answers a request as a fault has it: late, in the place of the operation, or with a damaged answer. */
  async #answerDisturbed(arrival: Arrival, disturbance: Disturbance, times: Times): Promise<Response> {
    const { rule } = disturbance
    const { world } = arrival.caller
    await waitAsTold(rule, arrival)
    const { readings } = world
    const answerer = replacesOperation(rule.fault) ? standIn(disturbance) : arrival.answerer
    const attempt = await this.#attempts.answer({ ...arrival, answerer }, readings)
    const answer = disturb(rule.fault, answerOf(attempt.reply))
    if (this.#observing) {
      const seen = keepsAnswer(rule.fault)
      if (seen) await this.#attempts.weigh(arrival, readings, attempt)
      const content = seen ? attempt.reply.content : answer.bytes && new Content([answer.bytes])
      const reply = { ...answer, content }
      const fault = { id: rule.id, ...rule.fault }
      this.#record(arrival, seen ? attempt : { ...attempt, reliances: new Reliances() }, {
        ...times,
        reply,
        fault,
      })
    }
    return disturbedResponse(answer, {
      clock: world.clock,
      carrier: this.#carrier,
      signal: arrival.request.signal,
    })
  }

  /**
   * Records a request that is left to whoever else answers at this site, where it looks as if an operation was
   * meant. At any origin, there is too much else.
   */
  noteElsewhere({ method, headers }: ServiceRequest, { base, path, search }: Target): void {
    if (!this.#observing || this.site.origin === undefined) return
    const meant = likelyMeant(method, path)
    if (meant === null) return
    const { world } = this.worlds.find(bearerKey({ headers }))
    world.record({
      at: world.clock.now(),
      operation: null,
      method,
      base,
      path,
      search,
      status: 0,
      durationMs: 0,
      requestHeaders: headers,
      requestBody: null,
      responseHeaders: {},
      responseBody: null,
      reliances: [],
      fault: null,
      nearMiss: meant,
    })
  }

  #record(
    { request, target, caller, story }: Arrival,
    { reliances, body, operation }: Attempt,
    { at, elapsed, reply, fault }: Times & { readonly reply: Reply; readonly fault: RecordedFault | null },
  ): void {
    // A journal that begins anew has nothing of what was under way then.
    if (caller.world.story !== story) return
    const exchange: RecordedExchange = {
      at,
      operation,
      method: request.method,
      base: target.base,
      path: target.path,
      search: target.search,
      status: reply.status,
      durationMs: elapsed(),
      requestHeaders: request.headers,
      requestBody: body,
      responseHeaders: reply.headers,
      responseBody: reply.content,
      reliances: reliances.list(),
      fault,
      nearMiss: operation === null ? nearMiss(request.method, target.path) : null,
    }
    caller.world.record(exchange)
    this.#onExchange?.(exchange, caller.world)
  }
}

/** Waits as long as a fault has an answer wait, unless the client gives up before. */
async function waitAsTold({ id, fault, hit }: FaultRule, { request, caller }: Arrival): Promise<void> {
  const { beginning, clock } = caller.world
  const delay = delayOf(fault, createRandom(beginning.seed, `faults/${id}/${hit}/delay`))
  if (delay > 0) await clock.wait(delay, request.signal)
}
