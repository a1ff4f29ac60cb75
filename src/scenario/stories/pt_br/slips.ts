import { mixNumber } from '../../../world/random.js'
import { variant } from '../letters/variant.js'

// Half of them are no mistakes but the way people type on telephones.
const SLIPS: readonly (readonly [right: string, wrong: string])[] = [
  [' não ', ' nao '],
  [' você', ' vc'],
  [' também', ' tb'],
  [' porque ', ' pq '],
  [' está ', ' esta '],
  [' até ', ' ate '],
  [' que ', ' q '],
  [' já ', ' ja '],
  [' mais ', ' mas '],
  [' para ', ' pra '],
  ['ção', 'çao'],
  ['pedido', 'peiddo'],
]

/** One person in five types carelessly. */
const CARELESS = 5

// Far from every message's index, so that the choices of wording and of slip are independent.
const HABIT = 9001

/** Leaves one typing mistake in the words of people who make them; always the same for a voice and turn. */
export function withSlip(words: string, voice: number, turn: number): string {
  if (mixNumber(HABIT, voice) % CARELESS !== 0) return words
  const [right, wrong] = variant(SLIPS, voice, HABIT + turn)
  const at = words.indexOf(right)
  return at < 0 ? words : words.slice(0, at) + wrong + words.slice(at + right.length)
}
