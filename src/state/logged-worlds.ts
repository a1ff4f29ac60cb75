import {
  formatInstant,
  type InitialState,
  isBeginning,
  type KeptSimulator,
  type LogEntry,
  LogReplay,
  type Persistence,
  StateError,
  startPause,
  stopwatch,
  type World,
  type WorldRecord,
} from '../world/index.js'
import type { Claim, LogStore, StateStart } from './log-store.js'
import { LogWriter } from './log-writer.js'

/** A world that this process owns. */
interface Owned {
  readonly writer: LogWriter
  /** Until when it is sure that nobody else has claimed it, in milliseconds of the process. */
  sure: number
}

/** Milliseconds by which clocks of two machines may differ in the length of a lease. */
const leaseMargin = 100

/** How often it is made sure of a world for one request: where it was lost, or has taken longer than a lease. */
const takeOvers = 5

/** Owns worlds whose logs are in a store: takes them over when they are asked for, and gives up those it has lost. */
export class LoggedWorlds implements Persistence {
  readonly #store: LogStore
  readonly #warn: (message: string) => void
  readonly #now = stopwatch()
  readonly #owned = new Map<string, Owned>()
  readonly #idsByKey = new Map<string, string>()
  readonly #admissions = new Map<string, Promise<boolean>>()
  /** The last epoch in which this process owned a world, for those it owns no more. */
  readonly #epochs = new Map<string, number>()
  #kept: KeptSimulator | undefined
  #closed = false

  /** `warn` gets what somebody must be told who watches over the process. */
  constructor(store: LogStore, warn: (message: string) => void) {
    this.#store = store
    this.#warn = warn
  }

