import { profileAssumptions } from '../../service/assumptions/assumptions.js'
import { formatScenarioDocument, readScenarioDocument } from '../../story/document.js'
import { isWork } from '../../story/expectations/attack-checker.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import type { Story } from '../../story/overlays/story.js'
import { ScenarioError } from '../../story/problems/problem.js'
import type { ScenarioDefinition } from '../../story/read/define-scenario.js'
import { namesOfEntries } from '../../story/resolve/names.js'
import { RunError } from '../errors.js'
import { loadStory } from '../load-story.js'
import { play } from '../play.js'
import { failedEntries, failedExpectations, type ReplayReport } from '../replay/outcome.js'
import { type ReplayOptions, reportOf } from '../replay/replay.js'
import { leaveOut } from '../shrink.js'

/** A part of a story that may be needed for it to fail. */
export type StoryPart =
  | { readonly is: 'entry'; readonly name: string }
  | { readonly is: 'assumption'; readonly name: string }

/** Why a story failed: an expectation, by its place, or what else failed. */
export interface Reason {
  readonly expectation: number | null
  /** The same for the same failure. */
  readonly name: string
  readonly describe: string
}

/** A failing story without what it does not need to fail. */
export interface MinimizedStory {
  readonly format: 'agent-mailbox-sim/minimized-story'
  readonly version: 1
  readonly scenario: string
  readonly seed: number
  /** Null if it passed, or was not judged, so that there is nothing to minimize. */
  readonly reason: Reason | null
  /** What is needed for it to fail, and all that it was searched in. */
  readonly needed: readonly StoryPart[]
  readonly of: readonly StoryPart[]
  /** The parts without which it does not fail for that reason; one if a single one suffices, none if it fails in any case. */
  readonly decisive: readonly StoryPart[]
  /** The smallest story as a scenario in YAML; null if there is nothing to minimize. */
  readonly story: string | null
  /** Whether the written story failed for the same reason when it was played. */
  readonly confirmed: boolean
  /** How often the agent was run in all, and until the decisive parts were found. */
  readonly plays: number
  readonly plays_until_named: number
}

/** The options of minimizing. */
export interface MinimizeOptions extends Omit<ReplayOptions, 'initialState' | 'from'> {
  readonly scenario: string | ScenarioDefinition
  /** The most plays; then the smallest story so far is the result. 100 by default. */
  readonly mostPlays?: number | undefined
  /** Plays a story; by default to the command. */
  readonly playStory?: ((story: Story) => Promise<ReplayReport>) | undefined
  /** Called before each play with how many parts of the story are played. */
  readonly onPlay?: ((play: number, parts: number) => void) | undefined
}

/** A minimized story, and the report of the whole. */
export interface Minimized {
  readonly result: MinimizedStory
  readonly whole: ReplayReport
}

/**
 * Finds out which entries and assumptions of a failing story it needs to fail, and without which of them it does not.
 * @throws ScenarioError, AssumptionError, ServerError, RunError
 */
export async function minimize(options: MinimizeOptions): Promise<Minimized> {
  const search = new MinimalStory(await loadStory(options), options)
  return search.run()
}

class MinimalStory {
  readonly #story: Story
  readonly #options: MinimizeOptions
  readonly #all: readonly StoryPart[]
  readonly #known = new Map<string, ReplayReport>()
  #plays = 0
  #failedBefore: ReadonlySet<string> = new Set()

  constructor(story: Story, options: MinimizeOptions) {
    this.#story = story
    this.#options = options
    this.#all = partsOf(story)
  }

