import * as fc from 'fast-check'
import { RunError } from '../replay/errors.js'
import { stopwatch } from '../world/index.js'
import type { Client } from './client.js'
import type { PlayedStory } from './facts.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import {
  type Failure,
  failureOf,
  hasShapesOf,
  type JudgingFacts,
  judgementOf,
  metElements,
} from './judging.js'
import { type PlanElement, type Pool, shapeOf, type Vary } from './kinds/index.js'
import { elementsArbitrary, planShape, seedOfRun, swarm } from './plans.js'

/** What is searched, and how far. */
export interface SearchOptions {
  readonly scenario: FuzzedScenario
  readonly client: Client
  readonly facts: JudgingFacts
  readonly pool: Pool
  readonly kinds: readonly Vary[]
  readonly seed: number
  readonly runs: number
  /** Milliseconds of wall time after which no further plan is tried. */
  readonly time?: number | undefined
  /** Runs that one finding may be shrunk with. */
  readonly shrinkRuns: number
  /** Runs at a time. */
  readonly jobs: number
  readonly watcher?: SearchWatcher | undefined
  readonly signal?: AbortSignal | undefined
}

/** Is notified of the progress of a search. */
export interface SearchWatcher {
  /** A plan was tried; `findings` were found so far. */
  tried?(run: number, findings: number): void
  /** A failure was found and is made smaller. */
  shrinking?(failure: Failure): void
  found?(finding: FoundPlan): void
}

/** A small plan that a client fails under. */
export interface FoundPlan {
  readonly elements: readonly PlanElement[]
  readonly failure: Failure
  /** How many plans were tried before it was found. */
  readonly foundAfterRuns: number
  readonly shrinkRuns: number
}

/** A failure that did not come again. */
export type FlakyPlan = Pick<FoundPlan, 'elements' | 'failure'>

/** What was tried. */
export interface SearchResult {
  readonly findings: readonly FoundPlan[]
  readonly flaky: readonly FlakyPlan[]
  /** Plans that were tried, and those of which the client met nothing. */
  readonly runs: number
  readonly vacuousRuns: number
  /** All runs of the client, those for believing and shrinking included. */
  readonly played: number
  /** How often each element was met, and how often it was tried without being met. */
  readonly met: ReadonlyMap<PlanElement, number>
  readonly missed: ReadonlyMap<PlanElement, number>
  readonly interrupted: boolean
}

/** What one run under a plan came to. */
interface Trial {
  readonly met: readonly PlanElement[]
  readonly failure: Failure | undefined
}

/** Milliseconds of wall time after which a finding is small enough. */
const longestShrinking = 120_000

