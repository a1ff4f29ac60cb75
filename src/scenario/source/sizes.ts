/** The most a scenario's own file may have, in bytes. */
export const maxScenarioBytes = 10 * 1024 * 1024

/** The most an attachment or an `.eml` file may have, in bytes. */
export const maxMailFileBytes = 25 * 1024 * 1024

/** A size as people read it, rounded up so that one above a limit never reads like the limit: `10.1 MiB`. */
export function formatSize(bytes: number): string {
  return `${Math.ceil((bytes / (1024 * 1024)) * 10) / 10} MiB`
}

/** The most messages that the mailboxes of a scenario may generate in all. */
export const maxGeneratedMessages = 5_000_000

/** The most that may happen in a timeline, counting repetitions. */
export const maxHappenings = 100_000
