import type { HttpHandler } from 'msw'
import { checkOptions } from '../../base/options.js'
import type { Extensions } from '../../contract/extensions.js'
import type { Thread } from '../../contract/resources.js'
import type { RelianceSummary } from '../../service/assumptions/settle.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import type { BaseUrl } from '../../service/operations/request.js'
import type { Service } from '../../service/requests/service.js'
import { type ClockMode, formatInstant, parseClockMode } from '../../service/time/time.js'
import type { Deliveries } from '../../service/webhooks/deliveries.js'
import type { Delivery } from '../../service/webhooks/delivery.js'
import type { MswHandler } from '../../service/webhooks/transport.js'
import { digestOf } from '../../service/world/digest.js'
import type { Exchange, JournalEntry } from '../../service/world/exchange.js'
import { sentMail } from '../../service/world/log.js'
import { type SentMail, type SentMessage, showSent } from '../../service/world/sent-mail.js'
import type { Snapshot, SnapshotOptions } from '../../service/world/snapshot.js'
import type { WorldState } from '../../service/world/state.js'
import type { World } from '../../service/world/world.js'
import type { Persistence, WorldRecord, Worlds } from '../../service/world/worlds.js'
import type { ExpectationInput } from '../../story/edits.js'
import type { LaidAttack } from '../../story/expectations/expectation-checker.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import type { ExchangeMatch } from '../../story/expectations/request.js'
import type { StoryMasker } from '../../story/secrets.js'
import { type Story, storyOf } from '../../story/story.js'
import { assumptions } from '../controls/assumptions.js'
import { clock, timeline } from '../controls/clock.js'
import { type Methods, methodsOf } from '../controls/control.js'
import { faults } from '../controls/faults.js'
import { Events, journal } from '../controls/log.js'
import { mail } from '../controls/mail.js'
import { identities, mailbox, threads } from '../controls/mailboxes.js'
import { webhooks } from '../controls/webhooks.js'
import { summarize, type WorldSummary, WorldView } from '../controls/world-view.js'
import { InProcessTransport, type McpTransport } from '../mcp/in-process.js'
import type { ToolOptions } from '../mcp/tool.js'
import { paceQuietly } from '../pace/quiet-pace.js'
import type { Attack, AttackNames } from './attacks.js'
import { type ForkOptions, type SentFilter, type WorldOptions, worldOptions } from './options.js'
import type { ScenarioLoader } from './scenario-loader.js'
import {
  type AnyMatch,
  awaited,
  type DeliveryWanted,
  type SentWanted,
  type ThreadMatch,
  type WaitOptions,
  waitUntil,
} from './wait-for.js'

/** The parts of a simulator. */
interface SimulatorParts {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  readonly service: Service
  /** Undefined for a server, which responds without them. */
  readonly handlers: HttpHandler[] | undefined
  readonly loader: ScenarioLoader
  readonly world: World
  /** The key of a forked world; the first world has the keys that its scenario lists. */
  readonly apiKey?: string | undefined
  /** The address below which its stored files are served, instead of that of the service. */
  readonly base?: string | undefined
}

/** The id and key of a created world, and what it was created from. */
export type CreatedWorld = Pick<Simulator, 'id' | 'apiKey' | 'scenario' | 'seed'> | WorldRecord

/** The controls of one world, and the handlers that serve it. */
export class Simulator {
  /** The base URL of the simulated service; `*` for any origin. */
  readonly baseUrl: string
  /** Receives and sends mail. */
  readonly mail: Methods<typeof mail>
  readonly identities: Methods<typeof identities>
  readonly threads: Methods<typeof threads>
  /** Reads mail without requests. */
  readonly mailbox: Methods<typeof mailbox>
  readonly webhooks: Methods<typeof webhooks>
  /** The deliveries to webhook subscriptions. */
  readonly deliveries: Deliveries
  readonly faults: Methods<typeof faults>
  readonly clock: Methods<typeof clock>
  readonly journal: Methods<typeof journal>
  readonly events: Events
  readonly assumptions: Methods<typeof assumptions>
  readonly timeline: Methods<typeof timeline>
  /** Its world, for those who control it. @internal */
  readonly view: WorldView
  readonly #parts: SimulatorParts

