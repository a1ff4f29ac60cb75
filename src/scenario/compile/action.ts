import type { StoryAction } from '../../world/index.js'
import { keyOf, type Path, quoted } from '../problems/problem.js'
import type { Lookups, ThreadWanted } from '../resolve/lookups.js'
import type { KeyedThread, Occurrence } from '../resolve/names.js'
import type { Agent } from '../resolve/parts.js'
import type { Compilation } from './compilation.js'
import type { Place } from './texts.js'

/** What one happening of an entry of the timeline does. */
export type Happening = Omit<StoryAction, 'name'>

/** What an entry does, with everything found that it refers to. */
export interface ResolvedAction {
  /** Compiles one happening; `place` names its streams, `turn` counts repetitions from 0. */
  readonly compile: (compilation: Compilation, place: Place, turn: number) => Happening | Promise<Happening>
}

/** Where an action stands, and what finds the things it refers to. */
export interface ActionContext {
  readonly lookups: Lookups
  readonly occurrence: Occurrence
  readonly path: Path
}

/** The agent that a key of an action names, where it is there. */
export function agentOf(
  { lookups, path }: ActionContext,
  handle: string | undefined,
  key: string,
): Agent | undefined | 'unknown' {
  const found = lookups.agent(handle, [...path, key])
  return handle !== undefined && !found ? 'unknown' : found
}

export function threadOf(context: ActionContext, wanted: ThreadWanted): KeyedThread | undefined {
  const path = [...context.path, 'thread']
  const thread = context.lookups.thread(wanted, path)
  checkNotLater(context, thread?.begunBy, `the thread ${quoted(wanted.key)} begins`, path)
  return thread
}

/** Adds a problem for something that does not happen before this entry does. */
export function checkNotLater(
  { lookups, occurrence }: ActionContext,
  cause: Occurrence | undefined,
  what: string,
  path: Path,
): void {
  if (!cause || cause.offset <= occurrence.offset) return
  const { after, at, when } = cause.entry
  const then = after === undefined ? `at ${at}` : `${after} after the start`
  lookups.problem(
    path,
    `${what} later, ${when ? 'when something else happens' : then}, with ${keyOf(cause.path)}`,
  )
}
