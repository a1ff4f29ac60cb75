import { expectedOneOf } from '../base/text.js'
import { invariantNames } from './expectations/invariants/invariants.js'
import type { ScenarioInput } from './format/scenario.js'
import type { Story } from './overlays/story.js'
import { scenarioError } from './problems/problem.js'
import { readWritten, type WrittenScenario } from './read/read-scenario.js'
import { shippedScenarios } from './source/find-scenario.js'

/** Expectations that are no part of a scenario's own file, or that replace those of it. */
export type OtherExpectations = Pick<WrittenScenario, 'source' | 'locate'> & {
  readonly expect: NonNullable<ScenarioInput['expect']>
}

/**
 * Reads the `expect` of a file in YAML, JSON or TypeScript, which needs no other part of a scenario; or else names of
 * invariants, separated by commas. @throws ScenarioError
 */
export async function readExpectations(named: string): Promise<OtherExpectations> {
  const names = named.split(',').map((name) => name.trim())
  if (names.every((name) => (invariantNames as readonly string[]).includes(name))) {
    const expect = names.map((invariant) => ({ invariant })) as OtherExpectations['expect']
    return { source: named, locate: () => undefined, expect }
  }
  await refuseUnknownNames(names)
  const { source, locate, value } = await readWritten(named, undefined)
  const { expect } = value as Pick<ScenarioInput, 'expect'>
  if (Array.isArray(expect)) return { source, locate, expect }
  throw scenarioError('invalid', source, 'expected a list "expect", with expectations as a scenario has them')
}

/** Checks that names which cannot be paths are those of invariants, or of a shipped scenario. @throws ScenarioError `not-found` */
async function refuseUnknownNames(names: readonly string[]): Promise<void> {
  if (!names.every((name) => /^[a-z0-9-]+$/.test(name))) return
  const known: readonly string[] = invariantNames
  const unknown = names.find((name) => !known.includes(name)) as string
  if (names.length === 1 && (await shippedScenarios()).includes(unknown)) return
  const hint = expectedOneOf(unknown, known, `; a file is named by its path, e.g. ./${unknown}.yaml.`)
  throw scenarioError('not-found', unknown, `there is no invariant of that name${hint}`)
}

/** Returns a story that is judged by other expectations instead of its own. @throws ScenarioError at their place */
export async function judgedBy(story: Story, { expect, ...place }: OtherExpectations): Promise<Story> {
  const sources = async (): ReturnType<Story['sources']> => {
    const own = await story.sources()
    const { ground, written } = own
    const scenario = { ...ground.scenario, expect: [] }
    return { ...own, ground: { ...ground, scenario }, written: { ...written, ...place } }
  }
  const unjudged: Story = { ...story, expectations: [], sources }
  return unjudged.lay({ expect })
}
