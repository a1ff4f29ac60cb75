import { textOf } from '../base/mistake.js'
import { ExtensionError } from '../contract/extensions.js'
import { problemsOfAttacks } from './attacks/lay-attacks.js'
import { compileScenario } from './compile/compile.js'
import { scenarioSchema } from './format/scenario.js'
import { salvageDocument } from './problems/format.js'
import { type ProblemAt, ScenarioError } from './problems/problem.js'
import { ownAssumptions } from './read/assumptions.js'
import { extensionsOf, type ReadingContext } from './read/extension-files.js'
import type { WrittenScenario } from './read/read-scenario.js'
import { filesBeside, shippedFiles } from './source/files.js'

/** Lets a scenario be checked although its rows are of no use. */
const known: ProblemAt = { path: [], message: '' }

/** The parts of a scenario of which some may be left out without effect on what the others mean, apart from their names. */
const separable = ['identities', 'organizations', 'webhooks', 'timeline', 'attacks', 'expect']

/**
 * Returns the problems of a scenario whose format has problems as well: those of what its format allows. What may be the
 * consequence of a part that it does not allow is left out.
 */
export async function problemsBesides(
  written: WrittenScenario,
  seed: number | undefined,
  context: ReadingContext,
  checksAttacks: boolean,
): Promise<readonly ProblemAt[]> {
  const salvaged = salvageDocument(scenarioSchema, written.value)
  if (!salvaged) return []
  const { content, lost, lostFrom, placeOf } = salvaged
  if (lostFrom.some((key) => !separable.includes(key))) return []
  try {
    const { shippedOnly } = context
    const extensions = await extensionsOf(content, written, context)
    const files = shippedOnly ? shippedFiles() : filesBeside(written.url, context.note)
    const access = shippedOnly ? 'shipped' : context
    const assumptions = await ownAssumptions(content, written.url, access, extensions.gaps)
    const options = { seed: seed ?? content.seed, start: undefined, files, extensions }
    const { problems, ground } = await compileScenario(content, {
      ...options,
      problems: [known, ...assumptions.problems],
    })
    const sources = { written: { ...written, value: content }, extend: context.added, ground }
    const further = checksAttacks ? await problemsOfAttacks(sources, options.seed) : []
    return [...problems, ...further].flatMap((problem) => {
      if (problem === known) return []
      const message = textOf(problem.message)
      // What follows are names that may have been meant.
      const [what = ''] = message.split(';', 1)
      const isConsequence = [...what.matchAll(/"([^"]+)"/g)].some(([, name = '']) => lost.has(name))
      const { path, place } = problem
      return isConsequence
        ? []
        : [{ ...problem, message, path: placeOf(path), ...(place && { place: placeOf(place) }) }]
    })
  } catch (error) {
    if (error instanceof ScenarioError || error instanceof ExtensionError) return []
    throw error
  }
}
