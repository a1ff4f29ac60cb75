const DIGIT = /\d/g
const EASTERN = '٠١٢٣٤٥٦٧٨٩'

/** Writes the digits as they are written east of Libya in everyday text, e.g. `٤٢` for `42`. */
export function easternDigits(text: string): string {
  return text.replace(DIGIT, (digit) => EASTERN.charAt(Number(digit)))
}
