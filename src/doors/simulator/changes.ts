import { type KnownChanges, knownChanges } from '../../service/world/changes.js'
import type { Simulator } from './simulator.js'

/** Returns what requests, or one of them, and entries of the timeline changed, with secrets masked. */
export function changesIn(simulator: Simulator, exchange?: number): KnownChanges {
  // Not in the parameters: a declaration would show the names of what is internal.
  const { paced, masker } = simulator
  return masker.content(knownChanges(paced.log, exchange))
}