/** Looks for plans that a client fails under. */
export class Search {
  readonly #options: SearchOptions
  readonly #findings: FoundPlan[] = []
  readonly #flaky: FlakyPlan[] = []
  readonly #met = new Map<PlanElement, number>()
  readonly #missed = new Map<PlanElement, number>()
  readonly #elapsed = stopwatch()
  #next = 0
  #runs = 0
  #vacuous = 0
  #played = 0
  #interrupted = false
  /** One failure is looked into at a time, so that the same cause is not shrunk twice. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: SearchOptions) {
    this.#options = options
  }

  /** Tries plans until there were enough, or time is up, or it is interrupted. */
  async run(): Promise<SearchResult> {
    const workers = Array.from({ length: Math.max(1, this.#options.jobs) }, () => this.#work())
    await Promise.all(workers)
    return {
      findings: this.#findings,
      flaky: this.#flaky,
      runs: this.#runs,
      vacuousRuns: this.#vacuous,
      played: this.#played,
      met: this.#met,
      missed: this.#missed,
      interrupted: this.#interrupted,
    }
  }

  async #work(): Promise<void> {
    const { runs, time, signal } = this.#options
    while (this.#next < runs && !signal?.aborted && (time === undefined || this.#elapsed() < time)) {
      const run = this.#next++
      try {
        await this.#try(run)
      } catch (error) {
        if (!(error instanceof RunError && error.code === 'interrupted')) throw error
        this.#interrupted = true
        return
      }
      this.#runs++
      this.#options.watcher?.tried?.(this.#runs, this.#findings.length)
    }
    this.#interrupted ||= signal?.aborted === true
  }

  /** Tries the plan of one run; fast-check generates it, and shrinks it if the client fails under it. */
  async #try(run: number): Promise<void> {
    const { pool, kinds, seed, runs } = this.#options
    const own = seedOfRun(seed, run)
    const present = kinds.filter((kind) => pool[kind].length > 0)
    const chosen = swarm(fc, present, own)
    const shape = planShape(run, runs, pool, chosen)
    const shrinking = new Shrinking(this.#options.shrinkRuns)
    let release = (): void => undefined
    let failed: unknown
    const property = fc.asyncProperty(elementsArbitrary(fc, shape), async (elements) => {
      if (failed !== undefined) return true
      try {
        if (shrinking.begun) return await this.#shrink(shrinking, elements)
        const trial = await this.#trial(elements)
        this.#count(elements, trial.met)
        if (!trial.failure) return true
        // Only what made a difference is looked into.
        release = await this.#takeTurn()
        if (this.#isExplained(trial)) return true
        if (!(await this.#believe(trial.met, trial.failure, shrinking))) return true
        this.#options.watcher?.shrinking?.(trial.failure)
        return false
      } catch (error) {
        failed = error
        return true
      }
    })
    try {
      await fc.check(property, { seed: own, numRuns: 1 })
      if (failed !== undefined) throw failed
      if (shrinking.begun) await this.#conclude(shrinking, run)
    } finally {
      release()
    }
  }

  /** Waits for its turn to look into a failure; returns how to end it. */
  async #takeTurn(): Promise<() => void> {
    const before = this.#turn
    let release = (): void => undefined
    this.#turn = new Promise<void>((resolve) => {
      release = resolve
    })
    await before
    return release
  }

  #isExplained({ failure, met }: Trial): boolean {
    return this.#findings.some((finding) => {
      return finding.failure.cause === failure?.cause && hasShapesOf(met, finding.elements)
    })
  }

  /** Plays a failing plan again; tells whether it fails again. */
  async #believe(met: readonly PlanElement[], failure: Failure, shrinking: Shrinking): Promise<boolean> {
    const again = await this.#trial(met)
    if (again.failure?.cause === failure.cause) {
      shrinking.begin(again.met, again.failure)
      return true
    }
    this.#flaky.push({ elements: met, failure })
    return false
  }

  /** Tells whether a smaller plan passes, or is not tried since there were enough. */
  async #shrink(shrinking: Shrinking, elements: readonly PlanElement[]): Promise<boolean> {
    if (shrinking.isOver || elements.length > shrinking.elements.length) return true
    const trial = await this.#trial(elements)
    shrinking.runs++
    if (trial.failure?.cause !== shrinking.failure.cause || trial.met.length === 0) return true
    shrinking.begin(trial.met, trial.failure)
    return false
  }

  /** Plays what is left once more before it is a finding. */
  async #conclude({ elements, failure, runs: shrinkRuns }: Shrinking, run: number): Promise<void> {
    const trial = await this.#trial(elements)
    if (trial.failure?.cause !== failure.cause) {
      this.#flaky.push({ elements, failure })
      return
    }
    const isKnown = this.#findings.some((finding) => {
      return finding.failure.cause === failure.cause && sameShapes(finding.elements, elements)
    })
    if (isKnown) return
    const found = { elements, failure, foundAfterRuns: run + 1, shrinkRuns }
    this.#findings.push(found)
    this.#options.watcher?.found?.(found)
  }

  async #trial(elements: readonly PlanElement[]): Promise<Trial> {
    const { facts } = this.#options
    const played = await this.#play(elements)
    const met = metElements(elements, facts.base, played)
    // Nothing is learned from a run that was not disturbed.
    if (met.length === 0) return { met, failure: undefined }
    const failure = failureOf(played, judgementOf(elements, facts))
    // What was not met is left out before it counts: an entry that waits for a request that never comes is missing otherwise.
    return failure && met.length < elements.length ? this.#trial(met) : { met, failure }
  }

  async #play(elements: readonly PlanElement[]): Promise<PlayedStory> {
    const { scenario, client, facts } = this.#options
    const { expectations } = judgementOf(elements, facts)
    const checked = expectations.map((one) => one.checked)
    const story = await scenario.stateOf(elements, checked)
    this.#played++
    const ends = expectations.find((one) => 'invariant' in one.checked && one.checked.invariant === 'ends')
    const most = ends && 'atMost' in ends.checked ? (ends.checked.atMost ?? 0) : 0
    return client.play(story, Math.max(most, facts.base.requests) + 10)
  }

  #count(elements: readonly PlanElement[], met: readonly PlanElement[]): void {
    if (met.length === 0) this.#vacuous++
    for (const element of elements) {
      const counts = met.includes(element) ? this.#met : this.#missed
      counts.set(element, (counts.get(element) ?? 0) + 1)
    }
  }
}

function sameShapes(one: readonly PlanElement[], other: readonly PlanElement[]): boolean {
  const shapes = (elements: readonly PlanElement[]) => [...new Set(elements.map(shapeOf))].sort().join()
  return shapes(one) === shapes(other)
}

/** The smallest plan so far that fails for one cause. */
class Shrinking {
  readonly #most: number
  readonly #elapsed = stopwatch()
  #smallest: { readonly elements: readonly PlanElement[]; readonly failure: Failure } | undefined
  runs = 0

  constructor(most: number) {
    this.#most = most
  }

  get begun(): boolean {
    return this.#smallest !== undefined
  }

  get isOver(): boolean {
    return this.runs >= this.#most || this.#elapsed() > longestShrinking
  }

  get elements(): readonly PlanElement[] {
    return this.#smallest?.elements ?? []
  }

  get failure(): Failure {
    return (this.#smallest as { readonly failure: Failure }).failure
  }

  begin(elements: readonly PlanElement[], failure: Failure): void {
    this.#smallest = { elements, failure }
  }
}
