import { counted } from '../../base/text.js'
import type { Need } from '../../contract/gaps/gap.js'
import { type GapId, gapIds, gaps } from '../../contract/gaps.js'
import { type Analysis, analyze, type Probed } from './analysis.js'
import { type Constraint, shows } from './elimination.js'
import {
  CalibrationError,
  describeExchange,
  describeRequest,
  type Fields,
  isSameRequest,
  type ProbeExchange,
  type ProbeRequest,
  refuseWrongKey,
  rowsOf,
} from './exchange.js'
import { handlesIn, type KnownAgent } from './mailbox-view.js'
import { firstProbes, get, identityRequest, type Known, type Probe, readProbes } from './reads.js'
import { type ClientOptions, ServiceClient } from './service-client.js'
import { plannedWrites, probeWrites } from './writes.js'

/** The options of a calibration. */
export interface CalibrateOptions extends ClientOptions {
  /** The agent to ask about; by default one that the mailbox shows. */
  readonly agent?: string | undefined
  /** What the probes may do; by default only read. */
  readonly needs?: ReadonlySet<Need> | undefined
  /** An earlier run, which this one continues. */
  readonly before?: UnfinishedRun | undefined
  /** Called with every exchange once it is analyzed. */
  readonly onProbed?: ((probed: Probed, all: readonly Probed[]) => void) | undefined
}

/** What a run has seen and learned, which is sufficient to continue it. */
export interface UnfinishedRun {
  readonly probed: readonly Probed[]
  /** What it learned other than from single exchanges. */
  readonly learned: readonly Constraint[]
}

/** The result of a calibration. */
export interface Calibration extends UnfinishedRun {
  readonly analysis: Analysis
  /** By gap, what was missing for a request that could show its assumption. */
  readonly missing: ReadonlyMap<GapId, string>
  /** The number of requests, including retries and those of an earlier run. */
  readonly sent: number
  /** Why it stopped early; undefined if it completed. */
  readonly stopped: CalibrationError | undefined
  /** Further notes for the user, in sentences. */
  readonly notes: readonly string[]
}

/**
 * Sends requests to a service until its responses settle as many gaps as possible.
 * @throws CalibrationError if the first request fails
 */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const calibration = new Calibrating(options)
  return calibration.run()
}

class Calibrating {
  readonly #options: CalibrateOptions
  /** The handle of the agent that the options name. */
  readonly #named: string | undefined
  readonly #client: ServiceClient
  readonly #probed: Probed[]
  readonly #missing = new Map<GapId, string>()
  readonly #notes: string[] = []
  readonly #learned: Constraint[]
  #known: Known

