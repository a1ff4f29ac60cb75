import type { Path } from '../../base/mistake.js'
import type { z } from '../../base/schema.js'
import type { CompiledEntry } from '../../service/world/story-entry.js'
import type { Compilation } from '../compile/compilation.js'
import type { Lookups, ResolvedEntry } from '../compile/names.js'
import type { Place } from '../compile/parts.js'
import type { EntryFrame } from '../format/entry.js'
import type { ScenarioMessage } from '../format/mailbox.js'

/**
 * A thing that can happen in a story: what its key accepts, what that refers to, and what it does to the world.
 * `actions` lists all of them; the format, its documents, the resolver, the compiler and the checks follow the list.
 */
export interface Action<Schema extends z.ZodType = z.ZodType> {
  /** What happens, for the documentation of the format. */
  readonly describe: string
  readonly schema: Schema
  /** Whether it causes an event, whose deliveries `event_delay` delays. */
  readonly hasEvent?: true
  /** Whether it may be repeated when an entry waits for a client. */
  readonly repeatsAtOnce?: true
  /** Returns a problem that its schema does not express. */
  problemWith?(action: z.output<Schema>, entry: EntryFrame): string | undefined
  /** Returns the message that it brings, which other parts of the file may name. */
  mail?(action: z.output<Schema>): ActionMail
  /** Resolves what it refers to; undefined if something is not found, which is a problem of the lookups. */
  resolve(context: ActionContext, action: z.output<Schema>): CompileAction | undefined
}

/** Defines an action; infers the type of its value from its schema. */
export function defineAction<Schema extends z.ZodType>(action: Action<Schema>): Action<Schema> {
  return action
}

/** A message that an action brings. */
interface ActionMail {
  /** The value of the action, or the part of it that is the message. */
  readonly content: Pick<ScenarioMessage, 'key' | 'subject' | 'eml' | 'attachments'> & {
    readonly thread?: string | undefined
  }
  /** The handles or addresses of the agents that it states. */
  readonly agents: readonly string[]
  /** Whether an agent sends it. */
  readonly isSent: boolean
}

/** The place of an action, and the lookups for what it refers to. */
export interface ActionContext {
  readonly lookups: Lookups
  readonly resolvedEntry: ResolvedEntry
  readonly path: Path
}

/** What an entry of the timeline does in one repetition. */
export type CompiledAction = Omit<CompiledEntry, 'name'>

/**
 * Compiles one repetition of an entry whose references are resolved; `place` names its streams, `turn` counts
 * repetitions from 0.
 */
export type CompileAction = (
  compilation: Compilation,
  place: Place,
  turn: number,
) => CompiledAction | Promise<CompiledAction>
