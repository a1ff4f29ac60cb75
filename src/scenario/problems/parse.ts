import { type Scenario, scenarioSchema } from '../format/index.js'
import { formatProblems } from './explain-issue.js'
import type { Locate } from './places.js'
import { readYaml } from './read-yaml.js'
import { refusal } from './refusal.js'
import { ScenarioError } from './scenario-error.js'

export { keyOf, type Locate } from './places.js'

/** Reads a scenario from YAML or JSON. @throws ScenarioError with every problem in it */
export function parseScenarioText(source: string, text: string): { checked: Scenario; locate: Locate } {
  const { value, locate, problems } = readYaml(text)
  if (problems.length > 0) throw new ScenarioError('syntax', source, problems)
  if (value === null) {
    const message = 'the file is empty; a scenario begins with its name, such as "scenario: refund-request"'
    throw new ScenarioError('syntax', source, [{ line: 1, column: 1, key: '', message }])
  }
  return { checked: checkScenario(source, value, locate), locate }
}

/** Checks a scenario that is an object already. @throws ScenarioError with every problem in it */
export function checkScenario(source: string, value: unknown, locate: Locate): Scenario {
  const parsed = scenarioSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refusal(source, locate, formatProblems(scenarioSchema, value))
}
