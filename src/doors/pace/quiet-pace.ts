import type { World } from '../../service/world/world.js'
import { type AgentSight, AgentTime, type PacedAgent } from './agent-time.js'
import { RequestGate } from './request-gate.js'

/** Lets time pass on the `auto` clock of a world while its agent, which nobody observes, is quiet or repeats itself. */
export function paceQuietly(world: World): void {
  // What plays a story to an agent paces it itself.
  if (world.clock.mode !== 'auto' || world.gate) return
  const gate = new RequestGate(world)
  const agent = new QuietAgent(world)
  const time = new AgentTime({ world, agent, gate, patience: world.patience, end: () => Infinity })
  void time.run(new AbortController().signal).finally(() => gate.close())
}

/** An agent of which only its requests are known. */
class QuietAgent implements PacedAgent {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Whether the clock has got another mode, or its world was closed. */
  get gone(): boolean {
    return this.#world.closed || this.#world.clock.mode !== 'auto'
  }

  async look(): Promise<AgentSight> {
    const { clock, log } = this.#world
    return {
      works: clock.preparing ? [{ key: 'delivery', what: 'a delivery' }] : [],
      asks: [],
      links: [],
      unseen: 'an agent that nobody observes',
      waits: [],
      mark: String(log.told),
    }
  }

  async goOn(until: number) {
    return { at: until, ended: undefined }
  }

  tell(): void {}

  passNext(): boolean {
    return false
  }
}
