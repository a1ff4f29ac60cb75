import { type Base, BaseBuilder, MailboxStore } from '../../model/index.js'
import { type Expectation, mixNumber, parseInstant, type TimelineEntry } from '../../world/index.js'
import { compileExpectations } from '../expectations/compile.js'
import { identitiesOf } from '../format/identities-of.js'
import type { Scenario } from '../format/index.js'
import type { ScenarioFiles } from '../source/files.js'
import { Cast } from '../timeline/cast.js'
import { compileTimeline } from '../timeline/compile.js'
import type { Locale } from '../wording/locale-names.js'
import { loadWordings, type Wording } from '../wording/locales.js'
import { WordsWanted, withoutWords } from '../wording/without-words.js'
import { BodyShelf } from './body-shelf.js'
import type { Building, FoundProblem } from './building.js'
import { nameParts } from './names.js'
import { addOrganization } from './organization.js'
import { LoadMeter, type OnProgress } from './progress.js'
import { WrittenThreads } from './written-threads.js'

/** What a scenario comes to; with any problem found, it is not to be used. */
export interface Built {
  readonly base: Base
  readonly timeline: readonly TimelineEntry[]
  readonly expectations: readonly Expectation[]
  readonly problems: readonly FoundProblem[]
}

/** What goes with a scenario when its base is built. */
export interface BuildOptions {
  readonly seed: number
  readonly files: ScenarioFiles
  readonly onProgress?: OnProgress | undefined
}

/** Builds the base of a scenario, its timeline and what it expects. */
export async function buildBase(scenario: Scenario, options: BuildOptions): Promise<Built> {
  const start = parseInstant(scenario.start) as number
  if (isWritten(scenario)) {
    // Loading a language takes longer than building such a scenario, which is how to know whether it wants one.
    try {
      return await build(scenario, start, new Map(), options)
    } catch (error) {
      if (!(error instanceof WordsWanted)) throw error
    }
  }
  return build(scenario, start, await loadWordings(scenario, options.seed, start), options)
}

/** Whether all there is stands in the scenario itself, which is then no larger than somebody wrote it. */
function isWritten(scenario: Scenario): boolean {
  return identitiesOf(scenario).every(({ generate, maildir, threads }) => {
    const inFolders = threads.some(({ messages }) =>
      messages.some((message) => message.maildir !== undefined),
    )
    return generate === undefined && maildir === undefined && !inFolders
  })
}

async function build(
  scenario: Scenario,
  start: number,
  wordings: ReadonlyMap<Locale, Wording>,
  { seed, files, onProgress }: BuildOptions,
): Promise<Built> {
  const problems: FoundProblem[] = []
  const builder = new BaseBuilder((ordinal) => mixNumber(ordinal, seed))
  const building: Building = {
    seed,
    start,
    builder,
    wordings,
    ...(wordings.get(scenario.locale) ?? withoutWords),
    files,
    shelf: new BodyShelf(),
    meter: new LoadMeter(scenario, builder, onProgress),
    written: new WrittenThreads(),
    problem: (path, message) => problems.push({ path, message }),
  }
  const { identities, webhooks, organization } = scenario
  await addOrganization(building, { ...organization, identities, webhooks }, 'organization', [])
  const further = nameParts(scenario.organizations, ({ api_keys, name }) => api_keys[0] ?? name)
  for (const [index, [name, other]] of further.entries()) {
    await addOrganization(building, other, `organizations/${name}`, ['organizations', index])
  }
  const base = builder.build(building.shelf.source)
  const cast = new Cast(building, scenario, new MailboxStore(base))
  const timeline = await compileTimeline(cast)
  const expectations = compileExpectations(cast, scenario.expect, timeline.places)
  building.meter.allDone()
  return { base, timeline: timeline.entries, expectations, problems }
}
