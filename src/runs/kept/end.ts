import type { Simulator } from '../../doors/simulator/simulator.js'
import type { ToldStory } from '../../service/world/told-story.js'
import { ExpectationChecker } from '../../story/expectations/expectation-checker.js'
import { storyOf } from '../../story/overlays/story.js'
import type { AgentEnd } from '../agent/agent.js'
import { pendingWait } from '../pace/asked-wait.js'
import type { Play } from '../play.js'
import { verdictsOf, wasPlayed, watchedFor } from '../verdicts.js'

/** The facts of a play that its world does not show. */
type EndFacts = Pick<
  Play,
  | 'clock'
  | 'interrupted'
  | 'runaway'
  | 'starts'
  | 'requests'
  | 'served'
  | 'aside'
  | 'receives'
  | 'listens'
  | 'portTaken'
  | 'pace'
  | 'wallMs'
>

/** How a play ended, as plain JSON. */
export interface KeptEnd extends EndFacts {
  readonly agent: (Omit<AgentEnd, 'lines'> & { readonly lines: readonly string[] }) | null
  /** Whether it passes if nothing failed and the agent did nothing. */
  readonly allowEmpty: boolean
}

/** Returns how a play ended. */
export function endOf(played: Play, allowEmpty = false): KeptEnd {
  const { clock, interrupted, runaway, starts, requests, served, aside, receives, listens } = played
  const { portTaken, pace, wallMs, agent } = played
  return {
    ...{ clock, interrupted, runaway, starts, requests, served, aside, receives, listens },
    ...{ portTaken, pace, wallMs, allowEmpty },
    agent: agent && { ...agent, lines: [...agent.lines] },
  }
}

/** Tells a play again to those who judge it; returns it as if it had just been played. */
export function playAgain(simulator: Simulator, told: ToldStory, end: KeptEnd): Play {
  const story = storyOf(simulator.paced)
  const retelling = simulator.paced.retell(told)
  retelling.tellBeginning()
  const checker = new ExpectationChecker(simulator, { outlivesReset: true, expectations: watchedFor(story) })
  const agent = end.agent && { ...end.agent, lines: new Set(end.agent.lines) }
  retelling.tellRest()
  const wait = end.interrupted ? null : pendingWait(simulator)
  const verdicts = verdictsOf(story, checker, wasPlayed(agent), wait)
  checker.close()
  const { played, left } = { played: simulator.timeline.played(), left: simulator.timeline.left }
  return {
    ...{ story, simulator, server: undefined, attacks: [], timeline: { played, left } },
    ...{ ...end, agent, ...verdicts },
    close: async () => simulator.close(),
  }
}
