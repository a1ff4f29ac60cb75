import { isJsonObject, parseJson } from '../../base/json.js'
import { givenUp, StateError } from '../../service/model/errors.js'
import { createYielder, Timers } from '../../service/time/wall-time.js'
import { Fold, type WrittenEntry } from '../../service/world/log-lines.js'
import type { InitialState } from '../../service/world/state.js'
import type { World } from '../../service/world/world.js'
import type { PersistedSimulator, Persistence, StoryStart, WorldRecord } from '../../service/world/worlds.js'
import { FolderStore } from './folder-store.js'
import { type Claim, checkStart, type LogStore, stateStartOf } from './log-store.js'
import { RedisStore } from './redis-store.js'

/** Milliseconds after which the owner of a followed world is checked again. */
const interval = 1000

/**
 * Owns worlds whose logs are in a store: takes over a world when a request needs it, and drops those it has
 * lost.
 */
class LoggedWorlds implements Persistence {
  readonly #store: LogStore
  readonly #reset: boolean
  readonly #warn: (message: string) => void
  readonly #owned = new Map<string, LogWriter>()
  readonly #admissions = new Map<string, Promise<boolean>>()
  /** The last epoch in which this process owned each world. */
  readonly #epochs = new Map<string, number>()
  /** What `attach` was called with: first of all. */
  #simulator!: PersistedSimulator
  #closed = false

  /**
   * With `reset`, `attach` deletes what is stored. `warn` is called with what an operator of the process needs to know.
   */
  constructor(store: LogStore, reset: boolean, warn: (message: string) => void) {
    this.#store = store
    this.#reset = reset
    this.#warn = warn
  }

  async recordedStart(): Promise<StoryStart | undefined> {
    return this.#reset ? undefined : this.#store.start()
  }

  async attach(kept: PersistedSimulator): Promise<void> {
    this.#simulator = kept
    const start = stateStartOf(kept)
    checkStart(this.#store.name, await this.#store.open(start, this.#reset), start)
    void this.#watchFollowed()
    // The clock of the first world resumes at once, not with the first request, where no other process may own it.
    if (this.#store.isShared) return
    await this.#ensureOwned(kept.worlds.first.id).catch((error: StateError) => {
      // Reported by the store already; the other worlds can be used.
      if (error.code !== 'damaged') throw error
    })
  }

  logged(id: string): void {
    this.#owned.get(id)?.changed()
  }

  admit(key: string | undefined, isAwaited: () => boolean): Promise<boolean> | undefined {
    const { world, gone } = this.#simulator.worlds.find(key)
    if (gone && key !== undefined) return this.#admitKey(key, isAwaited)
    return this.#owned.has(world.id) ? undefined : this.#ensureOwned(world.id, isAwaited)
  }

  async admitWorld(id: string, isAwaited: () => boolean): Promise<void> {
    await this.#ensureOwned(id, isAwaited)
  }

  hold(world: World): () => Promise<void> | undefined {
    const writer = this.#owned.get(world.id)
    return () => writer?.settled()
  }

  async confirm(id: string): Promise<void> {
    // What fails drops the world.
    await this.#owned
      .get(id)
      ?.settled()
      ?.catch(() => undefined)
  }

