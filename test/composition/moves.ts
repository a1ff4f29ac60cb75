/** What is done to a world in the middle of its story, as the words of a session or of the story's chapters. */
export interface Move {
  readonly name: string
  /** `durable`: whether the world outlives its program. */
  words(durable: boolean): readonly Word[]
}

export type Word = 'past' | 'future' | Change

/** A change of a session; it goes on with the world that comes of it. */
export type Change = 'snapshot' | 'restore' | 'fork' | 'original' | 'reset' | 'restart'

/** After any of them, each chapter must be what it is in a story that nothing interrupts. */
export const moves: readonly Move[] = [
  { name: 'snapshot/restore', words: () => ['past', 'snapshot', 'future', 'restore', 'future'] },
  { name: 'fork', words: () => ['past', 'fork', 'past', 'future', 'original', 'future'] },
  { name: 'reset', words: () => ['past', 'reset', 'past', 'future'] },
  {
    name: 'restart',
    words: (durable) => (durable ? ['past', 'restart', 'future'] : ['past', 'restart', 'past', 'future']),
  },
]
