import { parseInstant } from '../../world/index.js'
import type { Scenario } from '../format/index.js'
import type { ProblemAt } from '../problems/refusal.js'
import { checkAgents, checkApiKeys } from './agents.js'
import { checkAmounts } from './amounts.js'
import { checkExpectations } from './expectations.js'
import { checkKeys } from './keys.js'
import { checkMarks } from './marks.js'
import { occurrencesOf } from './occurrences.js'
import type { Check, Story } from './story.js'
import { StoryNames } from './story-names.js'
import { checkTemplates } from './templates.js'
import { checkTimeline } from './timeline.js'
import { checkCalendar, checkMessageTimes } from './times.js'

const checks: readonly Check[] = [
  checkAgents,
  checkApiKeys,
  checkKeys,
  checkMessageTimes,
  checkCalendar,
  checkAmounts,
  checkTimeline,
  checkExpectations,
  checkMarks,
]

/** Everything that is wrong with a scenario whose format is fine, as far as it can be told without its files. */
export async function checkStory(scenario: Scenario): Promise<ProblemAt[]> {
  const story: Story = {
    scenario,
    names: new StoryNames(scenario),
    start: parseInstant(scenario.start) as number,
    occurrences: occurrencesOf(scenario),
  }
  const problems = checks.flatMap((check) => [...check(story)])
  return [...problems, ...(await checkTemplates(scenario))]
}

/**
 * A scenario without what takes long to make and has nothing wrong with it: what is built of one that is
 * refused anyway, to find the rest of its problems.
 */
export function withoutBulk(scenario: Scenario): Scenario {
  const lean = (identities: Scenario['identities']) => identities.map(({ generate: _, ...rest }) => rest)
  return {
    ...scenario,
    identities: lean(scenario.identities),
    organizations: scenario.organizations.map((other) => ({ ...other, identities: lean(other.identities) })),
    timeline: scenario.timeline.map(({ repeat: _, ...entry }) => entry),
  }
}