  create(
    { steps, clock }: Pick<WorldRecord, 'steps' | 'clock'>,
    { scenario, seed }: InitialState,
  ): Promise<WorldRecord> {
    return this.#store.create((number) => {
      const id = `world_${number}`
      return { id, api_key: this.#simulator.worlds.keyOf(id), scenario, seed, clock, steps }
    })
  }

  find(id: string): Promise<WorldRecord | undefined> {
    const { worlds } = this.#simulator
    return id === worlds.first.id ? Promise.resolve(undefined) : this.#store.find(worlds.keyOf(id))
  }

  list(): Promise<readonly WorldRecord[]> {
    return this.#store.list()
  }

  async remove(id: string): Promise<boolean> {
    const record = await this.find(id)
    if (!record) return false
    await this.#store.remove(record, async () => {
      // Later admissions find no record.
      await this.#admissions.get(id)?.catch(() => undefined)
      await this.#drop(id)
    })
    return true
  }

  check(): Promise<void> {
    return this.#store.check()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const writers = [...this.#owned.values()]
    for (const { world } of writers) world.logTime()
    await Promise.allSettled(writers.map((writer) => writer.finish()))
    for (const { world } of writers) world.suspend()
    this.#owned.clear()
    await this.#store.close()
  }

  /** Drops worlds that have moved to another process while a client follows their events here. */
  async #watchFollowed(): Promise<void> {
    while (!this.#closed) {
      await new Timers().wait(interval, undefined, true)
      for (const [id, { world }] of this.#owned) if (world.log.followed) void this.confirm(id)
    }
  }

  async #admitKey(key: string, isAwaited: () => boolean): Promise<boolean> {
    const record = await this.#store.find(key)
    return record ? this.#ensureOwned(record.id, isAwaited) : false
  }

  /** Makes this process the owner of a world; concurrent calls share one attempt. Resolves to false if there is no such world. */
  async #ensureOwned(id: string, isAwaited = () => true): Promise<boolean> {
    if (this.#owned.has(id)) return true
    let pending = this.#admissions.get(id)
    if (!pending) {
      pending = this.#takeOver(id, isAwaited).finally(() => this.#admissions.delete(id))
      this.#admissions.set(id, pending)
    }
    return pending
  }

  /** Claims a world and goes on where its log ends; resolves to false if there is no such world. */
  async #takeOver(id: string, isAwaited: () => boolean): Promise<boolean> {
    if (this.#closed) throw new StateError('unavailable', 'This server is being stopped.', 1)
    const { worlds, load } = this.#simulator
    const record = await this.find(id)
    if (!record && id !== worlds.first.id) return false
    const claim = await this.#store.claim(id, this.#epochs.get(id), isAwaited)
    // Deleted by another process since its record was read: the claim has begun its log again.
    if (claim.isNew && record && !(await this.find(id))) {
      await this.#store.remove(record, async () => undefined)
      return false
    }
    if (claim.isNew && this.#epochs.has(id)) {
      this.#warn(
        `${this.#store.name}: the log of "${id}" is missing. Its contents are lost; the world starts over.`,
      )
    }
    const initialState = record ? await load(record.steps) : worlds.first.initialState
    const { fold, length } = await this.#read(claim, initialState)
    const world = record ? worlds.open(id, initialState, record.clock).world : worlds.first
    const { epoch, at } = claim
    const onLost = (): void => void this.#drop(id)
    this.#owned.set(id, new LogWriter(world, { store: this.#store, epoch, length, onLost }))
    this.#epochs.set(id, epoch)
    // With a hundred numbers for each millisecond, no owner reaches the first number of the next one.
    world.recover(length > 0 ? fold : undefined, at * 100)
    return true
  }

  /** Applies the log of a world; `length` is that of its lines, in characters. @throws StateError `damaged` */
  async #read({ lines }: Claim, initialState: InitialState): Promise<{ fold: Fold; length: number }> {
    const fold = new Fold(initialState)
    const yieldIfDue = createYielder()
    let length = 0
    for await (const { text, place } of lines()) {
      const entries = parseJson(text)
      try {
        if (!Array.isArray(entries) || !entries.every(isJsonObject))
          throw new Error('it is no list of entries')
        for (const entry of entries as unknown as WrittenEntry[]) fold.apply(entry)
      } catch (error) {
        const message = `${place} is damaged: ${(error as Error).message}.`
        this.#warn(message)
        throw new StateError('damaged', message)
      }
      length += text.length
      const due = yieldIfDue()
      if (due) await due
    }
    return { fold, length }
  }

  /**
   * Drops a world that another process has claimed, that is deleted, or whose log cannot be written. Resolves when nothing
   * is being written to its log any more.
   */
  #drop(id: string): Promise<void> {
    const { worlds } = this.#simulator
    const writer = this.#owned.get(id)
    if (!writer) return Promise.resolve()
    const ended = writer.abandon()
    writer.world.suspend()
    this.#owned.delete(id)
    worlds.drop(id)
    return ended
  }
}

/** Where the logs of worlds are stored. */
interface StateOptions {
  /** A folder on this machine, or the URL of Valkey or Redis: `redis://` or `rediss://`. */
  readonly place: string
  /** A user and a password that replace those of the URL. */
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Whether what is stored is deleted when the worlds are attached: once everything else that a start needs has succeeded. */
  readonly reset?: boolean | undefined
  /** Called with what an operator of the process needs to know. */
  readonly warn: (message: string) => void
}

