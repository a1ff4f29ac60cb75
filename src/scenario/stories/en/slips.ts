import { mixNumber } from '../../../world/random.js'
import { variant } from '../letters/variant.js'

const SLIPS: readonly (readonly [right: string, wrong: string])[] = [
  ['receive', 'recieve'],
  ['because', 'becuase'],
  ['definitely', 'definately'],
  ['address', 'adress'],
  ['separate', 'seperate'],
  ['tomorrow', 'tommorow'],
  ['until', 'untill'],
  [' the ', ' teh '],
  [' and ', ' adn '],
  ["don't", 'dont'],
  ["I'm", 'Im'],
  [' with ', ' wiht '],
  ['just', 'jsut'],
  [' your ', ' you '],
]

/** One person in six types carelessly. */
const CARELESS = 6

// Far from every message's index, so that the choices of wording and of slip are independent.
const HABIT = 9001

/** Leaves one typing mistake in the words of people who make them; always the same for a voice and turn. */
export function withSlip(words: string, voice: number, turn: number): string {
  if (mixNumber(HABIT, voice) % CARELESS !== 0) return words
  const [right, wrong] = variant(SLIPS, voice, HABIT + turn)
  const at = words.indexOf(right)
  return at < 0 ? words : words.slice(0, at) + wrong + words.slice(at + right.length)
}
