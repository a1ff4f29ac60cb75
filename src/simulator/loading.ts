import { loadReadings, loadScenario, type OnProgress, type ScenarioDefinition } from '../scenario/index.js'
import type { Beginning, ReadingsLayer } from '../world/index.js'
import { type WantedReadings, wantedLayers } from './wanted-readings.js'

/** What a simulator is loaded from. */
export interface LoadingOptions {
  readonly scenario?: string | ScenarioDefinition | undefined
  readonly seed?: number | undefined
  readonly readings?: WantedReadings
  readonly onProgress?: OnProgress | undefined
}

/** Another story for a world of its own; what is left out is as the simulator has it. */
export interface OtherStory {
  readonly scenario?: string | ScenarioDefinition | undefined
  readonly seed?: number | undefined
  /** Count for more than those the simulator was started with. */
  readonly readings?: WantedReadings
}

/** Loads a simulator's scenario, as often as it is wanted, and knows which files it is made of. */
export class Loading {
  readonly #scenario: string | ScenarioDefinition
  readonly #seed: number | undefined
  readonly #readings: readonly ReadingsLayer[]
  readonly #onProgress: OnProgress | undefined
  #files: readonly URL[] = []

  constructor({ scenario = 'support-desk', seed, readings, onProgress }: LoadingOptions) {
    this.#scenario = scenario
    this.#seed = seed
    this.#readings = wantedLayers(readings)
    this.#onProgress = onProgress
  }

  /** The files the scenario was made of when it was last loaded, or would have been where that failed. */
  get files(): readonly URL[] {
    return this.#files
  }

  /** The scenario as its files are now. @throws ScenarioError, ReadingError */
  async load(): Promise<Beginning> {
    const before = this.#files
    const read: URL[] = []
    const onFile = (file: URL): void => void read.push(file)
    try {
      return await loadScenario(this.#scenario, { ...this.#options(), onFile, onProgress: this.#onProgress })
    } catch (error) {
      read.push(...before.filter(({ href }) => read.every((file) => file.href !== href)))
      throw error
    } finally {
      this.#files = read
    }
  }

  /** Another story; one that differs in its readings alone shares what has been loaded. @throws as `load` */
  async loadOther(present: Beginning, { scenario, seed, readings }: OtherStory): Promise<Beginning> {
    const layers = [...this.#readings, ...wantedLayers(readings).slice(1)]
    const sameSeed = seed === undefined || seed === present.seed
    if (scenario === undefined && sameSeed) {
      return { ...present, ...(await loadReadings(this.#scenario, layers)) }
    }
    return loadScenario(scenario ?? this.#scenario, { seed: seed ?? this.#seed, readings: layers })
  }

  #options() {
    return { seed: this.#seed, readings: this.#readings }
  }
}
