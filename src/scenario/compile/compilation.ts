import type { Extensions } from '../../contract/extensions.js'
import type { BaseBuilder, Body, ModelName, Rows, Unplaced } from '../../model/index.js'
import { type AddressedMail, idOf, type StoryAction, yieldToEventLoop } from '../../world/index.js'
import type { Scenario } from '../format/index.js'
import type { OwnKinds } from '../letters/own-kinds.js'
import { MovedBaseBuilder } from '../moved-base.js'
import type { Path } from '../problems/problem.js'
import type { Enclosed } from '../resolve/enclosures.js'
import type { Lookups } from '../resolve/lookups.js'
import type { KeyedThread, Names, Occurrence } from '../resolve/names.js'
import { instantOf } from '../resolve/organizations.js'
import type { Agent, Place } from '../resolve/parts.js'
import type { ScenarioFiles } from '../source/files.js'
import { Texts } from './texts.js'

/** The progress of loading a scenario. */
export interface LoadProgress {
  /** Messages loaded so far. */
  readonly messages: number
  /** Messages in total: an estimate while threads are still to be loaded, exact once all are loaded. */
  readonly of: number
}

/** Is told how far loading is. */
export type OnProgress = (progress: LoadProgress) => void

/** What a scenario is compiled from, besides itself. */
export interface CompilationInput {
  readonly scenario: Scenario
  readonly seed: number
  /** The instant the story begins by the scenario. */
  readonly begins: number
  /** The instant its rows are to begin at; the same when it is left out. */
  readonly start?: number | undefined
  readonly files: ScenarioFiles
  readonly extensions: Extensions
  readonly names: Names
  /** What the files hold that the scenario names, by the message, the mail of an entry, or the identity. */
  readonly enclosed: ReadonlyMap<object, Enclosed>
  /** The kinds of mail of its own, by language. */
  readonly ownKinds: OwnKinds
  /** Whether it is compiled only to find what its templates give wrong: without rows and repetitions. */
  readonly isRefused: boolean
  readonly onProgress?: OnProgress | undefined
}

/** Composes the body of a message of one mailbox, named by their numbers. */
export type ComposeBody = (thread: number, message: number) => Body

/** So few that a terminal follows (about 50 ms), so many that pausing costs nothing. */
const messagesPerTurn = 5_000

/** Returns what counts generated threads; it tells how far loading is, and lets others have a turn now and then. */
function createMeter(agents: readonly Agent[], builder: BaseBuilder, onProgress: OnProgress | undefined) {
  const threads = agents.reduce((sum, { identity }) => sum + (identity.generate?.threads ?? 0), 0)
  let threadsDone = 0
  let nextTurn = messagesPerTurn
  return {
    /** Counts a generated thread; when it is time for a turn of the others, gives what to wait for. */
    threadDone(): Promise<void> | undefined {
      threadsDone++
      const messages = builder.count('message')
      if (messages < nextTurn) return undefined
      nextTurn = messages + messagesPerTurn
      onProgress?.({ messages, of: Math.round((messages * threads) / threadsDone) })
      return yieldToEventLoop()
    },
    allDone(): void {
      const messages = builder.count('message')
      onProgress?.({ messages, of: messages })
    },
  }
}

/** What the parts of a scenario are compiled with, and what they came to so far. */
export type Compilation = ReturnType<typeof createCompilation>

/** Begins to compile a scenario. */
export function createCompilation(input: CompilationInput) {
  const { seed, begins, start = begins, names, isRefused } = input
  const builder = new MovedBaseBuilder(seed, start - begins)
  const texts = new Texts(seed, begins)
  const writers = new Map<string, string>()
  return {
    ...input,
    start: begins,
    builder,
    texts,
    meter: createMeter(names.agents, builder, input.onProgress),
    /** What composes the bodies of the generated mailboxes, in their order. */
    composers: [] as ComposeBody[],
    /** Mail that agents send, by the ids of its messages. */
    sent: new Map<string, AddressedMail>(),
    /** Who wrote last from outside in the threads that have keys, by their ids. */
    writers,
    /** Messages that were read when they were filed, by their ids. */
    seen: new Set<string>(),
    /** Adds a row; a scenario that is refused has none. */
    add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
      return isRefused ? ({ ...row, ordinal: 0 } as Rows[M]) : builder.add(model, row)
    },
    id(kind: Parameters<typeof idOf>[0], name: string): string {
      return idOf(kind, seed, name)
    },
    /** The instant of `-2d` or of an ISO 8601 text. */
    instant(moment: string): number {
      return instantOf(moment, begins) as number
    },
    /** Who writes from outside in a thread: `Ann <ann@example.com>`. */
    async outsideOf({ id, name, owner }: KeyedThread): Promise<string> {
      return writers.get(id) ?? texts.somebody(name, owner.locale)
    },
  }
}

/** Where an action stands, and what finds the things it refers to. */
export interface ActionContext {
  readonly lookups: Lookups
  readonly occurrence: Occurrence
  readonly path: Path
}

/** What one happening of an entry of the timeline does. */
export type Happening = Omit<StoryAction, 'name'>

/**
 * Compiles one happening of an entry, everything found that it refers to; `place` names its streams, `turn` counts
 * repetitions from 0.
 */
export type CompileAction = (
  compilation: Compilation,
  place: Place,
  turn: number,
) => Happening | Promise<Happening>
