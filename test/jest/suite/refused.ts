import { ScenarioError } from 'agent-mailbox-sim'

export default () => {
  throw new ScenarioError('invalid', 'refused.ts', [])
}
