import { writeFinding } from '../../src/runs/fuzz/finding-file.js'
import { FuzzedScenario } from '../../src/runs/fuzz/fuzzed-scenario.js'
import { poolOf } from '../../src/runs/fuzz/kinds/kinds.js'
import { type Vary, varyKinds } from '../../src/runs/fuzz/kinds/vary.js'
import { prepareJudging } from '../../src/runs/fuzz/preparation.js'
import { type FoundPlan, PlanSearch, type SearchResult } from '../../src/runs/fuzz/search.js'
import { loadScenario } from '../../src/story/load.js'
import { agentOf } from './agents.js'
import { type ClientFunction, functionClient } from './function-client.js'

/** Searches for stories that break an agent of the corpus; `change` may disturb it further. */
export async function searchAgent(
  name: string,
  runs: number,
  seed = 1,
  kinds: readonly Vary[] = varyKinds,
  change = (play: ClientFunction) => play,
): Promise<SearchResult> {
  const { scenario, client } = agentOf(name)
  return searchClient(scenario, change(client), runs, seed, kinds)
}

/** Searches for stories that break a client. */
export async function searchClient(
  definition: Parameters<typeof FuzzedScenario.load>[0],
  play: ClientFunction,
  runs: number,
  seed = 1,
  kinds: readonly Vary[] = varyKinds,
  named?: readonly Vary[],
  jobs = 1,
): Promise<SearchResult> {
  const scenario = await FuzzedScenario.load(definition)
  const client = functionClient(play)
  const { base, facts, relied, problem } = await prepareJudging(scenario, client, undefined)
  if (!facts) throw new Error(`It already fails: ${problem}`)
  const pool = poolOf({
    document: scenario.document,
    initialState: scenario.initialState,
    base,
    relied,
    named,
  })
  const options = { scenario, client, facts, pool, kinds, seed, runs, shrinkRuns: 60, jobs }
  return new PlanSearch(options).run()
}

/** Writes a finding as a scenario file and returns how often the agent fails in its replays. */
export async function failuresIn(
  folder: string,
  name: string,
  found: FoundPlan,
  times: number,
): Promise<number> {
  const { scenario: definition, client: play } = agentOf(name)
  const scenario = await FuzzedScenario.load(definition)
  const file = await writeFinding(scenario, found, {
    folder,
    name,
    seed: 1,
    advice: '',
    again: (file) => file,
  })
  const client = functionClient(play)
  let failures = 0
  for (let time = 0; time < times; time++) {
    const { passed, verdicts } = await client.play(await loadScenario(file), 10_000)
    if (!passed || verdicts.some((verdict) => !verdict.passed)) failures++
  }
  return failures
}
