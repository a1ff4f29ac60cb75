import type { Beginning, ReadingsLayer } from '../world/index.js'
import type { OnProgress } from './building/progress.js'
import type { NoteFile } from './source/files.js'

/** What a scenario comes to: the same for the same text and seed, whatever readings anybody else wants. */
export type LoadedScenario = Omit<Beginning, 'readings' | 'origins' | 'fingerprint'>

/** A scenario that was found and whose format is fine; its mailboxes are still to come. */
export interface OpenedScenario {
  /** The readings it brings itself; none where something is wrong with them. */
  readonly layers: readonly ReadingsLayer[]
  /** Refuses wrong readings of its own. @throws ScenarioError with every one */
  checkReadings(): void
  /** Fills its mailboxes, and compiles its story. @throws ScenarioError with every problem in it */
  load(onProgress?: OnProgress): Promise<LoadedScenario>
}

/** What may stand in for what a scenario says of itself, and who is told of its files. */
export interface OpenOptions {
  /** Stands in for the scenario's own. */
  readonly seed: number | undefined
  readonly note: NoteFile
  /** Whether it comes from somebody who may not read this machine, and may name nothing but what ships. */
  readonly confined: boolean
}
