import { type SetupServer, setupServer } from 'msw/node'
import { createSimulator, type SimulatorOptions } from '../simulator/create-simulator.js'
import type { Simulator } from '../simulator/simulator.js'

/** How requests are intercepted. */
export interface ListenOptions extends SimulatorOptions {
  /** What becomes of requests that go elsewhere: let through unless told otherwise. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error'
}

/** A simulator whose handlers intercept the requests of this process. */
export type ListeningSimulator = Simulator & {
  /** MSW's server, to add handlers of your own. */
  readonly server: SetupServer
}

/**
 * Simulates the service inside this process: `fetch`, `http` and `XMLHttpRequest` to its base URL are
 * answered without a socket, until `close()`. One at a time for a base URL: further worlds come from `fork()`.
 * @throws ScenarioError, ReadingError, ClockError
 * @example const mailbox = await listen({ scenario: 'support-desk' })
 */
export async function listen(options: ListenOptions = {}): Promise<ListeningSimulator> {
  const simulator = await createSimulator(options)
  const server = setupServer(...simulator.handlers)
  server.listen({ onUnhandledRequest: options.onUnhandledRequest ?? 'bypass' })
  const close = simulator.close.bind(simulator)
  return Object.assign(simulator, {
    server,
    close(): void {
      server.close()
      close()
    },
  })
}
