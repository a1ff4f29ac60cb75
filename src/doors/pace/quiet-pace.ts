import type { World } from '../../service/world/world.js'
import { AgentTime, type PacedAgent } from './agent-time.js'
import { RequestGate } from './request-gate.js'

/** Lets time pass on the `auto` clock of a world while its agent, which nobody observes, is quiet or repeats itself. */
export function paceQuietly(world: World): void {
  // What plays a story to an agent paces it itself.
  if (world.clock.mode !== 'auto' || world.gate) return
  const gate = new RequestGate(world)
  const agent = quietAgent(world)
  const time = new AgentTime({ world, agent, gate, end: () => Infinity })
  void time.run(new AbortController().signal).finally(() => gate.close())
}

/** Returns an agent of which only its requests are known. */
function quietAgent(world: World): PacedAgent {
  return {
    /** Whether the clock has got another mode, or its world was closed. */
    get gone() {
      return world.closed || world.clock.mode !== 'auto'
    },
    look: async () => ({
      works: world.clock.preparing ? [{ key: 'delivery', what: 'a delivery' }] : [],
      asks: [],
      links: [],
      unseen: 'an agent that nobody observes',
      waits: [],
      mark: String(world.log.told),
    }),
    goOn: async (until) => ({ at: until, ended: undefined }),
    tell: () => undefined,
  }
}
