/** Begins words with a capital, where they stand at the beginning of a sentence. */
export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
