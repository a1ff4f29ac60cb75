import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { FuzzedClient } from '../../src/runs/fuzz/client.js'

/** A client in this process, which throws if it fails. */
export type ClientFunction = (mailbox: Simulator) => Promise<unknown>

/** Returns a client that calls a function for each story, with a world on a frozen clock. */
export function functionClient(act: ClientFunction): FuzzedClient {
  return new FuzzedClient({ act })
}
