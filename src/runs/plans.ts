import type { Story } from '../story/story.js'
import type { CommandAgent } from './agent/command-life.js'
import type { PlayOptions, PlayWatcher } from './agent/options.js'
import { type LocalReceiver, localReceivers, toldPorts } from './agent/receivers.js'
import { RunError } from './errors.js'

/** How plans are run: each says what is played, and `play` plays it. */
interface RunPlansOptions<Plan, Result> {
  /** Plays a plan; returns what is kept of it. An aborted signal interrupts it. */
  readonly play: (plan: Plan, signal: AbortSignal) => Promise<Result>
  /** The number of plays at a time, or what returns it after the first play; one by default. */
  readonly jobs?: number | (() => number) | undefined
  /** Returns whether no more plans are needed, after each result; the other plays are then interrupted. */
  readonly isEnough?: ((results: readonly Result[]) => boolean) | undefined
  /** Returns whether another plan may begin; those that have begun are played to their end. */
  readonly mayBegin?: (() => boolean) | undefined
  /** Interrupts the plays; those that are left do not begin. */
  readonly signal?: AbortSignal | undefined
  readonly watcher?: PlansWatcher<Plan, Result> | undefined
}

/** Observes the progress of plans. */
export interface PlansWatcher<Plan, Result> {
  /** Plans that are about to be played. */
  planned?(plans: readonly Plan[]): void
  started?(plan: Plan): void
  /** Returns the observer of the play of a plan. */
  of?(plan: Plan): PlayWatcher
  ended?(result: Result, plan: Plan): void
  /** A note for the user. */
  noted?(note: string): void
}

/** A plan that was played, with its result. */
interface PlayedPlan<Plan, Result> {
  readonly plan: Plan
  readonly result: Result
}

/**
 * Plays plans, several at a time, and returns those that were played, in their order; the list may grow meanwhile. After an error of one, the others
 * are interrupted, and awaited before it is thrown.
 */
export async function runPlans<Plan, Result>(
  plans: readonly Plan[],
  { play, jobs = 1, isEnough, mayBegin, signal, watcher }: RunPlansOptions<Plan, Result>,
): Promise<PlayedPlan<Plan, Result>[]> {
  const stop = new AbortController()
  const over = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])])
  const played: PlayedPlan<Plan, Result>[] = []
  const all: Result[] = []
  watcher?.planned?.(plans)
  let next = 0
  /** Plays the next plan; returns whether there was one. */
  const playNext = async (): Promise<boolean> => {
    const place = next
    const plan = plans[place]
    if (plan === undefined || over.aborted || mayBegin?.() === false) return false
    next++
    try {
      watcher?.started?.(plan)
      // A new signal, since each play adds its own listeners.
      const result = await play(plan, AbortSignal.any([over]))
      played[place] = { plan, result }
      all.push(result)
      watcher?.ended?.(result, plan)
      if (isEnough?.(all)) stop.abort()
      return true
    } catch (error) {
      stop.abort()
      if (error instanceof RunError && error.code === 'interrupted') return false
      throw error
    }
  }
  const work = async (): Promise<void> => {
    while (await playNext());
  }
  if (typeof jobs === 'function') await playNext()
  const count = typeof jobs === 'function' ? jobs() : jobs
  const ends = await Promise.allSettled(Array.from({ length: count }, work))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
  return played.filter((one) => one !== undefined)
}

/** What limits how many plays there are at a time. */
interface JobsFacts {
  /** The wanted number. */
  readonly jobs: number
  readonly options: Pick<PlayOptions, 'ready' | 'port'> & Pick<CommandAgent, 'variables'>
  readonly story: Story
  /** Returns, after the first play, whether the agent listens. */
  readonly listens: () => boolean
  /** Gets a note if there are fewer than wanted. */
  readonly watcher?: { noted?(note: string): void } | undefined
}

/**
 * Returns how many plays of a story there are at a time, or what returns it after the first: one where they would share an address,
 * unless the agent is told another one by a placeholder such as `{port:8787}`.
 */
export function jobsFor({ jobs, options, story, listens, watcher }: JobsFacts): number | (() => number) {
  if (jobs === 1) return 1
  const { ready, port = 0, variables } = options
  const ports = toldPorts(variables)
  const isFixed = (one: LocalReceiver): boolean => !ports.includes(one.port)
  const limitedBy = (place: string): number => {
    watcher?.noted?.(`They are played one at a time, since only one at a time can have ${place}.`)
    return 1
  }
  const [readyAt] = ready === undefined ? [] : localReceivers([{ url: ready }])
  if (ready !== undefined && (!readyAt || isFixed(readyAt))) return limitedBy(ready)
  if (port > 0) return limitedBy(`port ${port}`)
  const receiver = localReceivers(story.base.database.all('webhook')).find(isFixed)
  return receiver ? () => (listens() ? limitedBy(`${receiver.host}:${receiver.port}`) : jobs) : jobs
}
