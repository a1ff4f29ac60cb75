import type { Pace, PacedPlay } from './pace.js'
import { WallPace } from './wall-pace.js'

/** Returns what lets the time of a play pass, by its clock mode. */
export function createPace(play: PacedPlay): Pace {
  return new WallPace(play)
}
