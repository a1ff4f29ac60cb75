import { invariantNames } from './expectations/index.js'
import type { ScenarioInput } from './format/index.js'
import type { Story } from './overlays/index.js'
import { scenarioError } from './problems/index.js'
import { readWritten, type WrittenScenario } from './read/index.js'

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
  const { source, locate, value } = await readWritten(named, undefined)
  const { expect } = value as Pick<ScenarioInput, 'expect'>
  if (Array.isArray(expect)) return { source, locate, expect }
  throw scenarioError('invalid', source, 'expected a list "expect", with expectations as a scenario has them')
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
