import {
  type AssumptionsInput,
  type AssumptionsLayer,
  assumptionsVariable,
} from '../../service/assumptions/assumptions.js'
import { parseInstant } from '../../service/time/time.js'
import type { ExpectationInput } from '../../story/edits.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import { type LoadOptions, loadAssumptions, loadScenario, withAssumptions } from '../../story/load.js'
import type { ScenarioDefinition } from '../../story/read/define-scenario.js'
import type { ExtensionSource } from '../../story/read/extensions.js'
import { ScenarioError } from '../../story/read/problem.js'
import type { Story } from '../../story/story.js'
import { type Attack, attacksOf, choiceOf } from './attacks.js'
import type { RequestedAssumptions, SimulatorSetup, WorldSetup } from './options.js'
import { environmentVariable } from './trace.js'

/** What a world was created from; another world takes from it what its own options omit. */
interface WorldSource
  extends Pick<WorldSetup, 'shippedOnly' | 'extend' | 'deliveryFormat' | 'start' | 'attack' | 'benign'> {
  readonly scenario: string | ScenarioDefinition
  readonly seed?: number | undefined
  /** The assumptions of its options, above those of the scenario and of the simulator. */
  readonly layers: readonly AssumptionsLayer[]
}

/** Without the attacks of another world. */
const unattacked = { attack: undefined, benign: undefined }

/** Loads the scenarios of a simulator, and records the files of its first one. */
export class ScenarioLoader {
  readonly #options: SimulatorSetup
  readonly #scenario: string | ScenarioDefinition
  /** The options common to all scenarios. */
  readonly #common: LoadOptions
  /** The assumptions of the options, without those of the environment. */
  readonly #requested: readonly AssumptionsLayer[]
  readonly #sources = new WeakMap<Story, WorldSource>()
  /** The last story of each scenario that has a name; others with the same mailboxes share them. */
  readonly #latest = new Map<string, Story>()
  #files: readonly URL[] = []

  constructor(options: SimulatorSetup) {
    const { scenario = 'support-desk', assume, start, defaultStart } = options
    this.#options = options
    this.#scenario = scenario
    this.#requested = layersOf(assume)
    const starts = { start: parseStart(start), defaultStart: parseStart(defaultStart) }
    this.#common = { ...starts, assumptions: requestedLayers(assume) }
  }

  /** The files that the last load of the scenario read; if it failed, also those of the load before. */
  get files(): readonly URL[] {
    return this.#files
  }

