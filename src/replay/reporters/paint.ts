/** Marks up text for people. */
export interface Paint {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
}

/** Leaves text as it is. */
export const plain: Paint = {
  strong: (text) => text,
  faint: (text) => text,
  good: (text) => text,
  bad: (text) => text,
}
