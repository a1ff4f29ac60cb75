import { mixNumber } from '../../../world/random.js'

/**
 * Chooses one of several wordings by a thread's voice and a turn in it.
 *
 * The choice needs no stream, so a reply can quote an earlier message without having its stream.
 */
export function variant<T>(wordings: readonly T[], voice: number, turn: number): T {
  return wordings[mixNumber(turn, voice) % wordings.length] as T
}
