/** Returns a text in one line, of at most 40 characters, for messages that show what somebody wrote. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 1000)
    .trim()
    .replace(/[\s\p{C}]+/gu, ' ')
  const letters = [...line]
  return letters.length <= 40 ? line : `${letters.slice(0, 39).join('')}…`
}
