import type { Fault, FaultRule, World } from '../world/index.js'

/** The rules that disturb a world's answers. */
export class Faults {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Disturbs answers from now on. What a rule gives a status or a body for is not performed; what it delays,
   * damages or cuts off is. One that can never hit is refused.
   * @throws FaultError `invalid`, `impossible`
   * @example sim.faults.add({ operation: 'threads.list', status: 503, retry_after: '30s', times: 2 })
   */
  add(fault: Fault): FaultRule {
    return this.#world.addFault(fault)
  }

  /** The rules in force, the oldest first, with how often each fitted and hit. */
  list(): FaultRule[] {
    return this.#world.faults.list()
  }

  /** Takes a rule out of force; false where there is none of that id. */
  remove(id: string): boolean {
    return this.#world.removeFault(id)
  }

  /** Takes every rule out of force. */
  clear(): void {
    this.#world.clearFaults()
  }
}