  async run(): Promise<Minimized> {
    const all = this.#all
    const whole = await this.#play(all)
    const { scenario, seed } = this.#story
    const head = { format: 'agent-mailbox-sim/minimized-story', version: 1, scenario, seed } as const
    const reason = reasonOf(whole)
    if (!reason) {
      const nothing = { needed: all, of: all, decisive: [], story: null, confirmed: false }
      return { result: { ...head, reason, ...nothing, plays: this.#plays, plays_until_named: 0 }, whole }
    }
    this.#failedBefore = new Set(failedEntries(whole).map(({ name }) => name))
    const decisive = await this.#decisive(reason)
    const plays_until_named = this.#plays
    const needed = await this.#needed(reason, decisive)
    const { story, confirmed } = await this.#written(reason, needed)
    const found = { needed, of: all, decisive, story, confirmed }
    return { result: { ...head, reason, ...found, plays: this.#plays, plays_until_named }, whole }
  }

  /** Returns the fewest parts without which the story does not fail for the reason. */
  async #decisive(reason: Reason): Promise<readonly StoryPart[]> {
    const all = this.#all
    let removed = await this.#groupWithout(reason)
    if (!removed) return []
    await leaveOut(
      () => removed ?? [],
      async (fewer) => {
        if (fewer.length === 0 || !(await this.#holds(without(all, fewer), reason))) return false
        removed = fewer
        return true
      },
    )
    return removed
  }

  /** Returns some parts without which the story does not fail: all, or a half, a quarter, and so on. */
  async #groupWithout(reason: Reason): Promise<readonly StoryPart[] | undefined> {
    const all = this.#all
    for (let size = all.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let index = 0; index < all.length; index += size) {
        const group = all.slice(index, index + size)
        if (await this.#holds(without(all, group), reason)) return group
      }
    }
    return undefined
  }

  /** Returns the fewest parts with which the story fails for the reason, among them the decisive ones. */
  async #needed(reason: Reason, decisive: readonly StoryPart[]): Promise<readonly StoryPart[]> {
    const all = this.#all
    // What an agent does not do without any mail says nothing; it must do it without the decisive part.
    const one = reason.expectation === null ? undefined : this.#story.expectations[reason.expectation]
    const isAboutWork = one !== undefined && isWork(one)
    if (isAboutWork && decisive.length === 0) return all
    let others = without(all, decisive)
    await leaveOut(
      () => others,
      async (fewer) => {
        const fails = await this.#fails(inOrder(all, [...fewer, ...decisive]), reason)
        if (!fails || (isAboutWork && !(await this.#holds(fewer, reason)))) return false
        others = fewer
        return true
      },
      others.length,
    )
    return inOrder(all, [...others, ...decisive])
  }

  async #fails(parts: readonly StoryPart[], reason: Reason): Promise<boolean> {
    const report = await this.#tried(parts)
    if (!report || reasonOf(report, reason.name)?.name !== reason.name) return false
    return failedEntries(report).every(({ name }) => this.#failedBefore.has(name))
  }

  /** Returns whether a story with these parts is judged, and does not fail for the reason. */
  async #holds(parts: readonly StoryPart[], reason: Reason): Promise<boolean> {
    const report = await this.#tried(parts)
    return report?.not_judged === null && reasonOf(report, reason.name)?.name !== reason.name
  }

  /** Plays some parts, unless enough was played. */
  async #tried(parts: readonly StoryPart[]): Promise<ReplayReport | undefined> {
    const { mostPlays = 100, signal } = this.#options
    if (signal?.aborted) throw new RunError('interrupted', 'Interrupted.')
    const known = this.#known.get(JSON.stringify(parts))
    return known ?? (this.#plays < mostPlays ? this.#play(parts) : undefined)
  }

  async #play(parts: readonly StoryPart[]): Promise<ReplayReport> {
    this.#options.onPlay?.(++this.#plays, parts.length)
    const report = await this.#report(await storyOf(this.#story, parts))
    this.#known.set(JSON.stringify(parts), report)
    return report
  }

  async #report(story: Story): Promise<ReplayReport> {
    const { playStory, command = [], variables, allowEmpty } = this.#options
    if (playStory) return playStory(story)
    const played = await play(story, { command, variables }, this.#options)
    try {
      return reportOf(played, allowEmpty)
    } finally {
      await played.close()
    }
  }

  /** Writes the smallest story, with what is judged in it, and plays that. */
  async #written(reason: Reason, needed: readonly StoryPart[]) {
    const { scenario } = this.#options
    const document = writtenParts(await readScenarioDocument(scenario, this.#story.seed), this.#story, needed)
    const { expect = [] } = document
    const judged = expect.filter((_, index) => index === reason.expectation)
    const only: ScenarioInput = { ...document, expect: judged }
    const load = (one: ScenarioInput): Promise<Story> =>
      loadStory({ ...this.#options, scenario: one, assume: undefined, seed: undefined })
    const [chosen, story] = await load(only).then(
      (loaded) => [only, loaded] as const,
      async (error: unknown) => {
        if (!(error instanceof ScenarioError)) throw error
        return [document, await load(document)] as const
      },
    )
    this.#options.onPlay?.(++this.#plays, needed.length)
    const again = reasonOf(await this.#report(story))
    // The place of an expectation is another one where it stands alone.
    const key = chosen === only && reason.expectation !== null ? 'describe' : 'name'
    const confirmed = again?.[key] === reason[key]
    const comment = `The smallest story that still fails: ${reason.describe}`
    return { story: await formatScenarioDocument(chosen, comment), confirmed }
  }
}

/** Returns the parts of a story that may be left out: its entries, and the assumptions that are not the default ones. */
function partsOf({ timeline, triggered = [], assumptions, origins, extensions }: Story): StoryPart[] {
  const names = new Set([...timeline, ...triggered].map(writtenName))
  const defaults: Readonly<Record<string, string>> = profileAssumptions('default', extensions?.gaps)
  const chosen = Object.entries(assumptions).filter(([gap, assumption]) => {
    return (origins as Readonly<Record<string, string>>)[gap] !== 'default' && defaults[gap] !== assumption
  })
  return [
    ...[...names].map((name): StoryPart => ({ is: 'entry', name })),
    ...chosen.map(([name]): StoryPart => ({ is: 'assumption', name })),
  ]
}

/** Returns the name of the written entry of which an entry may be a repetition. */
function writtenName({ name }: { readonly name: string }): string {
  return name.replace(/\/\d+$/, '')
}

/** Returns a story with only these of its parts; values stay as they were. */
async function storyOf(story: Story, parts: readonly StoryPart[]): Promise<Story> {
  const kept = new Set(parts.map(({ is, name }) => `${is} ${name}`))
  const defaults: Readonly<Record<string, string>> = profileAssumptions('default', story.extensions?.gaps)
  const dropped = partsOf(story).filter(
    ({ is, name }) => is === 'assumption' && !kept.has(`assumption ${name}`),
  )
  const input = Object.fromEntries(dropped.map(({ name }) => [name, defaults[name] ?? '']))
  const laid = dropped.length > 0 ? await story.lay({ assumptions: [{ from: 'minimize', input }] }) : story
  const isKept = (entry: { readonly name: string }): boolean => kept.has(`entry ${writtenName(entry)}`)
  const { timeline, triggered } = laid
  return {
    ...laid,
    timeline: timeline.filter(isKept),
    ...(triggered && { triggered: triggered.filter(isKept) }),
  }
}

/** Returns a scenario in its written form with only these parts, whose names keep the generated values. */
function writtenParts(
  document: ScenarioInput,
  { seed, assumptions }: Story,
  parts: readonly StoryPart[],
): ScenarioInput {
  const kept = new Set(parts.filter(({ is }) => is === 'entry').map(({ name }) => name))
  const names = namesOfEntries(document.timeline ?? [])
  const timeline = (document.timeline ?? []).flatMap((entry, place) => {
    const key = names[place] as string
    return kept.has(key) ? [{ key, ...entry }] : []
  })
  const chosen = parts.flatMap(({ is, name }) => {
    return is === 'assumption'
      ? [[name, (assumptions as Readonly<Record<string, string>>)[name]] as const]
      : []
  })
  const { assume: _, fixed_assumptions: __, timeline: ___, expect, ...others } = document
  return {
    ...others,
    seed,
    ...(chosen.length > 0 && { assume: Object.fromEntries(chosen) as never }),
    fixed_assumptions: true,
    timeline,
    ...(expect && { expect }),
  }
}

/** Returns why a play failed, by default what the report names first; of several reasons, the one of a name if it is among them. */
function reasonOf(report: ReplayReport, wanted?: string): Reason | null {
  const { command, runaway, not_judged } = report
  if (not_judged !== null) return null
  const reasons: Reason[] = []
  if (command?.passed === false) {
    const describe = `The command ${command.problem ?? 'failed'}.`
    reasons.push({
      expectation: null,
      name: `command: ${command.problem?.replace(/\d+(\.\d+)? ?m?s\b/g, '')}`,
      describe,
    })
  }
  if (runaway !== null) reasons.push({ expectation: null, name: 'runaway', describe: runaway })
  for (const { index, describe } of failedExpectations(report)) {
    reasons.push({ expectation: index, name: `expectation ${index}`, describe })
  }
  for (const { name, problem } of failedEntries(report)) {
    reasons.push({ expectation: null, name: `entry ${name}`, describe: `${name}: ${problem}` })
  }
  return reasons.find(({ name }) => name === wanted) ?? reasons[0] ?? null
}

function without(all: readonly StoryPart[], left: readonly StoryPart[]): readonly StoryPart[] {
  return all.filter((part) => !left.includes(part))
}

function inOrder(all: readonly StoryPart[], some: readonly StoryPart[]): readonly StoryPart[] {
  return all.filter((part) => some.includes(part))
}
