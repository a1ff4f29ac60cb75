import type { HttpHandler } from 'msw'
import type { Thread } from '../contract/resources.js'
import {
  type Deliveries,
  type Delivery,
  digestOf,
  type Exchange,
  type Expectation,
  formatInstant,
  type Masker,
  parseClockMode,
  type RelianceSummary,
  type Snapshot,
  type World,
} from '../world/index.js'
import { ClockControl, JournalView, ReadingsControl, TimelineView } from './controls.js'
import { Events } from './events.js'
import { Faults } from './faults.js'
import type { OtherStory } from './loading.js'
import { Mail } from './mail.js'
import type { ExchangeMatch } from './matching.js'
import { type ForkOptions, keyOf, partsWith, type SimulatorParts } from './parts.js'
import { Identities, Threads, Webhooks } from './resources.js'
import { summarize, type WorldSummary } from './summary.js'
import { View } from './view.js'
import { exchangeSearch, type ThreadMatch, threadSearch, type WaitOptions, waitUntil } from './wait-for.js'
import { type DeliveryWanted, deliverySearch } from './wait-for-delivery.js'

/** One world as its user holds it, and the handlers that serve it. */
export class Simulator {
  /** MSW handlers of the service, for any `setupServer` or `setupWorker`; forks share them. */
  readonly handlers: HttpHandler[]
  /** Where the service is simulated; `*` for any origin. */
  readonly baseUrl: string
  readonly mail: Mail
  readonly identities: Identities
  readonly threads: Threads
  readonly webhooks: Webhooks
  /** What was, and is being, sent to webhook subscriptions. */
  readonly deliveries: Deliveries
  readonly faults: Faults
  readonly clock: ClockControl
  readonly journal: JournalView
  readonly events: Events
  readonly readings: ReadingsControl
  readonly timeline: TimelineView
  readonly #parts: SimulatorParts

  /** Made by `createSimulator` and `fork`. @internal */
  constructor(parts: SimulatorParts) {
    const { site, world } = parts
    this.#parts = parts
    this.handlers = parts.handlers
    this.baseUrl = site.pattern
    const view = new View(world, parts.base ?? (site.origin === undefined ? '' : site.pattern))
    this.mail = new Mail(view)
    this.identities = new Identities(view)
    this.threads = new Threads(view)
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
    return this.#parts.apiKey ?? keyOf(this.#parts.world)
  }

  /** Takes keys and tokens out of what is written down of this world. @internal */
  get masker(): Masker {
    return this.#parts.world.masker
  }

  /** The world's id: `world_1` for the first. */
  get id(): string {
    return this.#parts.world.id
  }

  /** Whether it is the first, which all others were made beside. */
  get isFirst(): boolean {
    return this.#parts.world === this.#parts.worlds.first
  }

  /** The files its scenario is made of. */
  get files(): readonly URL[] {
    return this.#parts.loading.files
  }

  /** The scenario's name. */
  get scenario(): string {
    return this.#parts.world.beginning.scenario
  }

  /** The seed every generated value hangs on. */
  get seed(): number {
    return this.#parts.world.beginning.seed
  }

  /** The instant its story begins, ISO 8601 UTC. */
  get start(): string {
    return formatInstant(this.#parts.world.beginning.start)
  }

  /** What must be true when its story is over, in the order of the scenario. @internal */
  get expectations(): readonly Expectation[] {
    return this.#parts.world.beginning.expectations
  }

  /** How many agents, threads, messages and webhooks there are now. */
  summary(): WorldSummary {
    return summarize(this.#parts.world.store)
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
    const { world } = this.#parts
    if (typeof wanted === 'function') return waitUntil(world, exchangeSearch(world, wanted), options)
    if ('delivery' in wanted) return waitUntil(world, deliverySearch(this, world, wanted), options)
    if ('thread' in wanted) return waitUntil(world, threadSearch(this.threads, wanted), options)
    return waitUntil(world, exchangeSearch(world, wanted), options)
  }

  /** Which silent points of the interface the requests and deliveries so far relied on. */
  reliances(): RelianceSummary[] {
    return this.#parts.world.reliances()
  }

  /**
   * 32 hex digits over everything this world holds: equal for equal worlds, on every machine. Reads every
   * message, so it takes its time where there are many.
   */
  digest(): string {
    return digestOf(this.#parts.world)
  }

  /**
   * Loads the scenario again, from its file as it is now, and begins anew with it. Forks made before keep the
   * story they have.
   * @throws ScenarioError, ReadingError; then everything is as it was
   */
  async reload(): Promise<void> {
    this.#parts.world.restart(await this.#parts.loading.load())
  }

  /** Begins anew with the story another world has, and nothing of this one is left. @internal */
  retell(other: Simulator): void {
    this.#parts.world.restart(other.#parts.world.beginning, other.clock.mode)
  }

  /** Back to how the scenario starts; costs what was changed, whatever the mailbox holds. */
  reset(): void {
    this.#parts.world.reset()
  }

  /** All it takes to have this world again, as plain JSON; costs what was changed, whatever the mailbox holds. */
  snapshot(): Snapshot {
    return this.#parts.world.snapshot()
  }

  /**
   * As a world was when a snapshot was taken of it, here or in another process, with an empty journal. It must have
   * been of the same scenario and seed.
   * @throws SnapshotError that says where it is wrong; then everything is as it was
   * @example sim.restore(JSON.parse(await readFile('monday.json', 'utf8')))
   */
  restore(snapshot: unknown): void {
    this.#parts.world.restore(snapshot)
  }

  /** An isolated world at the start of this one's story, selected by its own `apiKey`. @throws ClockError, WorldError */
  fork({ clock = this.clock.mode }: ForkOptions = {}): Simulator {
    const { worlds, world } = this.#parts
    return this.#of(worlds.add(world.beginning, parseClockMode(clock)))
  }

  /**
   * An isolated world with another story, seed or readings, selected by its own `apiKey`.
   * @throws ScenarioError, ReadingError, ClockError
   * @example const other = await sim.addWorld({ scenario: 'busy-inbox', seed: 3 })
   */
  async addWorld({ clock = this.clock.mode, ...story }: OtherStory = {}): Promise<Simulator> {
    const { worlds, world, loading } = this.#parts
    const mode = parseClockMode(clock)
    return this.#of(worlds.add(await loading.loadOther(world.beginning, story), mode))
  }

  /** Every world, the first first. */
  worlds(): Simulator[] {
    const { worlds } = this.#parts
    return [this.#of({ world: worlds.first }), ...worlds.forks().map((fork) => this.#of(fork))]
  }

  /** The world of that id, as long as it is there. */
  world(id: string): Simulator | undefined {
    const { worlds } = this.#parts
    if (id === worlds.first.id) return this.#of({ world: worlds.first })
    const fork = worlds.get(id)
    return fork && this.#of(fork)
  }

  /** The same world, with the addresses of stored files as whoever reaches it there sees them. @internal */
  seenFrom(base: string): Simulator {
    return new Simulator({ ...this.#parts, base })
  }

  /**
   * Lets go of this world for good; the first one takes all its forks with it. It can still be read, but its key is
   * refused and whatever would change it throws a WorldError.
   */
  close(): void {
    const { worlds, world } = this.#parts
    if (world === worlds.first) worlds.stop()
    else worlds.drop(world.id)
  }

  #of({ world, apiKey }: { readonly world: World; readonly apiKey?: string }): Simulator {
    return world === this.#parts.world ? this : new Simulator(partsWith(this.#parts, world, apiKey))
  }
}
