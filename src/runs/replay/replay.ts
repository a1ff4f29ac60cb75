import { parseStart, requestedLayers } from '../../doors/simulator/scenario-loader.js'
import { profileAssumptions } from '../../service/assumptions/assumptions.js'
import { formatInstant } from '../../service/time/time.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import type { OnProgress } from '../../story/compile/compilation.js'
import { loadScenario } from '../../story/load.js'
import type { Story } from '../../story/story.js'
import type { CommandAgent } from '../agent/command-life.js'
import type { PlayOptions } from '../agent/options.js'
import type { CommandEnd } from '../agent/run-command.js'
import { type Play, play } from '../play.js'
import { causeOf, hintsOfPlay } from './cause.js'
import { judge, type ReplayReport } from './outcome.js'

/** How the story of plays is loaded. */
interface StoryOptions
  extends Pick<PlayOptions, 'scenario' | 'seed' | 'start' | 'assume' | 'extend' | 'deliveryFormat'> {
  readonly onProgress?: OnProgress | undefined
  /** Whether the attacks of the scenario are checked as well. @internal */
  readonly checksAttacks?: boolean | undefined
  /** The attacks that are laid over it. @internal */
  readonly under?: AttackChoice | undefined
  /** A story with the same mailboxes. @internal */
  readonly like?: Story | undefined
  /** The story, already loaded. @internal */
  readonly initialState?: Story | undefined
}

/** Loads the story of plays. @throws ScenarioError, WorldError */
export async function loadStory(options: StoryOptions): Promise<Story> {
  const { scenario = 'support-desk', assume, seed, extend, deliveryFormat } = options
  const { checksAttacks, onProgress, under, like } = options
  if (options.initialState) return options.initialState
  const start = parseStart(options.start)
  const common = { seed, start, extend, deliveryFormat, checksAttacks, onProgress, under, like }
  return loadScenario(scenario, { ...common, assumptions: requestedLayers(assume) })
}

/** The options of a replay. */
export interface ReplayOptions extends PlayOptions, StoryOptions, Pick<CommandAgent, 'variables'> {
  /** The agent, or what tests it: a program with its arguments; without it, the story is played without an agent. */
  readonly command?: readonly string[] | undefined
}

/** A finished replay, with the world as it was at the end. */
interface Replayed extends Play {
  readonly report: ReplayReport
}

/**
 * Plays a story against an agent, on its own server, and reports the results of all expectations.
 * @throws ScenarioError, WorldError, ServerError, RunError
 * @example const report = await replay({ scenario: 'refund-request', command: ['python', 'my_agent.py'] })
 */
export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const { report, close } = await replayAndKeep(options)
  await close()
  return report
}

/** Plays a story like `replay`, and returns its server as well, in its final state; the caller closes it. */
export async function replayAndKeep(options: ReplayOptions): Promise<Replayed> {
  const { command, variables } = options
  const story = await loadStory(options)
  const played = await play(story, command ? { command, variables } : null, options)
  return { ...played, report: reportOf(played) }
}

/** Composes the report of a play. */
export function reportOf(played: Play): ReplayReport {
  const { story, simulator, verdicts, timeline, runaway, interrupted, portTaken, pace } = played
  const command = played.agent && reported(played.agent)
  const results = { verdicts, command, timeline, runaway, interrupted }
  const weights = story.expectations.map(({ weight = 1 }) => weight)
  // An agent outside of this process may act unseen.
  const tookPart = !command || played.requests > 0 || played.receives
  const judged = judge(results, { tookPart, portTaken, weights })
  return {
    format: 'agent-mailbox-sim/replay-report',
    version: 1,
    scenario: story.scenario,
    describe: story.describe,
    seed: story.seed,
    assumptions: changedAssumptions(story),
    clock: played.clock,
    started_at: formatInstant(story.start),
    ended_at: simulator.clock.now(),
    ...judged,
    cause: causeOf(played, { ...judged, ...results }),
    hints: hintsOfPlay(played, results),
    // Computed when it is read, since the first digest of a mailbox reads all of its mail.
    get digest() {
      return simulator.digest()
    },
    ...results,
    broken_rules: played.broken_rules,
    requests: played.requests,
    served: played.served,
    deliveries: simulator.deliveries.list().length,
    reliances: simulator.reliances(),
    ...(pace && { pace }),
    ...(played.starts && { starts: played.starts }),
    wall_ms: played.wallMs,
  }
}

/** Returns how a command ended as the report says it. */
function reported({ complaint: _, ...end }: CommandEnd): Omit<CommandEnd, 'complaint'> {
  return end
}

function changedAssumptions({ assumptions }: Story): Record<string, string> {
  const defaults: Readonly<Record<string, string>> = profileAssumptions('default')
  return Object.fromEntries(
    Object.entries(assumptions).filter(([gap, assumption]) => defaults[gap] !== assumption),
  )
}
