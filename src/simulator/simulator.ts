import type { HttpHandler } from 'msw'
import type { Extensions } from '../contract/extensions.js'
import { checkOptions } from '../contract/options.js'
import type { Thread } from '../contract/resources.js'
import type { BaseUrl } from '../handlers/index.js'
import type { MailboxStore } from '../model/index.js'
import {
  type ClockMode,
  type Deliveries,
  type Delivery,
  digestOf,
  type Exchange,
  type Expectation,
  formatInstant,
  type InitialState,
  type Masker,
  type Persistence,
  parseClockMode,
  type RelianceSummary,
  type Snapshot,
  type SnapshotOptions,
  type World,
  type Worlds,
} from '../world/index.js'
import { ClockControl, Faults, JournalView, ReadingsControl, TimelineView } from './controls.js'
import { Events } from './events.js'
import { Mail } from './mail.js'
import { MailboxReader } from './mailbox.js'
import type { ExchangeMatch } from './matching.js'
import { type WorldOptions, worldOptions } from './options.js'
import { Identities, ResourceView, Threads, Webhooks } from './resources.js'
import type { ScenarioLoader } from './scenario-loader.js'
import {
  checkWanted,
  type DeliveryWanted,
  deliverySearch,
  exchangeSearch,
  type ThreadMatch,
  threadSearch,
  type WaitOptions,
  waitUntil,
} from './wait-for.js'

/** What a simulator is put together from. */
export interface SimulatorDependencies {
  readonly worlds: Worlds
  readonly baseUrl: BaseUrl
  readonly handlers: HttpHandler[]
  readonly loader: ScenarioLoader
  readonly world: World
  /** The key of a forked world; the first has those its scenario lists. */
  readonly apiKey?: string | undefined
  /** The address below which stored files are shown; the base URL when it is left out. */
  readonly base?: string
}

/** How a fork differs from the world it is made from. */
export interface ForkOptions {
  /** How its time passes; as in the world it is made from when it is left out. */
  readonly clock?: ClockMode | undefined
}

/** A world that was made, by what leads to it. */
export interface MadeWorld {
  readonly id: string
  readonly apiKey: string
  readonly scenario: string
  readonly seed: number
}

/** How much a world holds. */
export interface WorldSummary {
  readonly agents: number
  readonly threads: number
  readonly messages: number
  readonly webhooks: number
}

/** One world as its user holds it, and the handlers that serve it. */
export class Simulator {
  /** MSW handlers of the service, for any `setupServer` or `setupWorker`; forks share them. */
  readonly handlers: HttpHandler[]
  /** Where the service is simulated; `*` for any origin. */
  readonly baseUrl: string
  readonly mail: Mail
  readonly identities: Identities
  readonly threads: Threads
  /** Reads mail without any request. */
  readonly mailbox: MailboxReader
  readonly webhooks: Webhooks
  /** What was, and is being, sent to webhook subscriptions. */
  readonly deliveries: Deliveries
  readonly faults: Faults
  readonly clock: ClockControl
  readonly journal: JournalView
  readonly events: Events
  readonly readings: ReadingsControl
  readonly timeline: TimelineView
  readonly #dependencies: SimulatorDependencies

  /** Made by `createSimulator` and `fork`. @internal */
  constructor(dependencies: SimulatorDependencies) {
    const { baseUrl, world } = dependencies
    this.#dependencies = dependencies
    this.handlers = dependencies.handlers
    this.baseUrl = baseUrl.pattern
    const view = new ResourceView(
      world,
      dependencies.base ?? (baseUrl.origin === undefined ? '' : baseUrl.pattern),
    )
    this.mail = new Mail(view)
    this.identities = new Identities(view)
    this.threads = new Threads(view)
    this.mailbox = new MailboxReader(view)
    this.webhooks = new Webhooks(view)
    this.deliveries = world.deliveries
    this.faults = new Faults(world)
    this.clock = new ClockControl(world)
    this.journal = new JournalView(world)
    this.events = new Events(world)
    this.readings = new ReadingsControl(world)
    this.timeline = new TimelineView(world)
  }

  /** The bearer key that selects this world. */
  get apiKey(): string {
    const { apiKey, world } = this.#dependencies
    return apiKey ?? world.store.firstOrganization().api_keys[0] ?? 'any-key'
  }

  /** Takes keys and tokens out of what is written down of this world. @internal */
  get masker(): Masker {
    return this.#dependencies.world.masker
  }