  /** Called by `createSimulator` and `fork`. @internal */
  constructor(parts: SimulatorParts) {
    const { baseUrl, world, base } = parts
    this.#parts = parts
    this.baseUrl = baseUrl.pattern
    this.view = new WorldView(world, base)
    this.deliveries = world.deliveries
    this.events = new Events(world)
    this.mail = methodsOf('mail', mail, this)
    this.identities = methodsOf('identities', identities, this)
    this.threads = methodsOf('threads', threads, this)
    this.mailbox = methodsOf('mailbox', mailbox, this)
    this.webhooks = methodsOf('webhooks', webhooks, this)
    this.faults = methodsOf('faults', faults, this)
    this.clock = methodsOf('clock', clock, this)
    this.journal = methodsOf('journal', journal, this)
    this.assumptions = methodsOf('assumptions', assumptions, this)
    this.timeline = methodsOf('timeline', timeline, this)
    paceQuietly(world)
  }

  /** The files of the simulator's scenario. */
  get files(): readonly URL[] {
    return this.#parts.loader.files
  }

  /** The scenario's name. */
  get scenario(): string {
    return this.view.story.scenario
  }

  /** What its scenario asks the agent to do, in a sentence to it; undefined if it does not say. */
  get task(): string | undefined {
    return this.view.story.task
  }

  /** The seed that every generated value depends on. */
  get seed(): number {
    return this.view.story.seed
  }

  /** The instant at which its story begins, ISO 8601 UTC. */
  get start(): string {
    return formatInstant(this.view.story.start)
  }

  /** The operations and gaps that extensions add to the documented interface. @internal */
  get extensions(): Extensions {
    return this.view.world.extensions
  }

  /** The secrets of its scenario, by name. */
  get secrets(): Readonly<Record<string, string>> {
    return this.view.story.secrets ?? {}
  }

  /** The expectations of its scenario, in order. @internal */
  get expectations(): readonly Expectation[] {
    return this.view.story.expectations
  }

  /** The attacks that are laid over its story. @internal */
  get laidAttacks(): readonly LaidAttack[] {
    return this.view.story.attacks ?? []
  }

  /**
   * MSW handlers of the service, for any `setupServer` or `setupWorker` of MSW 2 or MSW 3; forks share them.
   * @throws TypeError for the simulator of a server
   */
  get handlers(): MswHandler[] {
    const { handlers } = this.#parts
    if (handlers) return handlers
    throw new TypeError('A server responds only over HTTP; for MSW handlers, use createSimulator().')
  }

  /** Handles the requests to every world. @internal */
  get service(): Service {
    return this.#parts.service
  }

  /** The bearer key that selects this world. */
  get apiKey(): string {
    const { apiKey, world } = this.#parts
    return apiKey ?? world.store.firstOrganization().api_keys[0] ?? 'any-key'
  }

  /**
   * Returns a transport for an MCP client, whose tools are the operations: `await client.connect(sim.mcp())`. Starting it
   * rejects with a TypeError if `tools` names a tool that there is not.
   */
  mcp(options: ToolOptions = {}): McpTransport {
    checkOptions('mcp', options, { tools: 'public' })
    return new InProcessTransport(this.service, this.apiKey, options)
  }

  /** The rows of its world. @internal */
  get store(): MailboxStore {
    return this.#parts.world.store
  }

