import type { SetupServer } from 'msw/node'
import type { SimulatorOptions } from '../../simulator/create-simulator.js'

/** How the mailboxes of some tests are made. */
export interface MailboxTestOptions
  extends Pick<SimulatorOptions, 'scenario' | 'seed' | 'readings' | 'clock' | 'baseUrl'> {
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
