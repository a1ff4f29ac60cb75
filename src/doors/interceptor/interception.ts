// The parts of the entry for Vitest that do not need Vitest: the entry is an ES module, because Vitest is one, and everything else
// is in the CommonJS build. The first import is one that other modules need when they are loaded.
import '../../base/platform.js'
import { type SetupServer, setupServer } from 'msw/node'
import type { OptionNames } from '../../base/options.js'
import { defaultBaseUrl, parseBaseUrl } from '../../service/operations/request.js'
import { createHandlersReceiver, type MswServer, type Receiver } from '../../service/webhooks/transport.js'
import { loadScenario } from '../../story/load.js'
import { createSimulator } from '../simulator/create-simulator.js'
import type { SimulatorOptions, WorldOptions } from '../simulator/options.js'
import type { Simulator } from '../simulator/simulator.js'
import { bypassProxies, interceptFurther, warnOfStrays } from './node.js'

export { checkOptions } from '../../base/options.js'
export { attacksOf } from '../simulator/attacks.js'
export { mailboxMatchers } from '../simulator/matchers.js'
export { testMatchers } from '../simulator/test-matchers.js'

/** The open mailbox of a test. */
export interface OpenMailbox {
  readonly mailbox: Simulator
  /** Closes the mailbox at the end of the test. */
  close(): void
}

/**
 * Intercepts the requests of a worker's tests. MSW lets only one server at a time intercept requests, so all mailboxes of
 * the worker share this one, even with different scenarios and base URLs. Nothing is intercepted while no mailbox is
 * open.
 */
export class Interception {
  readonly #pools = new Map<string, Promise<MailboxPool>>()
  readonly #opened = new Set<MailboxPool>()
  /** Passes deliveries to the handlers of the server that handles requests. */
  readonly #receiver = createHandlersReceiver(() => this.#server?.listHandlers() ?? [])
  #server: MailboxTestOptions['server']
  #ownServer: SetupServer | undefined
  #stopFurther: (() => void) | undefined
  /** What ends sending requests without a proxy, by the address. */
  readonly #direct = new Map<string, () => void>()
  #open = 0