  /** Returns the messages that agents sent by requests: by all that the journal keeps, or by these. @internal */
  sentBy(entries?: readonly JournalEntry[]): SentMail[] {
    return sentMail(this.#parts.world, entries)
  }

  /**
   * Returns the messages that agents sent by requests, in order, as long as the journal keeps the requests.
   * Messages of the timeline, of `mail.send` and of deleted mailboxes are not included.
   * @example expect(sim.sent({ agent: 'support' })).toHaveLength(1)
   */
  sent(options: SentFilter = {}): SentMessage[] {
    checkOptions('sent', options, { agent: 'public' })
    const { agent } = options
    const all = this.sentBy().map((mail) => showSent(mail, this.store))
    if (agent === undefined) return all
    const { agent_handle } = this.identities.get(agent)
    return all.filter((mail) => mail.agent_handle === agent_handle)
  }

  /** Masks keys, tokens and the secrets of the story in everything that is reported about this world. @internal */
  get masker(): StoryMasker {
    return this.view.masker
  }

  /** The world's id: `world_1` for the first. */
  get id(): string {
    return this.#parts.world.id
  }

  /** Whether it is the simulator's first world, rather than one added by `fork` or `addWorld`. */
  get isFirst(): boolean {
    return this.#parts.world === this.#parts.worlds.first
  }

  /** Returns the attacks of its scenario, in the order of the file. @throws ScenarioError */
  attacks(): Promise<Attack[]> {
    const { loader, world } = this.#parts
    return loader.attacksOf(storyOf(world))
  }

  /** Compiles an expectation in the words of its scenario. @throws ScenarioError @internal */
  expectationOf(written: ExpectationInput): Promise<Expectation> {
    const { loader, world } = this.#parts
    return loader.expectationIn(storyOf(world), written)
  }

  /**
   * Lays one or several attacks of its scenario over the story, and restarts the story. `benign` uses their
   * harmless versions instead. @throws ScenarioError if there is no such attack
   * @example await mailbox.attack('refund-to-stranger')
   */
  async attack(attack: AttackNames, { benign = false }: { readonly benign?: boolean } = {}): Promise<void> {
    const { loader, world } = this.#parts
    const options = benign ? { benign: attack } : { attack }
    world.restart(await loader.loadOther(storyOf(world), options))
  }

  /** Counts agents, threads, messages and webhooks; the cost does not depend on the size of the mailboxes. */
  summary(): WorldSummary {
    return summarize(this.#parts.world.store)
  }

  /**
   * Waits for a matching request, for a message that an agent sends, for a thread to reach a state, or for a
   * delivery to end or to reach a status. Resolves immediately if that has already happened.
   * @throws WaitError that describes what happened instead
   * @example await sim.waitFor({ operation: 'identities.update', body: { display_name: 'Busy' } })
   * @example await sim.waitFor({ delivery: 'message.received', message: message.id })
   */
  waitFor(match: ThreadMatch, options?: WaitOptions): Promise<Thread>
  waitFor(match: SentWanted, options?: WaitOptions): Promise<SentMessage>
  waitFor(match: DeliveryWanted, options?: WaitOptions): Promise<Delivery>
  waitFor(match: ExchangeMatch | ((exchange: Exchange) => boolean), options?: WaitOptions): Promise<Exchange>
  async waitFor(match: AnyMatch, options?: WaitOptions): Promise<Thread | SentMessage | Delivery | Exchange> {
    const { world } = this.#parts
    return waitUntil(world, awaited(this, world, match), options)
  }

  /** Returns the gaps of the interface on which the responses and deliveries so far depend. */
  reliances(): RelianceSummary[] {
    return this.#parts.world.reliances()
  }

  /**
   * Returns why a message was refused because agents had sent as many as the story allows; null if none was.
   */
  runaway(): string | null {
    return this.#parts.world.sent.refusal
  }

  /**
   * Returns a hash of the whole state of this world, 32 hex digits: equal worlds have equal digests on every machine.
   * The cost depends on the number of changes, not on the size of the mailbox.
   */
  digest(): string {
    return digestOf(this.#parts.world)
  }

  /**
   * Reloads the scenario from its file and restarts with it. Earlier forks keep their story.
   * @throws ScenarioError, WorldError; the world is then unchanged
   */
  async reload(): Promise<void> {
    this.#parts.world.restart(await this.#parts.loader.load())
  }

  /** Restarts with the scenario of another world instead of this one's. @internal */
  restartLike(other: Simulator): void {
    this.#parts.world.restart(other.#parts.world.initialState, other.clock.mode)
  }

  /** Returns to the start of the scenario. The cost depends on the number of changes, not on the size of the mailbox. */
  reset(): void {
    this.#parts.world.reset()
  }

  /**
   * Returns everything needed to restore this world, as plain JSON. The cost depends on the number of changes, not on the
   * size of the mailbox. The snapshot contains tokens and keys; `{ secrets: 'masked' }` masks them, for a document that
   * is only read by people and cannot be restored.
   */
  snapshot(options: SnapshotOptions = {}): Snapshot {
    checkOptions('snapshot', options, { secrets: 'public' })
    return this.#parts.world.snapshot(options)
  }

  /**
   * Restores a snapshot of the same scenario, seed and start, taken here or in another process, with an empty journal.
   * @throws WorldError that says what is wrong; the world is then unchanged
   * @example sim.restore(JSON.parse(await readFile('monday.json', 'utf8')))
   */
  restore(snapshot: unknown): void {
    this.#parts.world.restore(snapshot)
  }

  /**
   * Creates an isolated world at the start of this one's story, or as this one was at a moment, selected by its own `apiKey`.
   * @throws WorldError
   * @example const fork = sim.fork({ at: 12 })
   */
  fork(options: ForkOptions = {}): Simulator {
    checkOptions('fork', options, { clock: 'public', at: 'public' })
    const { clock = this.clock.mode, at } = options
    const { world } = this.#parts
    return this.#add(storyOf(world), clock, at === undefined ? undefined : world.stateAt(at))
  }

  /**
   * Creates an isolated world with another story, seed or assumptions, selected by its own `apiKey`.
   * @throws ScenarioError, WorldError
   * @example const other = await sim.addWorld({ scenario: 'busy-inbox', seed: 3 })
   */
  async addWorld(options: WorldOptions = {}): Promise<Simulator> {
    checkOptions('addWorld', options, worldOptions)
    const { clock = this.clock.mode, ...changes } = options
    const { world, loader } = this.#parts
    return this.#add(await loader.loadOther(storyOf(world), changes), clock)
  }

  /** Stores the logs of worlds outside this process; undefined if they are not stored. @internal */
  get persistence(): Persistence | undefined {
    return this.#parts.worlds.persistence
  }

  /** Returns a function that waits until everything this world does from now on is durable. @throws StateError @internal */
  hold(): () => Promise<void> | undefined {
    return this.persistence?.hold(this.#parts.world) ?? (() => undefined)
  }

  /**
   * Creates an isolated world from a shipped scenario only, as `addWorld` does, or from a moment, as `fork` does. Another
   * server may own it later.
   * @throws ScenarioError, WorldError, StateError @internal
   */
  async createWorld({
    at,
    clock = this.clock.mode,
    ...options
  }: WorldOptions & Pick<ForkOptions, 'at'> = {}): Promise<CreatedWorld> {
    const { worlds, world, loader } = this.#parts
    const changes = { ...options, shippedOnly: true }
    const isFork = at !== undefined
    const story = isFork ? storyOf(world) : await loader.loadOther(storyOf(world), changes)
    const state = isFork ? world.stateAt(at) : undefined
    const { persistence } = worlds
    if (!persistence) return this.#add(story, clock, state)
    const mode = parseClockMode(clock)
    // The seed and the start of another scenario may come from options of this simulator.
    const { seed, start } = story
    const resolved = options.scenario === undefined ? {} : { seed, start: formatInstant(start) }
    const before = (await persistence.find(world.id))?.steps ?? []
    const steps = isFork ? before : [...before, { ...changes, ...resolved }]
    const record = await persistence.create({ steps, clock: mode }, story)
    if (state) {
      await persistence.admitWorld(record.id, () => true)
      worlds.get(record.id)?.world.continueFrom({ ...state, clock: { ...state.clock, mode } })
      await persistence.confirm(record.id)
    }
    return record
  }

  /** Returns every world, beginning with the first. */
  worlds(): Simulator[] {
    const { worlds } = this.#parts
    return [this.#of({ world: worlds.first }), ...worlds.forks().map((fork) => this.#of(fork))]
  }

  /** Returns the world with an id; undefined if there is none or it was closed. */
  world(id: string): Simulator | undefined {
    const { worlds } = this.#parts
    if (id === worlds.first.id) return this.#of({ world: worlds.first })
    const fork = worlds.get(id)
    return fork && this.#of(fork)
  }

  /** Returns the same, with the addresses of stored files below another base. @internal */
  below(base: string): Simulator {
    return new Simulator({ ...this.#parts, base })
  }

  /**
   * Closes this world permanently; closing the first one closes all others as well. A closed world can still
   * be read, but its key is refused, and changing it throws a WorldError.
   */
  close(): void {
    const { worlds, world } = this.#parts
    if (world === worlds.first) worlds.stop()
    else worlds.drop(world.id)
  }

  /**
   * Creates an isolated world; every other way of creating one uses this one. @throws WorldError
   */
  #add(initialState: Story, clock: ClockMode, from?: WorldState): Simulator {
    const mode = parseClockMode(clock)
    const resumed = from && { ...from, clock: { ...from.clock, mode } }
    return this.#of(this.#parts.worlds.add(initialState, mode, resumed))
  }

  #of({ world, apiKey }: { readonly world: World; readonly apiKey?: string }): Simulator {
    return world === this.#parts.world ? this : new Simulator({ ...this.#parts, world, apiKey })
  }
}
