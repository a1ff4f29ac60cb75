import type { Scenario } from '../format/index.js'
import { checkScenario } from './check-scenario.js'
import type { Locate } from './places.js'
import { readYaml } from './read-yaml.js'
import { ScenarioError } from './scenario-error.js'

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
