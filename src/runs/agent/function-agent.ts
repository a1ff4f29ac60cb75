import type { Simulator } from '../../doors/simulator/simulator.js'
import type { AgentEnd, FunctionAgent, RunningAgent } from './agent.js'

/** Calls an agent in this process. Nothing can stop it: when it is stopped, it is not waited for any longer. */
export function startFunction({ act }: FunctionAgent, simulator: Simulator): RunningAgent {
  const gone = new AbortController()
  let end: Pick<AgentEnd, 'ended' | 'problem'> | undefined
  const settle = (problem: string | null): void => {
    end = { ended: 'by-itself', problem }
    gone.abort()
  }
  // Called later, so that one that throws at once fails like others.
  Promise.resolve(simulator)
    .then(act)
    .then(
      () => settle(null),
      (error: unknown) => settle(messageOf(error)),
    )
  return {
    gone: gone.signal,
    async stop(ended, problem) {
      const how = end ?? { ended, problem: problem ?? null }
      return {
        ...{ command: [], status: null, signal: null, notes: [], output: '' },
        ...{ said: undefined, complaint: undefined, lines: new Set<string>() },
        ...{ ...how, passed: how.problem === null, why: how.problem },
      }
    },
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first = ''] = error.message.split('\n')
  return error.name === 'Error' ? first : `${error.name}: ${first}`
}