  constructor(options: CalibrateOptions) {
    this.#options = options
    this.#named = options.agent?.replace(/^@/, '')
    this.#probed = [...(options.before?.probed ?? [])]
    this.#learned = [...(options.before?.learned ?? [])]
    this.#client = new ServiceClient(
      { mostBytes, ...options },
      this.#probed.map(({ exchange }) => exchange),
    )
    this.#known = this.#analyze()
  }

  async run(): Promise<Calibration> {
    let stopped: CalibrationError | undefined
    try {
      await this.#read()
      if (this.#options.needs?.has('writes')) await this.#write()
      if (this.#options.needs?.has('burst')) await this.#burst()
    } catch (error) {
      const isResult = error instanceof CalibrationError && this.#probed.length > 0
      if (!isResult || error.code === 'refused' || error.code === 'not-the-service') throw error
      stopped = error
    }
    return {
      probed: this.#probed,
      learned: this.#learned,
      analysis: this.#known,
      missing: this.#missing,
      sent: this.#client.sent,
      stopped,
      notes: this.#notes,
    }
  }

  /** Sends the probes that only read; repeats lists if mail arrives in the meantime. */
  async #read(): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await this.#begin()
      await this.#findAgents()
      for (const probe of readProbes) await this.#ask(probe)
      if (await this.#isUnchanged()) return
      const lists = this.#probed.map((one) => (showsList(one) ? { ...one, isVoid: true as const } : one))
      this.#probed.splice(0, this.#probed.length, ...lists)
      this.#known = this.#analyze()
    }
    this.#notes.push('The mailbox kept changing during the run, so its lists could not be compared.')
  }

  /** Sends the probes that change the identity of the named agent. */
  async #write(): Promise<void> {
    const { agent } = this.#known
    if (!agent || agent.handle !== this.#named) {
      const byWrites = gapIds.filter((gap) => gaps[gap].learnedBy === 'writes')
      for (const gap of byWrites) this.#missing.set(gap, `there is no agent "${this.#named}" to update`)
      return
    }
    await probeWrites({
      agent,
      // Mail may have come since the other lists were read.
      send: (gap, request, before) => this.#exchange(gap, request, { before, areListsVoid: true }),
      sendAnyway: (request) => this.#client.sendAnyway(request),
      probed: this.#probed,
      isLearned: (gap) => this.#isLearned(gap),
      learn: (constraint) => this.#learn(constraint),
      missing: (gap, why) => this.#missing.set(gap, why),
      note: (sentence) => this.#notes.push(sentence),
    })
  }

  /** Sends reads as fast as possible until the service refuses one, or a limit of 60 per minute would have. */
  async #burst(): Promise<void> {
    if (this.#isLearned('limits.rate')) return
    if (this.#client.left < burst) {
      this.#missing.set('limits.rate', `--max-requests leaves fewer than the ${burst} requests of a burst`)
      return
    }
    const before = this.#client.admitted
    let sent = 0
    let exchange: ProbeExchange
    do {
      exchange = await this.#client.sendAtOnce(get('/api/v1/mail/messages', { limit: '1' }))
      sent++
    } while (exchange.answer.status !== 429 && sent < burst)
    if (exchange.answer.status !== 429) {
      this.#learn(shows('limits.rate', ['none'], [exchange], `${burst} simultaneous requests were accepted`))
      return
    }
    const count = sent - 1
    // Requests of the last minute count, also those of other clients with the key.
    const names = count <= 60 && count + before >= 60 ? ['60-per-minute'] : []
    const seen = `request ${sent} of a burst was refused with 429, after ${before} before it`
    this.#learn(shows('limits.rate', names, [exchange], seen))
  }

  #learn(constraint: Constraint): void {
    this.#learned.push(constraint)
    this.#known = this.#analyze()
  }

  #isLearned(gap: GapId): boolean {
    return this.#learned.some(({ target }) => target === gap)
  }

  /** Returns whether the lists are the same as at the beginning. */
  async #isUnchanged(): Promise<boolean> {
    const lists = this.#probed.filter((one) => showsList(one) && one.gap === undefined && !one.isVoid)
    for (const { exchange } of lists.slice(0, 2)) {
      const again = await this.#client.send(exchange.request)
      if (again.answer.text !== exchange.answer.text) return false
    }
    return true
  }

  /** Sends the first requests. @throws CalibrationError `refused`, `not-the-service` */
  async #begin(): Promise<void> {
    for (const probe of firstProbes) {
      await this.#ask(probe)
      const first = this.#probed[0]
      if (first) refuseWrongKey(first.exchange)
    }
    if (this.#probed.some(({ exchange }) => isList(exchange))) return
    const answers = this.#probed.map(({ exchange }) => exchange).slice(0, firstProbes.length)
    const seen = answers.map(describeExchange).join('; ')
    const isDown = answers.every(({ answer }) => answer.status >= 500)
    throw isDown
      ? new CalibrationError('unreachable', `The service is failing: ${seen}.`)
      : new CalibrationError(
          'not-the-service',
          `No list of messages or webhooks is at --base-url, which is the address without /api/v1: ${seen}.`,
        )
  }

  /** Finds up to two agents: the named one, and those that webhooks and messages show. */
  async #findAgents(): Promise<void> {
    const named = this.#named
    const { messages, webhooks } = this.#known.view
    const shown = handlesIn(messages.values(), webhooks)
    const handles = new Set([...(named === undefined ? [] : [named]), ...shown])
    for (const handle of [...handles].slice(0, 5)) {
      if (this.#known.view.agents.size >= 2) break
      await this.#send(undefined, identityRequest(handle))
      if (handle === named && !this.#known.view.agents.has(handle)) {
        const { status } = (this.#probed.at(-1) as Probed).exchange.answer
        this.#notes.push(`There is no agent "${handle}" (${status}); using another one.`)
      }
    }
  }

  async #ask({ gap, request, always, when }: Probe): Promise<void> {
    const known = this.#known
    const isSettled = gap !== undefined && (known.misfits.has(gap) || known.candidates[gap].length < 2)
    if ((isSettled && !always) || when?.(known) === false) return
    const made = request(known)
    if (typeof made === 'string') {
      if (gap !== undefined && !this.#missing.has(gap)) this.#missing.set(gap, made)
      return
    }
    await this.#send(gap, made)
  }

  async #send(gap: GapId | undefined, request: ProbeRequest): Promise<void> {
    if (this.#probed.some(({ exchange, isVoid }) => !isVoid && isSameRequest(exchange.request, request)))
      return
    await this.#exchange(gap, request)
  }

  async #exchange(
    gap: GapId | undefined,
    request: ProbeRequest,
    {
      before,
      areListsVoid = false,
    }: { readonly before?: Fields | undefined; readonly areListsVoid?: boolean } = {},
  ): Promise<ProbeExchange> {
    const exchange = await this.#client.send(request)
    const made = { exchange, gap, before }
    const probed: Probed = areListsVoid && showsList(made) ? { ...made, isVoid: true } : made
    this.#probed.push(probed)
    this.#known = this.#analyze()
    this.#options.onProbed?.(probed, this.#probed)
    return exchange
  }

  #analyze(): Known {
    const analysis = analyze(this.#probed, this.#learned)
    const agents = [...analysis.view.agents.values()]
    const agent: KnownAgent | undefined = agents.find(({ handle }) => handle === this.#named) ?? agents[0]
    return { ...analysis, agent, other: agents.find((one) => one !== agent) }
  }
}

