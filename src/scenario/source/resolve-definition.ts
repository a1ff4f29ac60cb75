import { formatInstant, parseInstant } from '../../world/index.js'
import type { ScenarioFunction } from '../define-scenario.js'
import { scenarioSchema } from '../format/index.js'
import { ScenarioError, type ScenarioProblem } from '../problems/scenario-error.js'
import { createScenarioContext, type Roots } from './scenario-context.js'

/** How a definition is made a scenario. */
export interface Resolving {
  /** The file or the name that messages begin with. */
  readonly source: string
  /** What messages call the definition, e.g. `the default export`. */
  readonly what: string
  /** Stands in for the seed a scenario gives. */
  readonly seed: number | undefined
  /** What the scenario's own code threw, as the error it is to be. */
  explain(thrown: unknown, what: string): ScenarioError
}

const theFunction = 'the function given to defineScenario'

/** The scenario that a definition stands for, its format not yet checked. @throws ScenarioError */
export async function resolveDefinition(definition: unknown, resolving: Resolving): Promise<object> {
  if (typeof definition === 'function') return callTwice(definition as ScenarioFunction, resolving)
  return objectOf(definition, `${resolving.what} is`, resolving.source)
}

/**
 * Calls a function with the defaults, and again with its own roots if they are others.
 * @throws ScenarioError if what it gives then has others still
 */
async function callTwice(write: ScenarioFunction, resolving: Resolving): Promise<object> {
  const defaults = rootsOf({}, resolving.seed) as Roots
  const first = await call(write, defaults, resolving)
  const own = rootsOf(first, resolving.seed)
  // What is wrong with them is told where the format is checked.
  if (!own || differences(defaults, own).length === 0) return first
  const second = await call(write, own, resolving)
  const problems = differences(own, rootsOf(second, resolving.seed) ?? own)
  if (problems.length > 0) throw new ScenarioError('invalid', resolving.source, problems)
  return second
}

async function call(write: ScenarioFunction, roots: Roots, resolving: Resolving): Promise<object> {
  const context = await createScenarioContext(roots)
  try {
    const given: unknown = await write(context)
    return objectOf(given, `${theFunction} returns`, resolving.source)
  } catch (error) {
    throw error instanceof ScenarioError ? error : resolving.explain(error, theFunction)
  }
}

/** @throws ScenarioError for what is no object */
function objectOf(value: unknown, words: string, source: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const message = `${words} ${kindOf(value)}; expected a scenario such as { scenario: 'my-inbox' }`
  throw new ScenarioError('invalid', source, [{ key: '', message }])
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

const rootsSchema = scenarioSchema.pick({ seed: true, start: true, locale: true })

/** What everything in a scenario hangs on; undefined where the format is not kept. */
function rootsOf(scenario: object, seed: number | undefined): Roots | undefined {
  const { seed: own, start, locale } = scenario as Record<string, unknown>
  const { data } = rootsSchema.safeParse({ seed: own, start, locale })
  return data && { ...data, seed: seed ?? data.seed, start: parseInstant(data.start) as number }
}

function differences(before: Roots, after: Roots): ScenarioProblem[] {
  const [was, is] = [before, after].map(({ start, ...others }) => ({
    ...others,
    start: formatInstant(start),
  }))
  return (['seed', 'start', 'locale'] as const)
    .filter((key) => was?.[key] !== is?.[key])
    .map((key) => ({
      key,
      message: `expected a plain value; the function gave ${was?.[key]}, and ${is?.[key]} when called with that`,
    }))
}
