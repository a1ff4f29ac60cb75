import { everyOperationName } from '../../contract/extensions.js'
import { parseDuration } from '../../service/time/time.js'
import type { ScenarioExpectation } from './format.js'
import type { Compiling, Resolving, StoryNames, WarningFacts } from './kind.js'
import { type AnyKind, type Expectation, type ExpectationKindName, kindIn, kindNamed } from './kinds.js'
import { checkMoments, noMoments, type StoryMoments } from './moments.js'
import type { Milestone } from './time-window.js'

/** The parts of a compilation that all expectations share. */
interface CompilingAll {
  readonly texts: Compiling['texts'] & {
    /** Lets other tasks run. */
    turn(): Promise<void> | undefined
  }
}

/** Compiles an expectation whose references are resolved. */
type CompileExpectation = (compilation: CompilingAll) => Promise<Expectation>

/** Resolves expectations; omits those whose subject is not found. `earlier` has those of the story on which they are laid. */
export function resolveExpectations(
  lookups: StoryNames & Pick<Resolving, 'extensions'> & { readonly isFull: boolean },
  scenario: StoryMoments & { readonly secrets?: object | undefined },
  earlier = noMoments,
): CompileExpectation[] {
  checkMoments(lookups, scenario, earlier)
  const names = everyOperationName(lookups.extensions)
  const secrets = Object.keys(scenario.secrets ?? {})
  const positions = new Map([...earlier.expect, ...scenario.expect].map(({ key }, index) => [key, index]))
  const entries = new Set([...earlier.timeline, ...scenario.timeline].map(({ key }) => key))
  return scenario.expect.flatMap((written, index) => {
    if (lookups.isFull) return []
    const { kind, name: kindName } = kindOf(written)
    const path = ['expect', earlier.expect.length + index]
    const { extensions } = lookups
    const compile = kind.resolve(written, { names: lookups, path, extensions, secrets })
    if (!compile) return []
    return async ({ texts }) => {
      await texts.turn()
      const milestone = (name: string): Milestone => {
        const operation = names.find((known) => known === name)
        if (operation) return { name, kind: 'operation', operation }
        if (entries.has(name)) return { name, kind: 'entry', entry: name }
        const position = positions.get(name)
        if (position !== undefined) return { name, kind: 'expectation', expectation: position }
        return { name, kind: 'time', after: parseDuration(name) as number }
      }
      const { key = null, describe = null, weight, after, before, within } = written
      const window = {
        after: after === undefined ? null : milestone(after),
        before: before === undefined ? null : milestone(before),
        within: within === undefined ? null : { text: within, milliseconds: parseDuration(within) as number },
      }
      const about = { key, describe, ...(weight !== undefined && { weight }), kind: kindName }
      return { ...about, ...(await compile({ texts, window })) } as Expectation
    }
  })
}

/** Returns warnings about expectations that hardly any client can meet. */
export function warningsOn(expect: readonly ScenarioExpectation[], facts: WarningFacts): string[] {
  return expect.flatMap((written, index) => {
    const warnings = kindOf(written).kind.warnings?.(written, facts) ?? []
    return warnings.map(({ key, message }) => `expect[${index}].${key}: ${message}`)
  })
}

function kindOf(written: ScenarioExpectation): {
  readonly kind: AnyKind
  readonly name: ExpectationKindName
} {
  const name = kindIn(written) as ExpectationKindName
  return { kind: kindNamed(name), name }
}
