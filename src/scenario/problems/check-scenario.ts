import { type Scenario, scenarioSchema } from '../format/index.js'
import { formatProblems } from './explain-issue.js'
import type { Locate } from './places.js'
import { refusal } from './refusal.js'

/** Checks a scenario that is an object already. @throws ScenarioError with every problem in it */
export function checkScenario(source: string, value: unknown, locate: Locate): Scenario {
  const parsed = scenarioSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refusal(source, locate, formatProblems(scenarioSchema, value))
}
