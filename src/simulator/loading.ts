import type { Base } from '../model/index.js'
import { addReadings, loadScenario, type OnProgress, type ScenarioDefinition } from '../scenario/index.js'
import type { Beginning, ClockMode, ReadingsLayer } from '../world/index.js'
import { SharedStories, type Source } from './shared-stories.js'
import { type WantedReadings, wantedLayers } from './wanted-readings.js'

/** What a simulator is loaded from. */
export interface LoadingOptions {
  readonly scenario?: string | ScenarioDefinition | undefined
  readonly seed?: number | undefined
  readonly readings?: WantedReadings
  readonly onProgress?: OnProgress | undefined
  /** The scenario as it was loaded already; its mail is shared, and `readings` are put on its own. */
  readonly beginning?: Beginning | undefined
}

/** Another story for a world of its own; what is left out is as the world it is made from has it. */
export interface OtherStory {
  readonly scenario?: string | ScenarioDefinition | undefined
  readonly seed?: number | undefined
  /** Count for more than those that world began with. */
  readonly readings?: WantedReadings
  /** How its time passes. */
  readonly clock?: ClockMode | undefined
  /** Whether it comes from somebody who may not read this machine: then it names nothing but what ships. */
  readonly shippedOnly?: boolean | undefined
}

/** Loads a simulator's scenario, as often as it is wanted, and knows which files it is made of. */
export class Loading {
  readonly #scenario: string | ScenarioDefinition
  readonly #seed: number | undefined
  readonly #readings: readonly ReadingsLayer[]
  readonly #onProgress: OnProgress | undefined
  readonly #beginning: Beginning | undefined
  readonly #sources = new WeakMap<Base, Source>()
  readonly #shared = new SharedStories((source, seed) => this.#loadFrom(source, seed))
  #files: readonly URL[] = []

  constructor({ scenario = 'support-desk', seed, readings, onProgress, beginning }: LoadingOptions) {
    this.#scenario = scenario
    this.#seed = seed
    this.#readings = wantedLayers(readings)
    this.#onProgress = onProgress
    this.#beginning = beginning
  }

  /** The files the scenario was made of when it was last loaded, or would have been where that failed. */
  get files(): readonly URL[] {
    return this.#files
  }

  /** The scenario as it was given, or else as its files are now. @throws ScenarioError, ReadingError */
  async begin(): Promise<Beginning> {
    const given = this.#beginning
    return given ? { ...given, ...(await addReadings(given, this.#readings)) } : this.load()
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

  /** Another story; it shares what has been loaded wherever that is the same. @throws as `load` */
  async loadOther(
    present: Beginning,
    { scenario, seed, readings, shippedOnly }: OtherStory,
  ): Promise<Beginning> {
    const wanted = wantedLayers(readings).slice(1)
    const own = scenario === undefined
    if (own && (seed === undefined || seed === present.seed)) {
      return { ...present, ...(await addReadings(present, wanted)) }
    }
    const source = own ? this.#sourceOf(present) : { scenario, shippedOnly }
    const loaded = await this.#shared.get(source, seed ?? this.#seed)
    return { ...loaded, ...(await addReadings(loaded, wanted)) }
  }

  #sourceOf({ base }: Beginning): Source {
    return this.#sources.get(base) ?? { scenario: this.#scenario }
  }

  async #loadFrom(source: Source, seed: number | undefined): Promise<Beginning> {
    const { scenario, shippedOnly } = source
    const beginning = await loadScenario(scenario, { seed, readings: this.#readings, shippedOnly })
    this.#sources.set(beginning.base, source)
    return beginning
  }

  #options() {
    return { seed: this.#seed, readings: this.#readings }
  }
}