  async recordedStart(): Promise<string | undefined> {
    return (await this.#store.start())?.begins
  }

  async attach(kept: KeptSimulator): Promise<void> {
    this.#kept = kept
    const { scenario, seed, fingerprint, start: begins } = kept.worlds.first.initialState
    const start = { scenario, seed, fingerprint: fingerprint(), begins: formatInstant(begins) }
    const made = await this.#store.start()
    if (made) checkStart(this.#store.name, made, start)
    await this.#store.open(start)
    // Where nobody else can own it, its clock goes on at once.
    if (this.#store.lease < Number.POSITIVE_INFINITY) return
    await this.#ready(kept.worlds.first.id).catch((error: StateError) => {
      // Told already; the others can be used.
      if (error.code !== 'damaged') throw error
    })
  }

  logged(id: string): void {
    this.#owned.get(id)?.writer.changed()
  }

  admit(key: string | undefined, isAwaited: () => boolean): Promise<boolean> | undefined {
    const { worlds } = this.#simulator
    const isFork = key !== undefined && worlds.isForkKey(key)
    const id = isFork ? this.#idsByKey.get(key) : worlds.first.id
    if (id === undefined) return this.#admitKey(key as string, isAwaited)
    return this.#isSure(id) ? undefined : this.#ready(id, isAwaited)
  }

  async admitWorld(id: string, isAwaited: () => boolean): Promise<void> {
    if (!this.#isSure(id)) await this.#ready(id, isAwaited)
  }

  hold(world: World): () => Promise<void> | undefined {
    const writer = this.#owned.get(world.id)?.writer
    return () => writer?.settled()
  }

  async confirm(id: string): Promise<void> {
    const owned = this.#owned.get(id)
    try {
      await owned?.writer.settled()
      if (owned && this.#owned.get(id) === owned && owned.sure < this.#now()) await this.#confirm(id, owned)
    } catch {
      this.#lose(id)
    }
  }

  async create(
    { steps, clock }: Pick<WorldRecord, 'steps' | 'clock'>,
    { scenario, seed }: InitialState,
  ): Promise<WorldRecord> {
    const id = `world_${await this.#store.nextNumber()}`
    const record = { id, api_key: this.#simulator.worlds.keyOf(id), scenario, seed, clock, steps }
    await this.#store.register(record)
    return record
  }

  find(id: string): Promise<WorldRecord | undefined> {
    const { worlds } = this.#simulator
    return id === worlds.first.id ? Promise.resolve(undefined) : this.#store.find(worlds.keyOf(id))
  }

  list(): Promise<readonly WorldRecord[]> {
    return this.#store.list()
  }

  async remove(id: string): Promise<boolean> {
    const { worlds } = this.#simulator
    if (id === worlds.first.id || !(await this.find(id))) return false
    await this.#owned.get(id)?.writer.settled()
    this.#lose(id)
    await this.#store.remove(id, worlds.keyOf(id))
    return true
  }

  check(): Promise<void> {
    return this.#store.check()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const owned = [...this.#owned]
    await Promise.allSettled(owned.map(([, { writer }]) => writer.settled()))
    for (const [, { writer }] of owned) writer.world.suspend()
    const released = owned.map(([id, { writer }]) => ({ id, epoch: writer.epoch, sequence: writer.sequence }))
    this.#owned.clear()
    await this.#store.release(released).catch(() => undefined)
    await this.#store.close()
  }

  get #simulator(): KeptSimulator {
    if (!this.#kept) throw new Error('A state is attached to its simulator before it is used.')
    return this.#kept
  }

  async #admitKey(key: string, isAwaited: () => boolean): Promise<boolean> {
    const record = await this.#store.find(key)
    if (!record) return false
    this.#idsByKey.set(key, record.id)
    return this.#ready(record.id, isAwaited)
  }

  #isSure(id: string): boolean {
    const owned = this.#owned.get(id)
    return owned !== undefined && owned.sure >= this.#now()
  }

  /** Has a world be owned here for sure; gives whether there is such a world. */
  async #ready(id: string, isAwaited = () => true): Promise<boolean> {
    for (let times = 0; times < takeOvers; times++) {
      if (this.#isSure(id)) return true
      if (!(await this.#admit(id, isAwaited))) return false
    }
    throw claimedElsewhere(id)
  }

  /** Makes sure of a world, or takes it over; whoever asks meanwhile waits for the same. */
  #admit(id: string, isAwaited: () => boolean): Promise<boolean> {
    const known = this.#admissions.get(id)
    if (known) return known
    const owned = this.#owned.get(id)
    const admission = (owned ? this.#confirm(id, owned) : this.#takeOver(id, isAwaited)).finally(() => {
      this.#admissions.delete(id)
    })
    this.#admissions.set(id, admission)
    return admission
  }

  async #confirm(id: string, owned: Owned): Promise<true> {
    const asked = this.#now()
    try {
      const isOwner = await this.#store.isOwner(id, owned.writer.epoch)
      if (isOwner) owned.sure = Math.max(owned.sure, asked + this.#store.lease)
      else this.#lose(id)
    } catch (error) {
      this.#lose(id)
      throw error
    }
    return true
  }

  async #takeOver(id: string, isAwaited: () => boolean): Promise<boolean> {
    if (this.#closed) throw new StateError('unavailable', 'This server is being stopped.', 1)
    const { worlds, load } = this.#simulator
    const isFirst = id === worlds.first.id
    let asked = this.#now()
    const record = await this.find(id)
    if (!record && !isFirst) return false
    const claim = await this.#store.claim(id, isAwaited)
    if (!claim) return true
    if (claim.isNew && this.#epochs.has(id)) {
      this.#warn(
        `${this.#store.name}: the log of "${id}" is gone. What it held is lost; the world begins anew.`,
      )
    }
    // Whoever had it may answer reads until its lease has run out.
    if (claim.isShared && this.#epochs.get(id) !== claim.epoch - 1) {
      await startPause(this.#store.lease + leaseMargin).over
      asked = this.#now()
      // Claiming it once more at once would have both wait for each other.
      if (!(await this.#store.isOwner(id, claim.epoch))) throw claimedElsewhere(id)
    }
    const initialState = record ? await load(record.steps) : worlds.first.initialState
    const replay = this.#replayed(id, claim, initialState)
    const world = record ? worlds.open(id, initialState, record.clock).world : worlds.first
    const owned: Owned = {
      sure: asked + this.#store.lease,
      writer: new LogWriter(world, claim, this.#store, {
        now: this.#now,
        onWritten: (handedOver) => {
          owned.sure = Math.max(owned.sure, handedOver + this.#store.lease)
        },
        onLost: () => this.#lose(id),
      }),
    }
    this.#owned.set(id, owned)
    this.#epochs.set(id, claim.epoch)
    if (replay) world.recover(replay)
    else world.start()
    return true
  }

  /** Applies the log of a world; undefined where it is empty. @throws StateError `damaged` */
  #replayed(id: string, { batches }: Claim, initialState: InitialState): LogReplay | undefined {
    if (batches.length === 0) return undefined
    const replay = new LogReplay(initialState)
    let read = 0
    try {
      for (const entry of entriesIn(batches)) {
        replay.apply(entry)
        read++
      }
    } catch (error) {
      const problem = `${this.#store.name}: entry ${read + 1} of the log of "${id}" cannot be applied: ${(error as Error).message}`
      this.#warn(problem)
      throw new StateError('damaged', problem)
    }
    return replay
  }

  /** Gives up a world that another process has claimed, or whose log cannot be written. */
  #lose(id: string): void {
    const { worlds } = this.#simulator
    const owned = this.#owned.get(id)
    if (!owned) return
    owned.writer.lose()
    owned.writer.world.suspend()
    this.#owned.delete(id)
    if (id === worlds.first.id) return
    worlds.drop(id)
    this.#idsByKey.delete(worlds.keyOf(id))
  }
}

function claimedElsewhere(id: string): StateError {
  return new StateError('moved', `The world "${id}" is being claimed by another server; try again.`, 1)
}

/** Refuses to go on with what was made with another start. @throws StateError `other-start` */
function checkStart(name: string, made: StateStart, start: StateStart): void {
  const remedy = 'Start with that, name another place, or begin anew with --state-reset.'
  if (made.scenario !== start.scenario || made.seed !== start.seed) {
    const [was, is] = [made, start].map(
      ({ scenario, seed }) => `the scenario "${scenario}" with the seed ${seed}`,
    )
    throw new StateError('other-start', `${name} was made with ${was}, and this is ${is}. ${remedy}`)
  }
  if (made.begins !== undefined && made.begins !== start.begins) {
    const problem = `${name} was made with a story that begins at ${made.begins}, and this one begins at ${start.begins}`
    throw new StateError(
      'other-start',
      `${problem}. Leave --start out to go on with it, or begin anew with --state-reset.`,
    )
  }
  if (made.fingerprint === start.fingerprint) return
  const problem = `${name} was made when the scenario "${made.scenario}" held something else than now`
  throw new StateError(
    'other-start',
    `${problem}. Put the scenario back, name another place, or begin anew with --state-reset.`,
  )
}

/** Returns the entries that count, from the last beginning on. */
function entriesIn(batches: readonly string[]): LogEntry[] {
  const entries = batches.flatMap((batch) => JSON.parse(batch) as LogEntry[])
  return entries.slice(Math.max(0, entries.findLastIndex(isBeginning)))
}
