import type { BaseBuilder, Body } from '../../service/model/base.js'
import type { ModelName, Rows, Unplaced } from '../../service/model/rows.js'
import type { AddressedMail } from '../../service/rendering/header-fields.js'
import { idOf } from '../../service/time/random.js'
import { yieldToEventLoop } from '../../service/time/wall-time.js'
import { instantOf } from '../format/values.js'
import type { ScenarioFiles } from '../read/files.js'
import type { Enclosed } from './enclosures.js'
import type { Letter } from './forms.js'
import { MovedBaseBuilder } from './moved-base.js'
import type { KeyedThread, Names } from './names.js'
import type { Agent } from './parts.js'
import { Texts } from './texts.js'
import { createWordings, type OwnKinds } from './wording.js'

/** The progress of loading a scenario. */
export interface LoadProgress {
  /** Messages loaded so far. */
  readonly messages: number
  /** Messages in total: an estimate while threads are still to be loaded, exact once all are loaded. */
  readonly of: number
}

/** Called with the progress of loading. */
export type OnProgress = (progress: LoadProgress) => void

/** What the timeline has to know of the mail that was there before it. */
export interface Correspondence {
  /** The messages that agents sent, by id. */
  readonly sent: ReadonlyMap<string, AddressedMail>
  /** The latest outside sender in threads that have keys, by thread id. */
  readonly writers: ReadonlyMap<string, string>
  /** The latest message of each thread, by its id, for messages that quote it. */
  readonly latest: ReadonlyMap<string, Letter & { readonly instant: number }>
}

/** The input of a compilation. */
export interface CompilationInput {
  /** The language of the scenario. */
  readonly locale: string
  readonly seed: number
  /** When the story begins according to the scenario. */
  readonly begins: number
  /** When the rows should begin; defaults to `begins`. */
  readonly start?: number | undefined
  readonly files: ScenarioFiles
  readonly names: Names
  /** The contents of the files that the scenario names, by message or mail of an entry. */
  readonly enclosed: ReadonlyMap<object, Enclosed>
  /** The scenario's own kinds of mail, by locale. */
  readonly ownKinds: OwnKinds
  /** Whether it has problems and is compiled only to check its templates, without rows and repetitions. */
  readonly isRefused: boolean
  readonly onProgress?: OnProgress | undefined
  /** That of mailboxes that were compiled before; they are not compiled again. */
  readonly kept?: Correspondence | undefined
}

/** Composes the body of a message of one mailbox, given the numbers of thread and message. */
export type ComposeBody = (thread: number, message: number) => Body

/** Few enough for a smooth progress display (about 50 ms), and many enough that pauses cost nothing. */
const messagesPerTurn = 5_000

/** Counts generated threads, reports the progress, and lets other tasks run now and then. */
function createMeter(agents: readonly Agent[], builder: BaseBuilder, onProgress: OnProgress | undefined) {
  const threads = agents.reduce((sum, { identity }) => sum + (identity.generate?.threads ?? 0), 0)
  let threadsDone = 0
  let nextTurn = messagesPerTurn
  return {
    /** Counts a generated thread; returns a promise to wait for when other tasks should run. */
    threadDone(): Promise<void> | undefined {
      threadsDone++
      const messages = builder.count('message')
      if (messages < nextTurn) return undefined
      nextTurn = messages + messagesPerTurn
      onProgress?.({ messages, of: Math.round((messages * threads) / threadsDone) })
      return yieldToEventLoop()
    },
  }
}

/** The state of a compilation: its input, and the results so far. */
export type Compilation = ReturnType<typeof createCompilation>

/** Creates the state of a compilation. */
export function createCompilation(input: CompilationInput) {
  const { seed, begins, start = begins, names, isRefused } = input
  const builder = new MovedBaseBuilder(seed, start - begins)
  const texts = new Texts(seed, createWordings(seed, begins))
  const writers = new Map(input.kept?.writers)
  return {
    ...input,
    /** Input that is valid but probably not intended. */
    warnings: [] as string[],
    start: begins,
    builder,
    texts,
    meter: createMeter(names.agents, builder, input.onProgress),
    /** Functions that compose the bodies of the generated mailboxes, in order. */
    composers: [] as ComposeBody[],
    sent: new Map(input.kept?.sent),
    writers,
    latest: new Map(input.kept?.latest),
    /** Ids of messages that were marked read in their folder. */
    seen: new Set<string>(),
    /** Adds a row, unless the scenario has problems. */
    add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
      return isRefused ? ({ ...row, ordinal: 0 } as Rows[M]) : builder.add(model, row)
    },
    id(kind: Parameters<typeof idOf>[0], name: string): string {
      return idOf(kind, seed, name)
    },
    /** Resolves `-2d` or an ISO 8601 text to an instant. */
    instant(moment: string): number {
      return instantOf(moment, begins) as number
    },
    /** Returns the outside sender of a thread: `Ann <ann@example.com>`. */
    async outsideOf({ id, name, owner }: KeyedThread): Promise<string> {
      return writers.get(id) ?? texts.somebody(name, owner.locale)
    },
  }
}
