import { FunctionClient } from '../../src/fuzz/client.js'
import { type Vary, varyKinds } from '../../src/fuzz/elements.js'
import { FuzzedScenario } from '../../src/fuzz/fuzzed-scenario.js'
import { poolOf } from '../../src/fuzz/pool.js'
import { prepareJudging } from '../../src/fuzz/preparation.js'
import { Search, type SearchResult } from '../../src/fuzz/search.js'
import { agentOf } from './agents.js'

/** Searches for stories that break an agent of the corpus. */
export async function searchAgent(
  name: string,
  runs: number,
  seed = 1,
  kinds: readonly Vary[] = varyKinds,
): Promise<SearchResult> {
  const { scenario: definition, client: play } = agentOf(name)
  const scenario = await FuzzedScenario.load(definition)
  const client = new FunctionClient(play)
  const { base, facts, relied, problem } = await prepareJudging(scenario, client, undefined)
  if (!facts) throw new Error(`${name} already fails: ${problem}`)
  const pool = poolOf({ document: scenario.document, initialState: scenario.initialState, base, relied })
  const options = { scenario, client, facts, pool, kinds, seed, runs, shrinkRuns: 60, jobs: 1 }
  return new Search(options).run()
}
