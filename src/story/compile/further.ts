import type { Path } from '../../base/mistake.js'
import { type Extensions, everyOperationName } from '../../contract/extensions.js'
import type { TimelineEntry } from '../../service/world/story-entry.js'
import type { TriggeredEntry } from '../../service/world/triggers.js'
import { compileExpectations } from '../expectations/compile.js'
import type { Expectation } from '../expectations/kinds.js'
import type { Scenario } from '../format/scenario.js'
import type { ScenarioFiles } from '../read/files.js'
import { type ProblemAt, withFurther } from '../read/problem.js'
import { checkStory, keyed, unknownNames } from './checks.js'
import type { Compilation } from './compilation.js'
import { readEnclosures } from './enclosures.js'
import { Lookups } from './lookups.js'
import { Names, type ResolvedEntry } from './names.js'
import { compileTimeline, mailOfTimeline, resolveEntries, resolveTimeline } from './timeline.js'

/** What the parts of a story were compiled with, and what further parts refer to. */
export interface Ground {
  /** With the expectations that were laid over it. */
  readonly scenario: Scenario
  /** The entries of its timeline, and those that were laid over it. */
  readonly entries: readonly ResolvedEntry[]
  readonly files: ScenarioFiles
  readonly extensions: Extensions
  readonly compilation: Compilation
  /** The entries that were compiled alone, by their written form; shared by the stories with the same names. */
  readonly known: Map<string, KnownEntry>
}

/** A compiled entry, of one of the two kinds. */
type KnownEntry = Pick<FurtherParts, 'timeline' | 'triggered'>

/** Compiled entries and expectations. */
export interface FurtherParts {
  readonly timeline: readonly TimelineEntry[]
  readonly triggered: readonly TriggeredEntry[]
  readonly expectations: readonly Expectation[]
}

/**
 * Compiles further entries and expectations against the names of a story. In problems, paths are those of a scenario with
 * only these parts; `placeOf` returns a place in the scenario.
 */
export async function compileFurther(
  ground: Ground,
  { timeline, expect }: Pick<Scenario, 'timeline' | 'expect'>,
  placeOf: (path: Path) => Path,
): Promise<FurtherParts & { readonly problems: readonly ProblemAt[]; readonly ground: Ground }> {
  const { scenario, files, extensions, compilation: earlier } = ground
  const written = { ...scenario, timeline, expect }
  const firsts = { timeline: ground.entries.length, expect: scenario.expect.length }
  const enclosures = await readEnclosures([], mailOfTimeline(timeline, firsts.timeline), files)
  const { enclosed } = enclosures
  const before = { timeline: ground.entries.map(({ entry }) => entry), expect: scenario.expect }
  const resolved = resolveEntries(written, enclosed, before.timeline)
  const all = [...ground.entries, ...resolved]
  const { agents } = earlier.names
  const lookups = new Lookups(new Names(agents, all, earlier.seed), extensions)
  checkStory(lookups, all, keyed([...scenario.expect, ...expect], ['expect']), earlier.start)
  const toCompile = resolveTimeline(lookups, resolved, earlier.start)
  const found = (): ProblemAt[] => [
    ...[...lookups.problems, ...enclosures.problems].flatMap((problem) => ownProblem(problem, firsts)),
    ...unknownNames({ timeline, expect }, everyOperationName(extensions)),
  ]
  const compilation: Compilation = {
    ...earlier,
    ...{ names: lookups.names, enclosed, texts: earlier.texts.further() },
    isRefused: earlier.isRefused || found().length > 0,
    latest: new Map(earlier.latest),
    sent: new Map(earlier.sent),
  }
  const compiled = await compileTimeline(compilation, toCompile)
  const { texts } = compilation
  const { expectations } = await compileExpectations(written, { lookups, texts, earlier: before })
  return {
    ...{ timeline: compiled.timeline, triggered: compiled.triggered ?? [], expectations },
    problems: withFurther(
      found(),
      compilation.texts.problems.flatMap((problem) => ownProblem(problem, firsts)),
    ),
    ground: {
      ...{ files, extensions, known: new Map() },
      scenario: { ...scenario, expect: [...scenario.expect, ...expect] },
      entries: [
        ...ground.entries,
        ...resolved.map((one) => ({ ...one, path: placeOf(ownPath(one.path, firsts)) })),
      ],
      compilation: { ...compilation, enclosed: new Map() },
    },
  }
}

/** How many parts come before the further ones. */
type Firsts = Readonly<Record<'timeline' | 'expect', number>>

/** Returns the path of a further part among the further parts. */
function ownPath([list, index, ...rest]: Path, firsts: Firsts): Path {
  return [list as string, Number(index) - firsts[list as keyof Firsts], ...rest]
}

/** Returns a problem of a further part; nothing for one of the story itself. */
function ownProblem({ path, place, ...problem }: ProblemAt, firsts: Firsts): ProblemAt[] {
  const own = ownPath(path, firsts)
  if (!(Number(own[1]) >= 0)) return []
  return [{ ...problem, path: own, ...(place && { place: ownPath(place, firsts) }) }]
}
