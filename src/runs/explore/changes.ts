import { type GapId, gapIds } from '../../contract/index.js'

/** Readings that differ from those that the command otherwise runs under, by gap. */
export type Changes = Readonly<Partial<Record<GapId, string>>>

/** One changed reading. */
export interface Change {
  readonly gap: GapId
  readonly reading: string
}

/** Sorts gaps as the register has them; those of extensions come last, by name. */
export function inRegisterOrder(gaps: readonly GapId[]): GapId[] {
  const documented = gapIds.filter((gap) => gaps.includes(gap))
  return [...documented, ...gaps.filter((gap) => !gapIds.includes(gap)).sort()]
}

/** Combines single changes; of several for one gap, the last one counts. */
export function combineChanges(changes: Iterable<Change>): Changes {
  const chosen = new Map([...changes].map(({ gap, reading }) => [gap, reading]))
  return Object.fromEntries(inRegisterOrder([...chosen.keys()]).map((gap) => [gap, chosen.get(gap)]))
}

/** Lists the single changes, in the order of the register. */
export function listChanges(changes: Changes): Change[] {
  return inRegisterOrder(Object.keys(changes) as GapId[]).flatMap((gap) => {
    const reading = changes[gap]
    return reading === undefined ? [] : [{ gap, reading }]
  })
}

/** Counts the changes. */
export function countChanges(changes: Changes): number {
  return Object.keys(changes).length
}

/**
 * Formats changes for people, in the form that `--readings` takes:
 * `threads.order=created-asc,threads.total=page-size`.
 */
export function formatChanges(changes: Changes): string {
  return listChanges(changes).map(formatChange).join(',')
}

/**
 * Formats changes for `MAILBOX_SIM_READINGS`, which simulators of all kinds read: those without the extension skip its
 * gaps.
 */
export function formatForEnvironment(changes: Changes): string {
  const choices = listChanges(changes).map(({ gap, reading }) => {
    return `${gap}${gapIds.includes(gap) ? '' : '?'}=${reading}`
  })
  return choices.join(',')
}

/** Formats a change in the form that `--reading` takes: `threads.total=page-size`. */
export function formatChange({ gap, reading }: Change): string {
  return `${gap}=${reading}`
}

/** Returns whether all of some changes are among others. */
export function isSubset(some: Changes, others: Changes): boolean {
  return listChanges(some).every(({ gap, reading }) => others[gap] === reading)
}