  /** Opens a mailbox for a test; loads its scenario once. @throws ScenarioError, WorldError, TypeError */
  async open(options: MailboxTestOptions): Promise<OpenMailbox> {
    const pool = await this.#pool(options.baseUrl ?? defaultBaseUrl)
    const source = await pool.source(options)
    this.#checkServer(options.server)
    const mailbox = source.open()
    this.#open++
    this.#serve(pool, options.server)
    const { baseUrl } = mailbox
    if (!this.#direct.has(baseUrl)) this.#direct.set(baseUrl, bypassProxies(baseUrl))
    return {
      mailbox,
      close: () => {
        source.close(mailbox)
        this.#open--
        if (this.#open === 0) this.#stop()
      },
    }
  }

  async #pool(baseUrl: string): Promise<MailboxPool> {
    const { pattern } = parseBaseUrl(baseUrl)
    const opening = this.#pools.get(pattern) ?? MailboxPool.open(pattern, this.#receiver)
    this.#pools.set(pattern, opening)
    const pool = await opening
    this.#opened.add(pool)
    return pool
  }

  #checkServer(server: MailboxTestOptions['server']): void {
    if (this.#open === 0 || this.#server === (server ?? this.#ownServer)) return
    throw new TypeError(
      'MSW lets one server at a time intercept requests: tests that run at the same time must have the same ' +
        '"server" in their mailboxTest, or none.',
    )
  }

  /** Adds the handlers to the server, and adds them again if a test has reset them. */
  #serve({ handlers }: MailboxPool, server: MailboxTestOptions['server']): void {
    this.#server ??= server ?? this.#listen()
    this.#stopFurther ??= interceptFurther(this.#server)
    if (this.#server.listHandlers().some((handler) => handler === handlers[0])) return
    // The pool for any origin comes last, since its handlers match the requests to all others.
    const pools = [...this.#opened].toSorted((a, b) => Number(a.anyOrigin) - Number(b.anyOrigin))
    this.#server.use(...pools.flatMap((pool) => pool.handlers))
  }

  #listen(): SetupServer {
    this.#ownServer = setupServer()
    this.#ownServer.listen({ onUnhandledRequest: 'bypass' })
    warnOfStrays(this.#ownServer)
    return this.#ownServer
  }

  #stop(): void {
    this.#ownServer?.close()
    this.#stopFurther?.()
    for (const useProxies of [...this.#direct.values()].reverse()) useProxies()
    this.#direct.clear()
    this.#stopFurther = undefined
    this.#ownServer = undefined
    this.#server = undefined
  }
}

/** Opens and closes the mailboxes of the tests of one scenario. */
export interface MailboxSource {
  /** Opens the mailbox of a test. @throws Error when another test has it */
  open(): Simulator
  close(mailbox: Simulator): void
}

/**
 * The worlds at one base URL. Each test has its own fork. The first world is empty and refuses every key, so that code
 * with a wrong key fails. Tests with `isolation: 'reset'` borrow it, one after another.
 */
export class MailboxPool {
  readonly #first: Simulator
  readonly #empty: Simulator
  readonly #sources = new WeakMap<MailboxTestOptions, Promise<MailboxSource>>()
  #borrowed = false

  private constructor(first: Simulator) {
    this.#first = first
    this.#empty = first.fork()
    this.#empty.close()
    this.#giveBack()
  }

  /** @param receiver takes the deliveries of all worlds @throws TypeError when the base URL is not valid */
  static async open(baseUrl: string, receiver: Receiver): Promise<MailboxPool> {
    const empty = { scenario: 'no test', organization: { api_keys: [] } }
    // Loaded here, since the assumptions of the environment may be about the gaps of a test's extensions.
    const initialState = await loadScenario(empty)
    return new MailboxPool(await createSimulator({ initialState, baseUrl, receiver }))
  }

  /** The MSW handlers of all its worlds. */
  get handlers(): Simulator['handlers'] {
    return this.#first.handlers
  }

  /** Whether it handles requests to any origin. */
  get anyOrigin(): boolean {
    return this.#first.baseUrl === '*'
  }

  /** Loads a scenario for tests, once for the same options. @throws ScenarioError, WorldError */
  source(options: MailboxTestOptions): Promise<MailboxSource> {
    const source = this.#sources.get(options) ?? this.#load(options)
    this.#sources.set(options, source)
    return source
  }

  async #load({ isolation, server: _, baseUrl: _pool, ...options }: MailboxTestOptions) {
    const template = await this.#first.addWorld({ ...options, scenario: options.scenario ?? 'support-desk' })
    // It serves only as a template for forks; closing it stops its timeline.
    template.close()
    if (isolation !== 'reset')
      return { open: () => template.fork(), close: (fork: Simulator) => fork.close() }
    return { open: () => this.#borrow(template), close: () => this.#giveBack() }
  }

  #borrow(template: Simulator): Simulator {
    if (this.#borrowed) {
      throw new Error(
        "Tests with isolation: 'reset' share one world, so they cannot run at the same time: remove " +
          'test.concurrent, or give each its own world with isolation: "fork".',
      )
    }
    this.#borrowed = true
    this.#first.restartLike(template)
    return this.#first
  }

  #giveBack(): void {
    this.#borrowed = false
    this.#first.view.world.receivers.clear()
    this.#first.restartLike(this.#empty)
    this.#first.assumptions.set({ 'auth.keys': 'listed-keys' })
  }
}

/** Options of `mailboxTest`. */
export interface MailboxTestOptions
  extends Pick<
      SimulatorOptions,
      'scenario' | 'seed' | 'assume' | 'clock' | 'baseUrl' | 'extend' | 'deliveryFormat'
    >,
    Pick<WorldOptions, 'attack' | 'benign'> {
  /**
   * With `fork`, the default, every test has its own world, selected by its own `apiKey`; tests may run at the same time.
   * With `reset`, all tests use the one world that any key selects, reset to the start of the scenario, and must run one
   * after another; this is for code with a fixed key.
   */
  readonly isolation?: 'fork' | 'reset' | undefined
  /**
   * Your own server of MSW 2 or MSW 3, already listening. MSW lets only one server at a time intercept
   * requests, so a server that tests use for other services must also serve the mailbox. Its handlers receive
   * the webhook deliveries.
   */
  readonly server?: MswServer | undefined
}

/** The names of the options of `mailboxTest`. */
export const mailboxTestOptions: OptionNames<MailboxTestOptions> = {
  scenario: 'public',
  seed: 'public',
  assume: 'public',
  clock: 'public',
  baseUrl: 'public',
  extend: 'public',
  deliveryFormat: 'public',
  attack: 'public',
  benign: 'public',
  isolation: 'public',
  server: 'public',
}
