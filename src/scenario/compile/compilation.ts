import { once } from '../../contract/once.js'
import type {
  BaseBuilder,
  Body,
  BodySource,
  IdentityRow,
  ModelName,
  Rows,
  Unplaced,
} from '../../model/index.js'
import { type AddressedMail, idOf } from '../../world/index.js'
import { MovedBaseBuilder } from '../moved-base.js'
import type { Agent, KeyedMessage, KeyedThread } from '../resolve/names.js'
import { instantOf } from '../resolve/organizations.js'
import type { ResolvedScenario } from '../resolve/resolve.js'
import type { ScenarioFiles } from '../source/files.js'
import { LoadMeter, type OnProgress } from './progress.js'
import { Texts } from './texts.js'

/** What goes with a scenario when it is compiled. */
export interface CompileOptions {
  readonly seed: number
  /** The instant its rows are to begin at; the scenario's own when it is left out. */
  readonly start?: number | undefined
  readonly files: ScenarioFiles
  /** Whether it is compiled only to find what its templates give wrong: without rows and repetitions. */
  readonly isRefused: boolean
  readonly onProgress?: OnProgress | undefined
}

/** A thread that other parts of a scenario refer to, once it has an id. */
export interface CompiledThread {
  readonly id: string
  readonly owner: IdentityRow
  /** Who writes from outside: `Ann <ann@example.com>`. */
  readonly outside: () => Promise<string>
  /** The name of the stream its subject is filled from. */
  readonly subjectFrom: string
}

/** A message that other parts of a scenario refer to, once it has an id. */
export interface CompiledMessage {
  readonly id: string
  readonly owner: IdentityRow
  /** What the names of the streams begin with that its fields are filled from. */
  readonly name: string
  /** The name of the stream its subject is filled from: its own, or that of its thread. */
  readonly subjectFrom: string
  /** Whom it goes to, where an agent sends it. */
  readonly sent: AddressedMail | undefined
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

/** What the parts of a scenario are compiled with, and what they came to so far. */
export class Compilation {
  readonly resolved: ResolvedScenario
  readonly seed: number
  readonly start: number
  readonly isRefused: boolean
  readonly files: ScenarioFiles
  readonly builder: BaseBuilder
  readonly bodies = new GeneratedBodies()
  readonly texts: Texts
  readonly meter: LoadMeter
  readonly rows = new Map<Agent, IdentityRow>()
  readonly messages = new Map<KeyedMessage, CompiledMessage>()
  readonly #threads = new Map<KeyedThread, CompiledThread>()

  constructor(
    resolved: ResolvedScenario,
    { seed, start = resolved.start, files, isRefused, onProgress }: CompileOptions,
  ) {
    this.resolved = resolved
    this.seed = seed
    this.start = resolved.start
    this.isRefused = isRefused
    this.files = files
    this.builder = new MovedBaseBuilder(seed, start - resolved.start)
    this.texts = new Texts(seed, resolved.start)
    this.meter = new LoadMeter(resolved.scenario, this.builder, onProgress)
  }

  /** Adds a row; a scenario that is refused has none. */
  add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
    return this.isRefused ? ({ ...row, ordinal: 0 } as Rows[M]) : this.builder.add(model, row)
  }

  id(kind: Parameters<typeof idOf>[0], name: string): string {
    return idOf(kind, this.seed, name)
  }

  row(agent: Agent): IdentityRow {
    return this.rows.get(agent) as IdentityRow
  }

  /** The language of an agent's mailbox. */
  localeOf({ identity }: Agent): string {
    return identity.locale ?? this.resolved.scenario.locale
  }

  /** The instant of `-2d` or of an ISO 8601 text. */
  instant(moment: string): number {
    return instantOf(moment, this.start) as number
  }

  /** Keeps what a written thread came to. */
  addThread(thread: KeyedThread, compiled: CompiledThread): void {
    this.#threads.set(thread, compiled)
  }

  /** A written thread, or one that mail of the timeline begins. */
  thread(thread: KeyedThread): CompiledThread {
    const known = this.#threads.get(thread)
    if (known) return known
    const { key, owner, begunBy } = thread
    const row = this.row(owner)
    const name = `${row.id}/timeline/${key}`
    const compiled: CompiledThread = {
      id: this.id('thread', name),
      owner: row,
      outside: once(() => this.texts.somebody(name, this.localeOf(owner))),
      subjectFrom: `timeline/${begunBy?.name}/subject`,
    }
    this.#threads.set(thread, compiled)
    return compiled
  }
}
