import { type Extensions, noExtensions } from '../../contract/extensions.js'
import { didYouMean } from '../../contract/text.js'
import { parseInstant, turnsOfOthers } from '../../world/index.js'
import type { Scenario } from '../format/index.js'
import { type OwnKinds, readOwnKinds } from '../letters/own-kinds.js'
import type { ProblemAt } from '../problems/problem.js'
import type { ScenarioFiles } from '../source/files.js'
import { checkTemplates } from '../templates/check.js'
import { type Enclosed, readEnclosures } from './enclosures.js'
import { type ResolvedExpectation, resolveExpectations } from './expectations.js'
import { Lookups } from './lookups.js'
import { Names, occurrencesOf } from './names.js'
import { checkOrganizations } from './organizations.js'
import { type ResolvedEntry, resolveTimeline } from './timeline.js'

/** A scenario with everything found that its parts refer to. */
export interface ResolvedScenario {
  readonly scenario: Scenario
  /** The instant the story begins. */
  readonly start: number
  readonly extensions: Extensions
  readonly names: Names
  /** What the files hold that the scenario names, by the message, the mail of an entry, or the identity. */
  readonly enclosed: ReadonlyMap<object, Enclosed>
  /** The kinds of mail of its own, by language. */
  readonly ownKinds: OwnKinds
  readonly timeline: readonly ResolvedEntry[]
  readonly expectations: readonly ResolvedExpectation[]
}

/** A scenario as far as it can be resolved, and everything that is wrong with it. */
export interface Resolution {
  readonly resolved: ResolvedScenario
  readonly problems: readonly ProblemAt[]
  /** What can be used and hardly is what was meant. */
  readonly warnings: readonly string[]
}

/** Finds what the parts of a scenario refer to: agents, threads, messages and files; and checks its templates. */
export async function resolveScenario(
  scenario: Scenario,
  files: ScenarioFiles,
  extensions = noExtensions,
): Promise<Resolution> {
  const start = parseInstant(scenario.start) as number
  const { enclosed, problems, warnings } = await readEnclosures(scenario, files)
  const turn = turnsOfOthers()
  const occurrences = occurrencesOf(scenario, enclosed)
  await turn()
  const names = new Names(scenario, occurrences)
  const lookups = new Lookups(names, extensions)
  await turn()
  checkOrganizations(lookups, scenario, occurrences)
  await turn()
  const timeline = resolveTimeline(lookups, occurrences, start)
  await turn()
  const expectations = resolveExpectations(lookups, scenario)
  const inTemplates = await checkTemplates(scenario)
  const own = await readOwnKinds(scenario, files)
  return {
    resolved: { scenario, start, extensions, names, enclosed, ownKinds: own.kinds, timeline, expectations },
    problems: [...lookups.problems, ...inTemplates, ...problems, ...own.problems],
    warnings: [...warnings, ...warningsOn(scenario)],
  }
}

/** Returns what a scenario expects although hardly any client can achieve it. */
function warningsOn({ identities, organizations, rows, expect, readings, timeline }: Scenario): string[] {
  const handles = [identities, ...organizations.map((other) => other.identities)]
    .flat()
    .map(({ handle }) => handle)
  // Of a file of readings or a profile, it is not known here what it chooses.
  const mayBecomeRead =
    typeof readings === 'string' || JSON.stringify([readings, timeline]).includes('becomes-read')
  return expect.flatMap(({ thread, has, where }, index) => {
    const warnings: string[] = []
    const isReadInStory = timeline.some(({ read }) => read?.thread === thread)
    if (thread !== undefined && has?.['unread'] === false && !mayBecomeRead && !isReadInStory) {
      warnings.push(
        `expect[${index}].has.unread: no client can make a thread read by default; with readings: ` +
          '{ threads.unread-after-read: becomes-read }, listing its messages does',
      )
    }
    const agent = where?.query?.['agent']
    if (
      typeof agent === 'string' &&
      !agent.includes('{{') &&
      rows === undefined &&
      !handles.includes(agent.replace(/^@/, ''))
    ) {
      const hint = didYouMean(agent, handles)
      warnings.push(
        `expect[${index}].where.query.agent: there is no identity with the handle "${agent}"${hint}`,
      )
    }
    return warnings
  })
}
