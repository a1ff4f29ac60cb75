import type { Extensions } from '../../contract/extensions.js'
import type { BaseBuilder, Body, BodySource, ModelName, Rows, Unplaced } from '../../model/index.js'
import { type AddressedMail, breathe, idOf } from '../../world/index.js'
import type { Scenario } from '../format/index.js'
import type { OwnKinds } from '../letters/own-kinds.js'
import { MovedBaseBuilder } from '../moved-base.js'
import type { Enclosed } from '../resolve/enclosures.js'
import type { KeyedThread, Names } from '../resolve/names.js'
import { instantOf } from '../resolve/organizations.js'
import type { Agent } from '../resolve/parts.js'
import type { ScenarioFiles } from '../source/files.js'
import { Texts } from './texts.js'

/** How far loading a scenario is. */
export interface LoadProgress {
  /** Messages loaded so far. */
  readonly messages: number
  /** Messages there will be: an estimate from the threads still to come, and exact once all are there. */
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

/** The bodies of generated mail, composed again whenever somebody reads one. */
class GeneratedBodies {
  readonly #composers: ComposeBody[] = []

  /** Adds what composes the bodies of one mailbox; returns the first part of its body keys. */
  add(compose: ComposeBody): string {
    return String(this.#composers.push(compose) - 1)
  }

  readonly source: BodySource = (bodyKey) => {
    const [mailbox, thread, message] = bodyKey.split(':').map(Number) as [number, number, number]
    const compose = this.#composers[mailbox]
    if (!compose) throw new Error(`No generated mailbox has the body "${bodyKey}".`)
    return compose(thread, message)
  }
}

/** So few that a terminal follows (about 50 ms), so many that pausing costs nothing. */
const messagesPerTurn = 5_000

/** Watches a scenario being loaded: tells how far it is, and lets others have a turn now and then. */
class LoadMeter {
  /** How many threads are to be generated. */
  readonly #threads: number
  readonly #builder: BaseBuilder
  readonly #onProgress: OnProgress | undefined
  #threadsDone = 0
  #nextTurn = messagesPerTurn

  constructor(agents: readonly Agent[], builder: BaseBuilder, onProgress: OnProgress | undefined) {
    this.#threads = agents.reduce((sum, { identity }) => sum + (identity.generate?.threads ?? 0), 0)
    this.#builder = builder
    this.#onProgress = onProgress
  }

  /** Counts a generated thread; when it is time for a turn of the others, gives what to wait for. */
  threadDone(): Promise<void> | undefined {
    this.#threadsDone++
    const messages = this.#builder.count('message')
    if (messages < this.#nextTurn) return undefined
    this.#nextTurn = messages + messagesPerTurn
    this.#onProgress?.({ messages, of: Math.round((messages * this.#threads) / this.#threadsDone) })
    return breathe()
  }

  allDone(): void {
    const messages = this.#builder.count('message')
    this.#onProgress?.({ messages, of: messages })
  }
}

/** What the parts of a scenario are compiled with, and what they came to so far. */
export class Compilation {
  readonly scenario: Scenario
  readonly seed: number
  readonly start: number
  readonly isRefused: boolean
  readonly files: ScenarioFiles
  readonly extensions: Extensions
  readonly names: Names
  readonly enclosed: ReadonlyMap<object, Enclosed>
  readonly ownKinds: OwnKinds
  readonly builder: BaseBuilder
  readonly bodies = new GeneratedBodies()
  readonly texts: Texts
  readonly meter: LoadMeter
  /** Mail that agents send, by the ids of its messages. */
  readonly sent = new Map<string, AddressedMail>()
  /** Who wrote last from outside in the threads that have keys, by their ids. */
  readonly writers = new Map<string, string>()

  constructor(input: CompilationInput) {
    const { scenario, seed, begins, start = begins, names } = input
    this.scenario = scenario
    this.seed = seed
    this.start = begins
    this.isRefused = input.isRefused
    this.files = input.files
    this.extensions = input.extensions
    this.names = names
    this.enclosed = input.enclosed
    this.ownKinds = input.ownKinds
    this.builder = new MovedBaseBuilder(seed, start - begins)
    this.texts = new Texts(seed, begins)
    this.meter = new LoadMeter(names.agents, this.builder, input.onProgress)
  }

  /** Adds a row; a scenario that is refused has none. */
  add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
    return this.isRefused ? ({ ...row, ordinal: 0 } as Rows[M]) : this.builder.add(model, row)
  }

  id(kind: Parameters<typeof idOf>[0], name: string): string {
    return idOf(kind, this.seed, name)
  }

  /** The instant of `-2d` or of an ISO 8601 text. */
  instant(moment: string): number {
    return instantOf(moment, this.start) as number
  }

  /** Who writes from outside in a thread: `Ann <ann@example.com>`. */
  async outsideOf({ id, name, owner }: KeyedThread): Promise<string> {
    return this.writers.get(id) ?? this.texts.somebody(name, owner.locale)
  }
}
