// The parts of the entry for Vitest that do not need Vitest: the entry is an ES module, because Vitest is one, and everything else
// is in the CommonJS build. The first import is one that other modules need when they are loaded.
import '../../base/platform.js'
import type { SetupServer } from 'msw/node'
import type { OptionNames } from '../../base/options.js'
import { defaultBaseUrl, parseBaseUrl } from '../../service/operations/request.js'
import { createHandlersReceiver, type MswServer, type Receiver } from '../../service/webhooks/transport.js'
import { loadScenario } from '../../story/load.js'
import { openSimulator } from '../simulator/create-simulator.js'
import { type SimulatorOptions, type WorldOptions, worldOptions } from '../simulator/options.js'
import type { Simulator } from '../simulator/simulator.js'
import { bypassProxies, interceptFurther, openMswServer } from './node.js'

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
 * The worlds at one base URL. Each test has its own fork. The first world is empty and refuses every key, so that code
 * with a wrong key fails. Tests with `isolation: 'reset'` borrow it, one after another.
 */
interface Pool {
  readonly first: Simulator
  readonly empty: Simulator
  /** What the worlds of tests are copies of, by the options of `mailboxTest`, so that a scenario is loaded once. */
  readonly templates: WeakMap<MailboxTestOptions, Promise<Simulator>>
  isBorrowed: boolean
}

/**
 * Intercepts the requests of a worker's tests. MSW lets only one server at a time intercept requests, so all mailboxes of
 * the worker share this one, even with different scenarios and base URLs. Nothing is intercepted while no mailbox is
 * open.
 */
export class Interception {
  readonly #pools = new Map<string, Promise<Pool>>()
  readonly #opened = new Set<Pool>()
  /** Passes deliveries to the handlers of the server that handles requests. */
  readonly #receiver = createHandlersReceiver(() => this.#server?.listHandlers() ?? [])
  #server: MailboxTestOptions['server']
  #ownServer: SetupServer | undefined
  /** What ends the interception, in the order in which it began. */
  readonly #ends: (() => void)[] = []
  #open = 0

  /** Opens a mailbox for a test; loads its scenario once. @throws ScenarioError, WorldError, TypeError */
  async open(options: MailboxTestOptions): Promise<OpenMailbox> {
    const { pattern } = parseBaseUrl(options.baseUrl ?? defaultBaseUrl)
    const opening = this.#pools.get(pattern) ?? openPool(pattern, this.#receiver)
    this.#pools.set(pattern, opening)
    const pool = await opening
    this.#opened.add(pool)
    const loading = pool.templates.get(options) ?? loadTemplate(pool, options)
    pool.templates.set(options, loading)
    const template = await loading
    this.#checkServer(options.server)
    const isShared = options.isolation === 'reset'
    const mailbox = isShared ? borrow(pool, template) : template.fork()
    this.#open++
    this.#serve(pool, options.server)
    this.#ends.push(bypassProxies(mailbox.baseUrl))
    return {
      mailbox,
      close: () => {
        if (isShared) giveBack(pool)
        else mailbox.close()
        this.#open--
        if (this.#open === 0) this.#stop()
      },
    }
  }

  #checkServer(server: MailboxTestOptions['server']): void {
    if (this.#open === 0 || this.#server === (server ?? this.#ownServer)) return
    throw new TypeError(
      'MSW lets one server at a time intercept requests: tests that run at the same time must have the same ' +
        '"server" in their mailboxTest, or none.',
    )
  }

  /** Adds the handlers to the server, and adds them again if a test has reset them. */
  #serve({ first: { handlers } }: Pool, server: MailboxTestOptions['server']): void {
    if (!this.#server) {
      if (!server) this.#ownServer = openMswServer()
      this.#server = server ?? (this.#ownServer as SetupServer)
      this.#ends.push(interceptFurther(this.#server), () => this.#ownServer?.close())
    }
    if (this.#server.listHandlers().some((handler) => handler === handlers[0])) return
    // The pool for any origin comes last, since its handlers match the requests to all others.
    const worlds = [...this.#opened].map(({ first }) => first)
    const pools = worlds.toSorted((a, b) => Number(a.baseUrl === '*') - Number(b.baseUrl === '*'))
    this.#server.use(...pools.flatMap((pool) => pool.handlers))
  }

  #stop(): void {
    for (const end of this.#ends.splice(0).reverse()) end()
    this.#ownServer = undefined
    this.#server = undefined
  }
}

/** @param receiver takes the deliveries of all worlds */
async function openPool(baseUrl: string, receiver: Receiver): Promise<Pool> {
  // Loaded here, since the assumptions of the environment may be about the gaps of a test's extensions.
  const initialState = await loadScenario({ scenario: 'no test', organization: { api_keys: [] } })
  const first = await openSimulator({ initialState, baseUrl, receiver })
  const empty = first.fork()
  empty.close()
  const pool = { first, empty, templates: new WeakMap(), isBorrowed: false }
  giveBack(pool)
  return pool
}

async function loadTemplate({ first }: Pool, options: MailboxTestOptions): Promise<Simulator> {
  const { isolation: _, server: _own, baseUrl: _pool, scenario = 'support-desk', ...others } = options
  const template = await first.addWorld({ ...others, scenario })
  // Closing it stops its timeline.
  template.close()
  return template
}

/** Returns the first world, at the start of a story. @throws Error when another test has it */
function borrow(pool: Pool, template: Simulator): Simulator {
  if (pool.isBorrowed) {
    throw new Error(
      "Tests with isolation: 'reset' share one world, so they cannot run at the same time: remove " +
        'test.concurrent, or give each its own world with isolation: "fork".',
    )
  }
  pool.isBorrowed = true
  pool.first.restartLike(template)
  return pool.first
}

function giveBack(pool: Pool): void {
  pool.isBorrowed = false
  pool.first.view.world.receivers.clear()
  pool.first.restartLike(pool.empty)
  pool.first.assumptions.set({ 'auth.keys': 'listed-keys' })
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

/** The names of the options of `mailboxTest`: its own, and those of the world of a test. */
export const mailboxTestOptions: OptionNames<MailboxTestOptions & WorldOptions> = {
  ...worldOptions,
  baseUrl: 'public',
  isolation: 'public',
  server: 'public',
}