/** The maximum bytes of all responses: `SavedRun` writes them as one text, in which a character may become two. */
const mostBytes = 192 * 1_048_576

/** The size of a burst: more than a limit of 60 per minute allows. */
const burst = 65

/** The maximum number of times that lists are read if mail keeps arriving. */
const attempts = 3

/** Returns whether an exchange has a list of messages or webhooks. */
function isList({ answer }: ProbeExchange): boolean {
  return (rowsOf(answer, 'messages') ?? rowsOf(answer, 'webhooks')) !== undefined
}

/** Returns whether an exchange shows part of a list that new mail changes. */
function showsList({ exchange: { request, answer } }: Probed): boolean {
  return request.key === 'own' && answer.status === 200 && /\/mail\/(threads|messages)\b/.test(request.target)
}

/** The options of a dry run. */
export interface PlanOptions {
  readonly baseUrl: string
  readonly agent: string | undefined
  readonly needs: ReadonlySet<Need>
  readonly rate: number
  readonly maxRequests: number
}

/**
 * Lists the requests that a calibration may send, in order; those whose gap is already settled are skipped.
 */
export function planOf({ baseUrl, agent = 'AGENT', needs, rate, maxRequests }: PlanOptions): string {
  const known = placeholders(agent)
  const line = (probe: Probe): string[] => {
    const request = probe.request(known)
    const target = typeof request === 'string' ? undefined : describeRequest(request)
    const shown =
      target ??
      (probe.gap && later[probe.gap]) ??
      'GET /api/v1/mail/messages?… (a page that was not seen yet)'
    return [`${shown}${probe.gap === undefined ? '' : `   # ${probe.gap}`}`]
  }
  const lines = [
    ...firstProbes.flatMap(line),
    `${describeRequest(identityRequest(agent))}   # and up to four more identities that the mailbox shows`,
    ...readProbes.flatMap(line),
    ...(needs.has('writes') ? plannedWrites(agent) : []),
    ...(needs.has('burst')
      ? ['GET /api/v1/mail/messages?limit=1   # limits.rate: up to 65 times, as fast as possible']
      : []),
  ]
  const unique = [...new Set(lines)]
  return [
    `To ${baseUrl}, at most ${counted(maxRequests, 'request')}, ${rate} a second. AGENT and OTHER are agents,`,
    'MAILBOX is an address, ID an id that the mailbox shows. Gaps that are already settled are not tested again.',
    '',
    ...unique.map((text) => `  ${text}`),
    '',
    'Nothing was sent.',
    '',
  ].join('\n')
}

const later: Readonly<Partial<Record<string, string>>> = {
  'messages.order': 'GET /api/v1/mail/messages?thread_id=ID&limit=100 (of a thread that is read)',
  'threads.snippet': 'GET /api/v1/mail/messages?thread_id=ID&limit=100 (of a thread that is read)',
  'messages.attachment-url': 'GET the URL of an attachment, without a key',
  'webhooks.agent-filter-unscoped': 'GET /api/v1/webhooks?agent=AGENT (or the actual name of the filter)',
}

/** Returns placeholders for what is known before the first request. */
function placeholders(handle: string): Known {
  const analysis = analyze([])
  const agentOf = (name: string, mailbox: string): KnownAgent => ({ handle: name, mailbox, identity: {} })
  const agent = agentOf(handle, 'MAILBOX')
  const other = agentOf('OTHER', 'MAILBOX-OF-OTHER')
  return { ...analysis, agent, other }
}
