import * as fc from 'fast-check'
import { stopwatch } from '../../service/time/wall-time.js'
import { type RunPlansOptions, runPlans } from '../plans.js'
import { leaveOut } from '../shrink.js'
import { Attainable, type Unreached } from './attainable.js'
import type { FuzzedClient } from './client.js'
import { Controls } from './control.js'
import type { PlayedStory } from './facts.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import {
  answersInvariant,
  type ClientFailure,
  failureOf,
  type Judgement,
  type JudgingFacts,
} from './judging.js'
import { isMet, type PlanElement, type Pool, shapeOf } from './kinds/kinds.js'
import type { Vary } from './kinds/vary.js'
import { elementsArbitrary, planShape, seedOfRun, swarm } from './plans.js'

/** The options of a search. */
export interface SearchOptions {
  readonly scenario: FuzzedScenario
  readonly client: FuzzedClient
  readonly facts: JudgingFacts
  readonly pool: Pool
  readonly kinds: readonly Vary[]
  readonly seed: number
  readonly runs: number
  /** Milliseconds of wall time after which no further plan is tried. */
  readonly time?: number | undefined
  /** The maximum number of runs for shrinking one finding. */
  readonly shrinkRuns: number
  /** The number of runs at a time. */
  readonly jobs: RunPlansOptions<number, void>['jobs']
  readonly watcher?: SearchWatcher | undefined
  readonly signal?: AbortSignal | undefined
}

/** Observes the progress of a search. */
export interface SearchWatcher {
  /** A plan was tried; `findings` were found so far. */
  tried?(run: number, findings: number): void
  /** A failure was found and is being shrunk. */
  shrinking?(failure: ClientFailure): void
  found?(finding: FoundPlan): void
}

/** A shrunk plan under which a client fails. */
export interface FoundPlan {
  readonly elements: readonly PlanElement[]
  readonly failure: ClientFailure
  /** The number of plans that were tried until it was found. */
  readonly foundAfterRuns: number
  readonly shrinkRuns: number
}

/** A failure that did not recur. */
export type FlakyPlan = Pick<FoundPlan, 'elements' | 'failure'>

/** The result of a search. */
export interface SearchResult {
  readonly findings: readonly FoundPlan[]
  readonly flaky: readonly FlakyPlan[]
  /** The number of plans that were tried, and of those without an effect on the client. */
  readonly runs: number
  readonly vacuousRuns: number
  /** All runs of the client, including those that confirm and shrink failures. */
  readonly played: number
  /** How often each element affected the client, and how often it did not. */
  readonly met: ReadonlyMap<PlanElement, number>
  readonly missed: ReadonlyMap<PlanElement, number>
  /**
   * What was not judged in some stories, since the client does not reach it there even without a disturbance.
   */
  readonly unreached: readonly Unreached[]
  /** The expectations that were not judged under some plans, each with the reasons. */
  readonly left: ReadonlyMap<string, ReadonlySet<string>>
  readonly interrupted: boolean
}

/** The outcome of one run under a plan. */
interface Trial {
  readonly met: readonly PlanElement[]
  readonly failure: ClientFailure | undefined
}

/** The smallest plan so far that fails for a cause, and the number of runs it took. */
interface Shrinking {
  smallest?: FlakyPlan | undefined
  /**
   * Elements of the generated plan that are not needed; the plans that fast-check shrinks still contain them.
   */
  readonly vacuous: Set<PlanElement>
  runs: number
  readonly elapsed: () => number
}

/** The milliseconds of wall time after which shrinking stops. */
const longestShrinking = 120_000

