import type { SetupServer } from 'msw/node'
import type { OptionTypes } from '../../contract/options.js'
import { createSimulator } from '../../simulator/create-simulator.js'
import { type SimulatorOptions, worldOptions } from '../../simulator/options.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { Receiver } from '../../world/index.js'

/** What a scenario of mailbox tests has on hand: a mailbox for each test. */
export interface MailboxSource {
  /** The mailbox of a test that begins. @throws Error where another test has it */
  open(): Simulator
  close(mailbox: Simulator): void
}

/**
 * Everything simulated at one base URL. Each test has a world beside the first; the first is nobody's, has
 * nothing in it and refuses every key, so that code with a wrong key does not get away with it. Tests that are
 * isolated by `reset` borrow it, one after another.
 */
export class MailboxPool {
  readonly #first: Simulator
  readonly #nobody: Simulator
  readonly #sources = new WeakMap<MailboxTestOptions, Promise<MailboxSource>>()
  #borrowed = false

  private constructor(first: Simulator) {
    this.#first = first
    this.#nobody = first.fork()
    this.#nobody.close()
    this.#giveBack()
  }

  /** `receiver` takes the deliveries of all its worlds. @throws TypeError when the base URL is none */
  static async open(baseUrl: string, receiver: Receiver): Promise<MailboxPool> {
    const nobody = { scenario: 'no test', organization: { api_keys: [] } }
    return new MailboxPool(await createSimulator({ scenario: nobody, baseUrl, receiver }))
  }

  /** MSW handlers of all its worlds. */
  get handlers(): Simulator['handlers'] {
    return this.#first.handlers
  }

  /** Whether it takes requests wherever they go. */
  get anyOrigin(): boolean {
    return this.#first.baseUrl === '*'
  }

  /** Loads a scenario for tests; once for the same options. @throws ScenarioError, ReadingError, ClockError */
  source(options: MailboxTestOptions): Promise<MailboxSource> {
    const source = this.#sources.get(options) ?? this.#load(options)
    this.#sources.set(options, source)
    return source
  }

  async #load({ isolation, server: _, baseUrl: _pool, ...options }: MailboxTestOptions) {
    const pattern = await this.#first.addWorld({ ...options, scenario: options.scenario ?? 'support-desk' })
    // It is there to be forked; nothing is to happen in it.
    pattern.close()
    if (isolation !== 'reset') return { open: () => pattern.fork(), close: (fork: Simulator) => fork.close() }
    return { open: () => this.#borrow(pattern), close: () => this.#giveBack() }
  }

  #borrow(pattern: Simulator): Simulator {
    if (this.#borrowed) {
      throw new Error(
        "Tests with isolation: 'reset' share one world, so they cannot run at the same time: take " +
          'test.concurrent away, or give each a world of its own with isolation: "fork".',
      )
    }
    this.#borrowed = true
    this.#first.restartLike(pattern)
    return this.#first
  }

  #giveBack(): void {
    this.#borrowed = false
    this.#first.webhooks.forgetReceivers()
    this.#first.restartLike(this.#nobody)
    this.#first.readings.set({ 'auth.keys': 'listed-keys' })
  }
}

const { shippedOnly: _, ...ownWorldOptions } = worldOptions

/** What each option of `mailboxTest` may be. */
export const mailboxTestOptions: OptionTypes<MailboxTestOptions> = {
  ...ownWorldOptions,
  baseUrl: 'any',
  isolation: ['fork', 'reset'],
  server: 'object',
}

/** How the mailboxes of some tests are made. */
export interface MailboxTestOptions
  extends Pick<
    SimulatorOptions,
    'scenario' | 'seed' | 'readings' | 'clock' | 'baseUrl' | 'extend' | 'deliveryFormat'
  > {
  /**
   * `fork`, unless told otherwise: every test has a world of its own, selected by its own `apiKey`, also where
   * tests run at the same time. `reset`: every test has the one world that any key selects, as the scenario
   * starts it; for code that brings its own key. Such tests run one after another.
   */
  readonly isolation?: 'fork' | 'reset' | undefined
  /**
   * An MSW server of your own, which listens already. MSW has one server at a time intercept requests, so
   * where tests have one for other services it must answer for the mailbox as well. Its handlers get the deliveries
   * to webhook subscriptions.
   */
  readonly server?: Pick<SetupServer, 'use' | 'listHandlers'> | undefined
}
