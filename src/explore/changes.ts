import { type GapId, gapIds } from '../contract/gaps.js'

/** Readings that differ from those a command is otherwise run under, by gap. */
export type Changes = Readonly<Partial<Record<GapId, string>>>

/** One of them. */
export interface Change {
  readonly gap: GapId
  readonly reading: string
}

/** Changes made of single ones; of several for one gap, the last counts. */
export function changesOf(changes: Iterable<Change>): Changes {
  const chosen = new Map([...changes].map(({ gap, reading }) => [gap, reading]))
  const inOrder = gapIds.filter((gap) => chosen.has(gap))
  return Object.fromEntries(inOrder.map((gap) => [gap, chosen.get(gap)]))
}

/** The single changes, in the order of the register. */
export function listChanges(changes: Changes): Change[] {
  return gapIds.flatMap((gap) => {
    const reading = changes[gap]
    return reading === undefined ? [] : [{ gap, reading }]
  })
}

/** How many there are. */
export function countChanges(changes: Changes): number {
  return Object.keys(changes).length
}

/** `threads.order=created-asc,threads.total=page-size`, as `MAILBOX_SIM_READINGS` takes it; the same for equal ones. */
export function formatChanges(changes: Changes): string {
  return listChanges(changes).map(formatChange).join(',')
}

/** `threads.total=page-size`, as `--reading` takes it. */
export function formatChange({ gap, reading }: Change): string {
  return `${gap}=${reading}`
}

/** Whether every one of some changes is among others. */
export function within(some: Changes, others: Changes): boolean {
  return listChanges(some).every(({ gap, reading }) => others[gap] === reading)
}

/** Changes without that of one gap. */
export function without(changes: Changes, gap: GapId): Changes {
  return changesOf(listChanges(changes).filter((change) => change.gap !== gap))
}
