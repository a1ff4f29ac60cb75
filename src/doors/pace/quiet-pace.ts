import { stopwatch, Timers } from '../../service/time/wall-time.js'
import type { World } from '../../service/world/world.js'
import type { AgentWait, PacedAgent } from './agent.js'
import { AutoTime } from './auto-time.js'
import { RequestGate } from './request-gate.js'

/** Milliseconds of wall time between two looks at what it does. */
const pause = 100

/** Lets time pass on the `auto` clock of a world while its agent, which nobody observes, is quiet or repeats itself. */
export function paceQuietly(world: World): void {
  // What plays a story to an agent paces it itself.
  if (world.clock.mode !== 'auto' || world.gate || world.past !== undefined) return
  const gate = new RequestGate(world, 2)
  const agent = new QuietAgent(world, gate)
  const time = new AutoTime({ world, agent, gate, end: () => Infinity, overtime: () => 0 })
  void time.run(new AbortController().signal).finally(() => gate.close())
}

/** An agent of which only its requests are known. */
class QuietAgent implements PacedAgent {
  readonly owed = 0
  readonly #world: World
  readonly #gate: RequestGate
  readonly #timers = new Timers()

  constructor(world: World, gate: RequestGate) {
    this.#world = world
    this.#gate = gate
  }

  /** Whether the clock has got another mode, or its world was closed. */
  get gone(): boolean {
    return this.#world.closed || this.#world.clock.mode !== 'auto'
  }

  takeOwed(): number {
    return 0
  }

  async rests(): Promise<readonly AgentWait[]> {
    let [quiet, latest] = [stopwatch(), -1]
    while (!this.gone) {
      const { clock, feed, dispatcher } = this.#world
      const isBusy = clock.preparing || dispatcher.inFlight > 0
      if (feed.latest !== latest) {
        quiet = stopwatch()
        latest = feed.latest
      } else if (this.#gate.waiting > 0 && !isBusy) return []
      if (quiet() >= this.#world.patience) return []
      await this.#timers.wait(pause, undefined, true)
    }
    return []
  }

  async moved(): Promise<void> {}
}