/** Returns the persistence of a server's worlds; reads nothing yet. @throws StateError `unknown` for a place that cannot be one */
export function openState({ place, username, password, reset = false, warn }: StateOptions): LoggedWorlds {
  if (!/^rediss?:|:\/\//.test(place)) return new LoggedWorlds(new FolderStore(place), reset, warn)
  const url = parseUrl(place)
  if (username !== undefined) url.username = username
  if (password !== undefined) url.password = password
  return new LoggedWorlds(new RedisStore(url, warn), reset, warn)
}

/** Parses a URL of Valkey or Redis, with a number as its path, if any. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^rediss?:$/.test(url.protocol) && /^\/?\d*$/.test(url.pathname)) return url
  const expected = 'a folder, or a URL such as redis://127.0.0.1:6379/0, or rediss:// for TLS'
  const shown = text.replace(/\/\/.*@/, '//***@')
  const remedy = shown === text ? '' : ' In its password, write @ as %40, / as %2F and % as %25.'
  throw new StateError('unknown', `--state ${shown} is not ${expected}.${remedy}`)
}

/** The length of a log, in characters, from which the present state may replace it. */
const leastLength = 65_536

/** What a writer needs besides its world. */
interface WriterOptions {
  readonly store: LogStore
  readonly epoch: number
  /** The length of the log so far, in characters. */
  readonly length: number
  /** Called when a line was refused, or when it is unknown whether it was written. */
  onLost(): void
}

/** Writes the log of a world that this process owns, one line at a time: what changes meanwhile is in the next line. */
class LogWriter {
  readonly world: World
  readonly #options: WriterOptions
  #lost = false
  #sequence = 0
  #length: number
  /** The length at which it is worth a look whether the present state is shorter than half of the log. */
  #look = leastLength
  #inFlight: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(world: World, options: WriterOptions) {
    this.world = world
    this.#options = options
    this.#length = options.length
  }

  /** Schedules a line with the world's new changes after the one in flight. */
  changed(): void {
    if (this.#next) return
    this.#next = Promise.resolve(this.#inFlight).then(() => this.#write())
    // `settled` reports the failure to whoever waits; an unobserved one must not end the process.
    this.#next.catch(() => undefined)
  }

  /**
   * Resolves when all changes so far are durable, and in a shared store, when this process is known to own the world still;
   * undefined if there is nothing to wait for.
   */
  settled(): Promise<void> | undefined {
    if (this.#lost) return Promise.reject(givenUp(this.world.id))
    if (this.#options.store.isShared) this.changed()
    return this.#next ?? this.#inFlight
  }

  /** Writes what is left of the changes, and nothing after that. */
  async finish(): Promise<void> {
    try {
      // Others may come while the last ones are being written.
      while (this.world.output?.changed || this.#next || this.#inFlight) await this.settled()
    } finally {
      this.#lost = true
    }
  }

  /**
   * Stops writing: another process owns the world, the world is deleted, or the log cannot be written. Resolves when the
   * line in flight, if any, has ended.
   */
  async abandon(): Promise<void> {
    this.#lost = true
    await this.#inFlight?.catch(() => undefined)
  }

  async #write(): Promise<void> {
    const written = this.#next
    this.#inFlight = written
    this.#next = undefined
    const { world } = this
    const { store, epoch, onLost } = this.#options
    try {
      if (this.#lost) throw givenUp(world.id)
      const entries = world.takeOutput()
      if (entries.length > 0) await this.#append(JSON.stringify(entries), entries[0]?.type === 'start')
      else if (store.isShared) await store.confirm(world.id, epoch)
    } catch (error) {
      if (!this.#lost) onLost()
      throw error
    } finally {
      if (this.#inFlight === written) this.#inFlight = undefined
    }
  }

  async #append(line: string, isStart: boolean): Promise<void> {
    const whole = isStart ? line : this.#shorter(this.#length + line.length)
    const text = whole ?? line
    const { store, epoch } = this.#options
    const position = { id: this.world.id, epoch, sequence: ++this.#sequence }
    await store.append({ ...position, text, isWhole: whole !== undefined })
    this.#length = whole === undefined ? this.#length + text.length : text.length
  }

  /** Returns the line of the present state if it is shorter than half of a log of that length. */
  #shorter(length: number): string | undefined {
    if (length < this.#look) return undefined
    const whole = JSON.stringify([this.world.writeStart()])
    this.#look = Math.max(leastLength, 2 * whole.length + 1)
    return length >= this.#look ? whole : undefined
  }
}