/** Searches for plans under which a client fails. */
export class PlanSearch {
  readonly #options: SearchOptions
  readonly #elapsed = stopwatch()
  readonly #result = {
    findings: [] as FoundPlan[],
    flaky: [] as FlakyPlan[],
    met: new Map<PlanElement, number>(),
    missed: new Map<PlanElement, number>(),
    unreached: [] as readonly Unreached[],
    left: new Map<string, Set<string>>(),
    ...{ runs: 0, vacuousRuns: 0 },
  }
  readonly #attainable: Attainable
  readonly #controls: Controls
  /** Resolves when all runs that have begun are over. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: SearchOptions) {
    this.#options = options
    const { facts, pool } = options
    this.#attainable = new Attainable(facts, pool, (...plan) => this.#play(...plan))
    const most = 20 * facts.base.requests + 1_000
    this.#controls = new Controls(options.scenario, facts, (story) => options.client.play(story, most))
  }

  /** Tries plans until all are tried, the time is up, or the search is interrupted. */
  async run(): Promise<SearchResult> {
    const { runs, time = Infinity, jobs, signal, watcher, client } = this.#options
    const before = client.played
    await runPlans(
      Array.from({ length: runs }, (_, run) => run),
      {
        ...{ jobs, signal, play: (run) => this.#try(run) },
        watcher: {
          ended: () => {
            this.#result.runs++
            watcher?.tried?.(this.#result.runs, this.#result.findings.length)
          },
        },
        isEnough: () => this.#elapsed() >= time,
      },
    )
    return {
      ...this.#result,
      unreached: this.#attainable.unreached,
      played: client.played - before,
      interrupted: signal?.aborted === true,
    }
  }

  /** Tries the plan of one run; fast-check generates it, and shrinks it if the client fails under it. */
  async #try(run: number): Promise<void> {
    const { pool, kinds, seed, runs } = this.#options
    const own = seedOfRun(seed, run)
    const present = kinds.filter((kind) => pool[kind].length > 0)
    const shape = planShape(run, runs, pool, swarm(present, own))
    const shrinking: Shrinking = { vacuous: new Set(), runs: 0, elapsed: stopwatch() }
    const { before, end } = this.#begin()
    let failed: unknown
    const property = fc.asyncProperty(elementsArbitrary(shape), async (elements) => {
      if (failed !== undefined) return true
      try {
        if (shrinking.smallest) return !(await this.#isSmaller(elements, shrinking))
        const trial = await this.#trial(elements)
        this.#count(elements, trial.met)
        if (!trial.failure) return true
        await before
        // Only elements that had an effect are examined.
        const plan = await this.#unexplained({ elements: trial.met, failure: trial.failure })
        if (!plan) return true
        shrinking.smallest = await this.#confirmed(plan)
        if (!shrinking.smallest) return true
        noteUnneeded(elements, shrinking)
        this.#options.watcher?.shrinking?.(trial.failure)
        await this.#removeUnneeded(shrinking)
        return false
      } catch (error) {
        failed = error
        return true
      }
    })
    try {
      await fc.check(property, { seed: own, numRuns: 1 })
      if (failed !== undefined) throw failed
      if (shrinking.smallest) await this.#conclude(shrinking.smallest, shrinking.runs, run)
    } finally {
      end()
    }
  }

  /**
   * Begins a run; returns when those before it are over, and a function that ends it. Failures are examined one at a time, so that
   * the same cause is not shrunk twice, and in the order of their runs, so that jobs change nothing.
   */
  #begin(): { readonly before: Promise<unknown>; readonly end: () => void } {
    const before = this.#turn
    let end = (): void => undefined
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#turn = Promise.all([before, own])
    return { before, end }
  }

  #isExplained(plan: FlakyPlan): boolean {
    return this.#result.findings.some((found) => explains(found, plan))
  }

  /**
   * Returns the part of a failing plan that is no consequence of what was found; undefined if there is none: what a client does
   * not do since it cannot read a message, for example, is missed again in every plan with such a message.
   */
  async #unexplained(plan: FlakyPlan): Promise<FlakyPlan | undefined> {
    if (this.#isExplained(plan)) return undefined
    if (!isAboutResults(plan)) return plan
    const known = this.#result.findings.filter((one) => isAboutResults(one) && isWithin(one, plan))
    const shapes = new Set(known.flatMap(({ elements }) => elements.map(shapeOf)))
    const rest = plan.elements.filter((element) => !shapes.has(shapeOf(element)))
    if (rest.length === 0 || rest.length === plan.elements.length) return plan
    const { met, failure } = await this.#trial(rest)
    const other = failure && { elements: met, failure }
    return other && !this.#isExplained(other) ? other : undefined
  }

  /** Plays a failing plan again; returns it if it fails again, and otherwise notes it as flaky. */
  async #confirmed(plan: FlakyPlan): Promise<FlakyPlan | undefined> {
    const { met, failure } = await this.#trial(plan.elements)
    if (failure?.cause === plan.failure.cause) return { elements: met, failure }
    this.#result.flaky.push(plan)
    return undefined
  }

  /** Returns whether a plan is smaller and fails for the same cause; always false once shrinking is over. */
  async #isSmaller(generated: readonly PlanElement[], shrinking: Shrinking): Promise<boolean> {
    const { smallest, vacuous } = shrinking
    const elements = generated.filter((element) => !vacuous.has(element))
    const isOver = shrinking.runs >= this.#options.shrinkRuns || shrinking.elapsed() > longestShrinking
    if (!smallest || isOver || elements.length === 0) return false
    if (elements.length > smallest.elements.length) return false
    // The generated plan lost an element that was not needed: fast-check continues from there.
    const isSame = elements.length === smallest.elements.length
    if (isSame && elements.every((element, index) => element === smallest.elements[index])) return true
    const { met, failure } = await this.#trial(elements)
    shrinking.runs++
    if (failure?.cause !== smallest.failure.cause || met.length === 0) return false
    shrinking.smallest = { elements: met, failure }
    noteUnneeded(elements, shrinking)
    return true
  }

  /** Removes what is not needed: half of the elements at first, and one at a time in the end. */
  async #removeUnneeded(shrinking: Shrinking): Promise<void> {
    const elementsOf = (): readonly PlanElement[] => shrinking.smallest?.elements ?? []
    await leaveOut(elementsOf, async (remaining, before) => {
      const isSmaller = await this.#isSmaller(remaining, shrinking)
      if (isSmaller) noteUnneeded(before, shrinking)
      return isSmaller
    })
  }

  /** Confirms the smallest plan with another run before it becomes a finding. */
  async #conclude(plan: FlakyPlan, shrinkRuns: number, run: number): Promise<void> {
    if (!(await this.#confirmed(plan)) || this.#isExplained(plan)) return
    const found = { ...plan, foundAfterRuns: run + 1, shrinkRuns }
    const others = this.#result.findings.filter((one) => !explains(found, one))
    this.#result.findings = [...others, found]
    this.#options.watcher?.found?.(found)
  }

  async #trial(elements: readonly PlanElement[]): Promise<Trial> {
    const { facts } = this.#options
    const judgement = this.#attainable.judgementOf(elements)
    for (const { name, why } of judgement.left) {
      this.#result.left.set(name, (this.#result.left.get(name) ?? new Set()).add(why))
    }
    const played = await this.#play(elements, judgement.expectations)
    const met = elements.filter((element) => isMet(element, played, facts.base))
    // A run that was not disturbed shows nothing.
    if (met.length === 0) return { met, failure: undefined }
    const failure = failureOf(played, judgement)
    // Elements without effect are dropped first: an entry that never happens would fail the run.
    if (failure && met.length < elements.length) return this.#trial(met)
    if (failure && (await this.#isRuledOut(elements, failure))) return this.#trial(elements)
    if (failure) return { met, failure }
    const omitted = await this.#controls.failureOf(elements, played)
    return omitted && met.length < elements.length ? this.#trial(met) : { met, failure: omitted }
  }

  /** Returns whether the client fails in the same way when nothing disturbs it in such a story. */
  async #isRuledOut(elements: readonly PlanElement[], { name, judgedBy }: ClientFailure): Promise<boolean> {
    // Invariants hold in every story.
    if (judgedBy !== 'command' && judgedBy !== 'expectation' && name !== answersInvariant) return false
    await this.#attainable.learn(elements)
    const { exit, expectations } = this.#attainable.judgementOf(elements)
    return name === 'command' ? !exit : expectations.every((one) => one.name !== name)
  }

  async #play(
    elements: readonly PlanElement[],
    expectations: Judgement['expectations'],
  ): Promise<PlayedStory> {
    const { scenario, client, facts } = this.#options
    const checked = expectations.map((one) => one.checked)
    const story = await scenario.stateOf(elements, checked)
    return client.play(story, 10 * facts.base.requests + 100)
  }

  #count(elements: readonly PlanElement[], met: readonly PlanElement[]): void {
    if (met.length === 0) this.#result.vacuousRuns++
    for (const element of elements) {
      const counts = met.includes(element) ? this.#result.met : this.#result.missed
      counts.set(element, (counts.get(element) ?? 0) + 1)
    }
  }
}

function noteUnneeded(generated: readonly PlanElement[], { smallest, vacuous }: Shrinking): void {
  for (const element of generated) if (!smallest?.elements.includes(element)) vacuous.add(element)
}

/** Returns whether a failure is about what a client did in the end, rather than how it behaved. */
function isAboutResults({ failure: { judgedBy, name } }: FlakyPlan): boolean {
  return judgedBy === 'expectation' || judgedBy === 'outcome' || name === answersInvariant
}

/** Returns whether a plan has no kinds of elements that another does not have. */
function isWithin(one: FlakyPlan, other: FlakyPlan): boolean {
  const shapes = new Set(other.elements.map(shapeOf))
  return one.elements.every((element) => shapes.has(shapeOf(element)))
}

/**
 * Returns whether a plan explains the failure of another: with the same cause, and without additional kinds
 * of elements.
 */
function explains(one: FlakyPlan, other: FlakyPlan): boolean {
  return one.failure.cause === other.failure.cause && isWithin(one, other)
}
