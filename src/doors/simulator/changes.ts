import { type KnownChanges, knownChanges } from '../../service/world/index.js'
import type { Simulator } from './simulator.js'

/** Returns what requests, or one of them, and entries of the timeline changed, with secrets masked. */
export function changesIn({ paced, masker }: Simulator, exchange?: number): KnownChanges {
  return masker.content(knownChanges(paced, exchange))
}
