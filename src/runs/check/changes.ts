import { type GapId, gapIds } from '../../contract/gaps.js'

/** Assumptions that differ from those that the command otherwise runs under, by gap. */
export type Changes = Readonly<Partial<Record<GapId, string>>>

/** One changed assumption. */
export interface Change {
  readonly gap: GapId
  readonly assumption: string
}

/** Sorts gaps as the register has them; those of extensions come last, by name. */
export function inRegisterOrder(gaps: readonly GapId[]): GapId[] {
  const documented = gapIds.filter((gap) => gaps.includes(gap))
  return [...documented, ...gaps.filter((gap) => !gapIds.includes(gap)).sort()]
}

/** Combines single changes; of several for one gap, the last one counts. */
export function combineChanges(changes: Iterable<Change>): Changes {
  const chosen = new Map([...changes].map(({ gap, assumption }) => [gap, assumption]))
  return Object.fromEntries(inRegisterOrder([...chosen.keys()]).map((gap) => [gap, chosen.get(gap)]))
}

/** Lists the single changes, in the order of the register. */
export function listChanges(changes: Changes): Change[] {
  return inRegisterOrder(Object.keys(changes) as GapId[]).flatMap((gap) => {
    const assumption = changes[gap]
    return assumption === undefined ? [] : [{ gap, assumption }]
  })
}

/** Counts the changes. */
export function countChanges(changes: Changes): number {
  return Object.keys(changes).length
}

/**
 * Formats changes for people, in the form that `--assume` takes:
 * `threads.order=created-asc,threads.total=page-size`.
 */
export function formatChanges(changes: Changes): string {
  return listChanges(changes).map(formatChange).join(',')
}

/**
 * Formats changes for `MAILBOX_SIM_ASSUME`, which simulators of all kinds read: those without the extension skip its
 * gaps.
 */
export function formatForEnvironment(changes: Changes): string {
  const choices = listChanges(changes).map(({ gap, assumption }) => {
    return `${gap}${gapIds.includes(gap) ? '' : '?'}=${assumption}`
  })
  return choices.join(',')
}

/** Formats a change in the form that `--assume` takes: `threads.total=page-size`. */
export function formatChange({ gap, assumption }: Change): string {
  return `${gap}=${assumption}`
}

/** Returns whether all of some changes are among others. */
export function isSubset(some: Changes, others: Changes): boolean {
  return listChanges(some).every(({ gap, assumption }) => others[gap] === assumption)
}
