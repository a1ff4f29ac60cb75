/** A text nothing else has, on any machine: for marks on what is outside of every simulated world. */
export function uniqueMark(): string {
  return globalThis.crypto.randomUUID()
}
