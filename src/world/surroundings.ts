import type { MailboxStore } from '../model/index.js'

/** What a world has to do with others beside it. */
export interface Surroundings {
  /** Keys of others that must not be shown either. */
  readonly furtherKeys: () => Iterable<string>
  /** Told where somebody who listens to the feed throws. */
  readonly onDefect: (error: unknown) => void
}

/** A world alone: what goes wrong while somebody listens is thrown on, past everything. */
export const noSurroundings: Surroundings = {
  furtherKeys: () => [],
  onDefect(error) {
    queueMicrotask(() => {
      throw error
    })
  },
}

/** The API keys that a world's organizations list. */
export function keysOf(store: MailboxStore): string[] {
  return [...store.all('organization')].flatMap(({ api_keys }) => api_keys)
}
