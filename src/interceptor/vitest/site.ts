import { createSimulator } from '../../simulator/create-simulator.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { Receiver } from '../../world/index.js'
import type { MailboxTestOptions } from './options.js'

/** What a scenario of mailbox tests has on hand: a mailbox for each test. */
export interface Story {
  /** The mailbox of a test that begins. @throws Error where another test has it */
  begin(): Simulator
  /** Takes a test's mailbox back. */
  end(mailbox: Simulator): void
}

/**
 * Everything simulated at one base URL. Each test has a world beside the first; the first is nobody's, has
 * nothing in it and refuses every key, so that code with a wrong key does not get away with it. Tests that are
 * isolated by `reset` borrow it, one after another.
 */
export class Site {
  readonly #first: Simulator
  readonly #nobody: Simulator
  readonly #stories = new WeakMap<MailboxTestOptions, Promise<Story>>()
  #borrowed = false

  private constructor(first: Simulator) {
    this.#first = first
    this.#nobody = first.fork()
    this.#nobody.close()
    this.#giveBack()
  }

  /** `receiver` takes the deliveries of all its worlds. @throws TypeError when the base URL is none */
  static async open(baseUrl: string, receiver: Receiver): Promise<Site> {
    const nobody = { scenario: 'no test', organization: { api_keys: [] } }
    return new Site(await createSimulator({ scenario: nobody, baseUrl, receiver }))
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
  story(options: MailboxTestOptions): Promise<Story> {
    const story = this.#stories.get(options) ?? this.#load(options)
    this.#stories.set(options, story)
    return story
  }

  async #load({ scenario = 'support-desk', seed, readings, clock, isolation }: MailboxTestOptions) {
    const pattern = await this.#first.addWorld({ scenario, seed, readings, clock })
    // It is there to be forked; nothing is to happen in it.
    pattern.close()
    if (isolation !== 'reset') return { begin: () => pattern.fork(), end: (fork: Simulator) => fork.close() }
    return { begin: () => this.#borrow(pattern), end: () => this.#giveBack() }
  }

  #borrow(pattern: Simulator): Simulator {
    if (this.#borrowed) {
      throw new Error(
        "Tests with isolation: 'reset' share one world, so they cannot run at the same time: take " +
          'test.concurrent away, or give each a world of its own with isolation: "fork".',
      )
    }
    this.#borrowed = true
    this.#first.retell(pattern)
    return this.#first
  }

  #giveBack(): void {
    this.#borrowed = false
    this.#first.webhooks.forgetReceivers()
    this.#first.retell(this.#nobody)
    this.#first.readings.set({ 'auth.keys': 'listed-keys' })
  }
}
