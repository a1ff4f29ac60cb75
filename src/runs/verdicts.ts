import type { ExpectationChecker } from '../story/expectations/expectation-checker.js'
import type { ExpectationResult } from '../story/expectations/result.js'
import type { Story } from '../story/overlays/story.js'
import type { AgentEnd } from './agent/agent.js'
import { type AskedWait, describeWait } from './pace/asked-wait.js'

/** The results of the expectations of a play. */
export interface PlayVerdicts {
  /** In the order of the file; empty if the story was not played. */
  readonly verdicts: readonly ExpectationResult[]
  /**
   * The wait that a response had asked the agent for when the story ended, with the indexes of the
   * expectations that could therefore not be judged; null if nothing was left open.
   */
  readonly waiting: (AskedWait & { readonly not_judged: readonly number[] }) | null
}

/** Returns whether the story was played: it was not if the agent did not come up. */
export function wasPlayed(agent: Pick<AgentEnd, 'ended'> | null): boolean {
  return agent?.ended !== 'not-started' && agent?.ended !== 'not-ready'
}

/** Returns the results, without judging what an agent that waited as a response required could still have done. */
export function verdictsOf(
  { expectations }: Story,
  checker: ExpectationChecker,
  isPlayed: boolean,
  wait: AskedWait | null,
): PlayVerdicts {
  const results = isPlayed ? checker.results() : []
  const decided = new Set(checker.decided().map(({ index }) => index))
  const isOpen = ({ passed, index }: ExpectationResult): boolean => !passed && !decided.has(index)
  if (!wait || !results.some(isOpen)) return { verdicts: results, waiting: null }
  const isAboutWaits = ({ index }: ExpectationResult): boolean => {
    const one = expectations[index]
    return one?.kind === 'invariant' && one.invariant === 'obeys-retry-after' && !decided.has(index)
  }
  const open = results.filter((one) => isOpen(one) || isAboutWaits(one))
  const verdicts = results.map((one) => {
    return open.includes(one) ? { ...one, passed: false, found: describeWait(wait), nearest: null } : one
  })
  return { verdicts, waiting: { ...wait, not_judged: open.map(({ index }) => index) } }
}