  /** Loads the scenario, unless the options contain it already loaded. @throws ScenarioError, WorldError */
  async loadFirst(): Promise<Story> {
    const { initialState } = this.#options
    // Its loader has followed the environment, or has deliberately changed its assumptions since.
    return initialState ? withAssumptions(initialState, this.#requested) : this.load()
  }

  /** Loads the scenario from the current content of its files. @throws ScenarioError, WorldError */
  async load(): Promise<Story> {
    const { seed, onProgress, extend, deliveryFormat } = this.#options
    const before = this.#files
    const read: URL[] = []
    const onFile = (file: URL): void => void read.push(file)
    try {
      const own = { seed, extend, deliveryFormat, onFile, onProgress }
      return await loadScenario(this.#scenario, { ...this.#common, ...own })
    } catch (error) {
      read.push(...before.filter(({ href }) => read.every((file) => file.href !== href)))
      throw error
    } finally {
      this.#files = read
    }
  }

  /**
   * Loads the initial state of another world. Omitted options are those of the current one; another scenario brings its own
   * seed and assumptions. Worlds of the same mail share their base. @throws as `load`
   */
  async loadOther(current: Story, options: WorldSetup): Promise<Story> {
    const { assume, clock: _, shippedOnly, ...others } = options
    const changes = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
    const layers = layersOf(assume)
    const original = this.#sourceOf(current)
    const before =
      options.scenario === undefined
        ? {
            ...original,
            seed: current.seed,
            ...('attack' in changes || 'benign' in changes ? unattacked : {}),
          }
        : { scenario: options.scenario, shippedOnly, seed: this.#options.seed, layers: [] }
    const source: WorldSource = { ...before, ...changes, layers: [...before.layers, ...layers] }
    const isSameMail = source.seed === current.seed && Object.keys(changes).every((name) => name === 'seed')
    const loaded = isSameMail
      ? await withAssumptions(current, layers)
      : await withAssumptions(await this.#loadFrom(source), source.layers)
    this.#sources.set(loaded, source)
    return loaded
  }

  /** Returns the attacks of the scenario of a world. @throws ScenarioError */
  async attacksOf(current: Story): Promise<Attack[]> {
    const { scenario, shippedOnly, extend } = this.#sourceOf(current)
    const options = { seed: current.seed, shippedOnly, extend: this.#extend({ extend }) }
    const drawn = await attacksOf(scenario, options)
    // By name, a story may be under any pair of a carrier and a goal.
    const laid = (current.attacks ?? []).map(({ name }) => name)
    const further = laid.filter((name) => drawn.every((attack) => attack.name !== name))
    return further.length === 0
      ? drawn
      : [...drawn, ...(await attacksOf(scenario, { ...options, attacks: further }))]
  }

  /** Compiles an expectation in the words of the scenario of a world. @throws ScenarioError */
  async expectationIn(current: Story, written: ExpectationInput): Promise<Expectation> {
    const { scenario, shippedOnly, extend } = this.#sourceOf(current)
    const { seed, start } = current
    const extended = { shippedOnly, extend: this.#extend({ extend }) }
    const options = { ...extended, seed, start, like: current, expect: [written] }
    const { expectations } = await loadScenario(scenario, options)
    return expectations.at(-1) as Expectation
  }

  /** Loads the initial state of a world that was derived from the first one in several steps. */
  async loadSteps(first: Story, steps: readonly WorldSetup[]): Promise<Story> {
    let state = first
    for (const step of steps) state = await this.loadOther(state, step)
    return state
  }

  #sourceOf(current: Story): WorldSource {
    return this.#sources.get(current) ?? { scenario: this.#scenario, layers: [] }
  }

  #extend({ extend = [] }: Pick<WorldSource, 'extend'>): ExtensionSource[] {
    return [...(this.#options.extend ?? []), ...extend]
  }

  async #loadFrom({ scenario, seed, shippedOnly, ...source }: WorldSource): Promise<Story> {
    const { attack, benign } = source
    const deliveryFormat = source.deliveryFormat ?? this.#options.deliveryFormat
    const start = parseStart(source.start) ?? this.#common.start
    const hostile = attack === undefined ? undefined : choiceOf(attack, 'hostile')
    const under = hostile ?? (benign === undefined ? undefined : choiceOf(benign, 'benign'))
    const name = String(scenario)
    const like = this.#latest.get(name)
    const own = { seed, start, shippedOnly, extend: this.#extend(source), deliveryFormat, under, like }
    const story = await loadScenario(scenario, { ...this.#common, ...own })
    if (typeof scenario === 'string') this.#latest.set(name, story)
    return story
  }
}

/** Parses the start of a story. @throws ScenarioError */
export function parseStart(start: string | undefined): number | undefined {
  if (start === undefined) return undefined
  const instant = parseInstant(start)
  if (instant !== undefined) return instant
  const message = `"${start}" is not an ISO 8601 instant such as 2026-01-05T09:00:00Z.`
  throw new ScenarioError('invalid', 'options', [{ key: 'start', message }])
}

/** Returns the assumptions a simulator would start with, and who chose each. @throws ScenarioError, WorldError */
export function chosenAssumptions(
  scenario: string | ScenarioDefinition,
  assumptions: RequestedAssumptions,
  extend: readonly ExtensionSource[] = [],
): ReturnType<typeof loadAssumptions> {
  return loadAssumptions(scenario, requestedLayers(assumptions), { extend })
}

/** Returns the layers of assumptions above the scenario's: those of the environment, then those the program requests. */
export function requestedLayers(requested: RequestedAssumptions): AssumptionsLayer[] {
  const environment = { from: assumptionsVariable, input: environmentVariable(assumptionsVariable) }
  return [environment, ...layersOf(requested)]
}

function layersOf(requested: RequestedAssumptions): AssumptionsLayer[] {
  return [requested].flat().map((input): AssumptionsLayer => {
    if (typeof input === 'object' && 'from' in input) return input as AssumptionsLayer
    return { from: 'options', input: input as AssumptionsInput | undefined }
  })
}