  /** The world's id: `world_1` for the first. */
  get id(): string {
    return this.#dependencies.world.id
  }

  /** Whether it is the first, which all others were made beside. */
  get isFirst(): boolean {
    return this.#dependencies.world === this.#dependencies.worlds.first
  }

  /** The files its scenario is made of. */
  get files(): readonly URL[] {
    return this.#dependencies.loader.files
  }

  /** The scenario's name. */
  get scenario(): string {
    return this.#dependencies.world.initialState.scenario
  }

  /** The seed that every generated value depends on. */
  get seed(): number {
    return this.#dependencies.world.initialState.seed
  }

  /** The instant its story begins, ISO 8601 UTC. */
  get start(): string {
    return formatInstant(this.#dependencies.world.initialState.start)
  }

  /** What extensions add to the documented interface. @internal */
  get extensions(): Extensions {
    return this.#dependencies.world.extensions
  }

  /** What must be true when its story is over, in the order of the scenario. @internal */
  get expectations(): readonly Expectation[] {
    return this.#dependencies.world.initialState.expectations
  }

  /** Counts agents, threads, messages and webhooks; costs the same whatever the mailboxes hold. */
  summary(): WorldSummary {
    return summarize(this.#dependencies.world.store)
  }

  /**
   * Waits for a request that fits, for a thread to be in some state, or for a delivery to be over or as far as it says;
   * at once where it is so already.
   * @throws WaitError that says what was seen instead
   * @example await sim.waitFor({ operation: 'identities.update', body: { display_name: 'Busy' } })
   * @example await sim.waitFor({ delivery: 'message.received', message: message.id })
   */
  waitFor(wanted: ThreadMatch, options?: WaitOptions): Promise<Thread>
  waitFor(wanted: DeliveryWanted, options?: WaitOptions): Promise<Delivery>
  waitFor(wanted: ExchangeMatch | ((exchange: Exchange) => boolean), options?: WaitOptions): Promise<Exchange>
  async waitFor(
    wanted: ThreadMatch | DeliveryWanted | ExchangeMatch | ((exchange: Exchange) => boolean),
    options?: WaitOptions,
  ): Promise<Thread | Delivery | Exchange> {
    const { world } = this.#dependencies
    if (typeof wanted === 'function') return waitUntil(world, exchangeSearch(world, wanted), options)
    checkWanted(wanted)
    if ('delivery' in wanted) return waitUntil(world, deliverySearch(this, world, wanted), options)
    if ('thread' in wanted) return waitUntil(world, threadSearch(this.threads, wanted), options)
    return waitUntil(world, exchangeSearch(world, wanted), options)
  }

  /** Which silent points of the interface the requests and deliveries so far relied on. */
  reliances(): RelianceSummary[] {
    return this.#dependencies.world.reliances()
  }

  /**
   * 32 hex digits over everything this world holds: equal for equal worlds, on every machine. Reads every
   * message, so it takes its time where there are many.
   */
  digest(): string {
    return digestOf(this.#dependencies.world)
  }

  /**
   * Loads the scenario from its file again and starts over with it. Forks made before keep the story they have.
   * @throws ScenarioError, ReadingError; then everything is as it was
   */
  async reload(): Promise<void> {
    this.#dependencies.world.restart(await this.#dependencies.loader.load())
  }

  /** Restarts with the scenario of another world; nothing of this one is left. @internal */
  restartLike(other: Simulator): void {
    this.#dependencies.world.restart(other.#dependencies.world.initialState, other.clock.mode)
  }

  /** Returns to the start of the scenario; costs only what was changed, however large the mailbox. */
  reset(): void {
    this.#dependencies.world.reset()
  }

  /**
   * Returns everything needed to restore this world, as plain JSON; costs only what was changed, however large the
   * mailbox. It contains tokens and keys; `{ secrets: 'masked' }` leaves them out, for a document that is only looked at.
   */
  snapshot(options: SnapshotOptions = {}): Snapshot {
    checkOptions('snapshot', options, { secrets: ['included', 'masked'] })
    return this.#dependencies.world.snapshot(options)
  }

  /**
   * Returns to what a snapshot holds, taken here or in another process, with an empty journal. It must be of the same
   * scenario, seed and start.
   * @throws SnapshotError that says where it is wrong; then everything is as it was
   * @example sim.restore(JSON.parse(await readFile('monday.json', 'utf8')))
   */
  restore(snapshot: unknown): void {
    this.#dependencies.world.restore(snapshot)
  }

  /** An isolated world at the start of this one's story, selected by its own `apiKey`. @throws ClockError, WorldError */
  fork(options: ForkOptions = {}): Simulator {
    checkOptions('fork', options, { clock: 'any' })
    const { clock = this.clock.mode } = options
    const { worlds, world } = this.#dependencies
    return this.#of(worlds.add(world.initialState, parseClockMode(clock)))
  }

  /**
   * An isolated world with another story, seed or readings, selected by its own `apiKey`.
   * @throws ScenarioError, ReadingError, ClockError
   * @example const other = await sim.addWorld({ scenario: 'busy-inbox', seed: 3 })
   */
  async addWorld(given: WorldOptions = {}): Promise<Simulator> {
    checkOptions('addWorld', given, worldOptions)
    const { clock = this.clock.mode, ...options } = given
    const { worlds, world, loader } = this.#dependencies
    const mode = parseClockMode(clock)
    return this.#of(worlds.add(await loader.loadOther(world.initialState, options), mode))
  }

  /** Keeps the logs of worlds outside of this process; undefined where nothing does. @internal */
  get persistence(): Persistence | undefined {
    return this.#dependencies.worlds.persistence
  }

  /** Returns what tells that everything this world did since is durable. @throws StateError @internal */
  hold(): () => Promise<void> | undefined {
    return this.persistence?.hold(this.#dependencies.world) ?? (() => undefined)
  }

  /**
   * Makes an isolated world as `addWorld` does, for whoever it is that holds it later, and of scenarios that ship alone.
   * @throws ScenarioError, ReadingError, ClockError, StateError @internal
   */
  async createWorld({ clock = this.clock.mode, ...given }: WorldOptions = {}): Promise<MadeWorld> {
    const { persistence } = this
    const isFork = Object.values(given).every((value) => value === undefined)
    const options = { ...given, shippedOnly: true }
    if (!persistence) return isFork ? this.fork({ clock }) : this.addWorld({ clock, ...options })
    const { world, loader } = this.#dependencies
    const steps = [...((await persistence.find(world.id))?.steps ?? []), ...(isFork ? [] : [options])]
    const initialState = isFork ? world.initialState : await loader.loadOther(world.initialState, options)
    const record = await persistence.create({ steps, clock: parseClockMode(clock) }, initialState)
    return { ...record, apiKey: record.api_key }
  }

  /** An isolated world with a story that was loaded already. @internal */
  worldOf(initialState: InitialState): Simulator {
    return this.#of(this.#dependencies.worlds.add(initialState, parseClockMode(this.clock.mode)))
  }

  /** Every world, the first first. */
  worlds(): Simulator[] {
    const { worlds } = this.#dependencies
    return [this.#of({ world: worlds.first }), ...worlds.forks().map((fork) => this.#of(fork))]
  }

  /** The world of that id, as long as it is there. */
  world(id: string): Simulator | undefined {
    const { worlds } = this.#dependencies
    if (id === worlds.first.id) return this.#of({ world: worlds.first })
    const fork = worlds.get(id)
    return fork && this.#of(fork)
  }

  /** The same world, with the addresses of stored files as whoever reaches it there sees them. @internal */
  seenFrom(base: string): Simulator {
    return new Simulator({ ...this.#dependencies, base })
  }

  /**
   * Closes this world for good; closing the first one closes its forks as well. It can still be read, but its key is
   * refused, and changing it throws a WorldError.
   */
  close(): void {
    const { worlds, world } = this.#dependencies
    if (world === worlds.first) worlds.stop()
    else worlds.drop(world.id)
  }

  #of({ world, apiKey }: { readonly world: World; readonly apiKey?: string }): Simulator {
    return world === this.#dependencies.world ? this : new Simulator({ ...this.#dependencies, world, apiKey })
  }
}

/** Counts what is in a store. */
export function summarize(store: MailboxStore): WorldSummary {
  const ids = [...store.all('organization')].map(({ id }) => id)
  return {
    agents: ids.reduce((sum, id) => sum + store.identities(id).count, 0),
    threads: store.threads(...ids).count,
    messages: store.messages(...ids).count,
    webhooks: ids.reduce((sum, id) => sum + store.webhooks(id).count, 0),
  }
}
