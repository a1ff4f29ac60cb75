import { describe, expect, it } from 'vitest'
import { FuzzedScenario } from '../../src/runs/fuzz/fuzzed-scenario.js'
import { anyPool, keyOfElement, type PlanElement } from '../../src/runs/fuzz/kinds/kinds.js'
import { loadScenario } from '../../src/story/load.js'
import { agentOf } from './agents.js'

/** The elements of a scenario, but only some of similar ones. */
async function sampleOf(scenario: FuzzedScenario): Promise<PlanElement[]> {
  const seen = new Map<string, PlanElement>()
  for (const element of Object.values(anyPool(scenario)).flat()) {
    const { vary } = element
    const like = vary === 'mail' ? `${element.form} ${Object.keys(element.receive)}` : keyOfElement(element)
    seen.set(vary === 'faults' ? JSON.stringify(element.fault) : like, element)
  }
  return [...seen.values()]
}

describe('the elements of plans', () => {
  it('have the same effect in a scenario file as in a run', async () => {
    const scenario = await FuzzedScenario.load(agentOf('handles-an-event-twice').scenario)
    const sample = await sampleOf(scenario)
    expect(new Set(sample.map(({ vary }) => vary)).size).toBe(7)
    for (const element of sample) {
      const name = keyOfElement(element)
      const played = await scenario.stateOf([element], [])
      const written = await loadScenario(scenario.documentOf([element], []))
      expect(written.timeline, name).toEqual(played.timeline)
      expect(written.triggered ?? [], name).toEqual(played.triggered ?? [])
      expect(written.assumptions, name).toEqual(played.assumptions)
      const rows = (state: typeof written) => [...state.base.database.all('thread')].map(({ id }) => id)
      expect(rows(written), name).toEqual(rows(played))
    }
  })
})
