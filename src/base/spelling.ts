/** The spelling alphabet of radio, by letter. */
const alphabet =
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra ' +
  'tango uniform victor whiskey xray yankee zulu'
const digits = 'zero one two three four five six seven eight nine'
const names = new Map([
  ...alphabet.split(' ').map((word): [string, string] => [word.charAt(0), word]),
  ...digits.split(' ').map((word, digit): [string, string] => [String(digit), word]),
  ['-', 'dash'],
  ['_', 'underscore'],
  [' ', 'space'],
])

/** Spells a text in words, separated by commas: `K7` is `kilo, seven`. Small letters beside capital ones are called small. */
export function spell(text: string): string {
  const isMixed = text !== text.toUpperCase() && text !== text.toLowerCase()
  const spelled = [...text].map((letter) => {
    const word = names.get(letter.toLowerCase()) ?? letter
    return isMixed && letter !== letter.toUpperCase() ? `small ${word}` : word
  })
  return spelled.join(', ')
}
