import { invocation } from '../../base/package.js'
import { StateError } from '../../service/model/errors.js'
import { createYielder, startPause, stopwatch, Timers } from '../../service/time/wall-time.js'
import type { WrittenEntry } from '../../service/world/entry-json.js'
import { Fold } from '../../service/world/fold.js'
import type { InitialState } from '../../service/world/initial-state.js'
import type { World } from '../../service/world/world.js'
import type { PersistedSimulator, Persistence, StoryStart, WorldRecord } from '../../service/world/worlds.js'
import type { Claim, LogStore } from './log-store.js'
import { LogWriter } from './log-writer.js'
import { checkStart, continuedStart, stateStartOf } from './state-start.js'

/** A world that this process owns. */
interface Owned {
  readonly writer: LogWriter
  /** When the lease expires, in monotonic milliseconds; until then no other process owns the world. */
  expiresAt: number
}

/** Milliseconds by which two machines may measure the length of a lease differently. */
const leaseMargin = 100

/** Milliseconds after which the time of a clock at a speed is logged again, and the owner of a followed world is checked. */
const interval = 1000

/**
 * The maximum number of attempts to own a world for one request: it may be lost again, or a takeover may
 * outlast the lease.
 */
const maxAttempts = 5

/**
 * Owns worlds whose logs are in a store: takes over a world when a request needs it, and drops those it has
 * lost.
 */
export class LoggedWorlds implements Persistence {
  readonly #store: LogStore
  readonly #reset: boolean
  readonly #warn: (message: string) => void
  readonly #now = stopwatch()
  readonly #owned = new Map<string, Owned>()
  readonly #idsByKey = new Map<string, string>()
  readonly #admissions = new Map<string, Promise<boolean>>()
  /** The last epoch in which this process owned each world. */
  readonly #epochs = new Map<string, number>()
  #attached: PersistedSimulator | undefined
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
    this.#attached = kept
    const start = stateStartOf(kept)
    if (this.#reset) await this.#store.reset()
    // A state of an earlier version may lack some keys.
    const stored = { ...start, ...(await this.#store.open(start)) }
    checkStart(this.#store.name, stored, start)
    const continued = continuedStart(stored, start)
    if (JSON.stringify(continued) !== JSON.stringify(stored)) await this.#store.continueWith(continued)
    void this.#tend()
    // A store with one user: the world's clock resumes immediately, not with the first request.
    if (this.#store.lease < Number.POSITIVE_INFINITY) return
    await this.#ensureOwned(kept.worlds.first.id).catch((error: StateError) => {
      // Reported by the store already; the other worlds can be used.
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
    return this.#isOwned(id) ? undefined : this.#ensureOwned(id, isAwaited)
  }

  async admitWorld(id: string, isAwaited: () => boolean): Promise<void> {
    if (!this.#isOwned(id)) await this.#ensureOwned(id, isAwaited)
  }

  hold(world: World): () => Promise<void> | undefined {
    const writer = this.#owned.get(world.id)?.writer
    return () => writer?.settled()
  }

  async confirm(id: string): Promise<void> {
    const owned = this.#owned.get(id)
    try {
      await owned?.writer.settled()
      const isExpired = owned && this.#owned.get(id) === owned && owned.expiresAt < this.#now()
      if (isExpired) await this.#renew(id, owned)
    } catch {
      this.#drop(id)
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
    if (id === worlds.first.id) return false
    // After an admission that has begun, and before all later ones, which then find no record.
    while (this.#admissions.has(id)) await this.#admissions.get(id)?.catch(() => undefined)
    let existed = false
    const deleting = async (): Promise<boolean> => {
      existed = (await this.find(id)) !== undefined
      if (!existed) return false
      await this.#drop(id)
      await this.#store.remove(id, worlds.keyOf(id))
      return false
    }
    await this.#inTurn(id, deleting)
    return existed
  }

  check(): Promise<void> {
    return this.#store.check()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const owned = [...this.#owned]
    for (const [, { writer }] of owned) writer.world.logTime()
    await Promise.allSettled(owned.map(([, { writer }]) => writer.finish()))
    for (const [, { writer }] of owned) writer.world.suspend()
    const released = owned.map(([id, { writer }]) => ({ id, epoch: writer.epoch, sequence: writer.sequence }))
    this.#owned.clear()
    await this.#store.release(released).catch(() => undefined)
    await this.#store.close()
  }

  /**
   * Logs the time of clocks that run at a speed, so that little time is lost when this process ends. Also
   * drops worlds that have moved to another process while a client follows their events here, since no
   * request may reveal that.
   */
  async #tend(): Promise<void> {
    for (;;) {
      await new Timers().wait(interval, undefined, true)
      if (this.#closed) return
      this.#tendOnce()
    }
  }

  /** By itself, since what waits in a function holds its variables, and with them a world that was deleted. */
  #tendOnce(): void {
    for (const [id, { writer }] of this.#owned) {
      writer.world.logTime()
      if (writer.world.log.followed) void this.confirm(id)
    }
  }

  get #simulator(): PersistedSimulator {
    if (!this.#attached) throw new Error('A state must be attached to its simulator before it is used.')
    return this.#attached
  }

  async #admitKey(key: string, isAwaited: () => boolean): Promise<boolean> {
    const record = await this.#store.find(key)
    if (!record) return false
    this.#idsByKey.set(key, record.id)
    return this.#ensureOwned(record.id, isAwaited)
  }

  #isOwned(id: string): boolean {
    const owned = this.#owned.get(id)
    return owned !== undefined && owned.expiresAt >= this.#now()
  }

  /** Makes this process the owner of a world; resolves to false if there is no such world. */
  async #ensureOwned(id: string, isAwaited = () => true): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (this.#isOwned(id)) return true
      if (!(await this.#acquire(id, isAwaited))) return false
      // A lease that was over before its renewal arrived here, on a busy machine, is renewed again.
      if (!isAwaited() && !this.#owned.has(id)) throw takenByOther(id)
    }
    throw claimedElsewhere(id)
  }

  /** Renews the lease of a world, or takes the world over; concurrent calls share one attempt. */
  #acquire(id: string, isAwaited: () => boolean): Promise<boolean> {
    const pending = this.#admissions.get(id)
    if (pending) return pending
    const owned = this.#owned.get(id)
    return this.#inTurn(id, () => (owned ? this.#renew(id, owned) : this.#takeOver(id, isAwaited)))
  }

  /**
   * Runs a task that decides whether this process owns a world; other requests for the world wait until it
   * ends.
   */
  #inTurn(id: string, decide: () => Promise<boolean>): Promise<boolean> {
    const admission = decide().finally(() => this.#admissions.delete(id))
    this.#admissions.set(id, admission)
    return admission
  }

  async #renew(id: string, owned: Owned): Promise<true> {
    const askedAt = this.#now()
    try {
      const isOwner = await this.#store.isOwner(id, owned.writer.epoch)
      if (isOwner) owned.expiresAt = Math.max(owned.expiresAt, askedAt + this.#store.lease)
      else this.#drop(id)
    } catch (error) {
      this.#drop(id)
      throw error
    }
    return true
  }

  async #takeOver(id: string, isAwaited: () => boolean): Promise<boolean> {
    if (this.#closed) throw new StateError('unavailable', 'This server is being stopped.', 1)
    const { worlds, load } = this.#simulator
    const isFirst = id === worlds.first.id
    let askedAt = this.#now()
    const record = await this.find(id)
    if (!record && !isFirst) return false
    const claim = await this.#store.claim(id, this.#epochs.get(id), isAwaited)
    if (!claim) return true
    // Deleted by another process since its record was read: the claim has restarted its log.
    if (claim.isNew && record && !(await this.find(id))) {
      await this.#store.remove(id, record.api_key)
      return false
    }
    if (claim.problem !== undefined) {
      const remedy = `${invocation} state show ${id} shows what can be read, state drop ${id} deletes it.`
      throw this.#damaged(`the log of "${id}" cannot be read: ${claim.problem}. ${remedy}`)
    }
    if (claim.isNew && this.#epochs.has(id)) {
      this.#warn(
        `${this.#store.name}: the log of "${id}" is missing. Its contents are lost; the world starts over.`,
      )
    }
    // The previous owner may serve reads until its lease expires.
    if (claim.isShared && this.#epochs.get(id) !== claim.epoch - 1) {
      await startPause(this.#store.lease + leaseMargin).over
      askedAt = this.#now()
      // An immediate second claim would make both servers wait for each other.
      if (!(await this.#store.isOwner(id, claim.epoch))) throw claimedElsewhere(id)
    }
    const initialState = record ? await load(record.steps) : worlds.first.initialState
    const replay = await this.#replay(id, claim, initialState)
    const world = record ? worlds.open(id, initialState, record.clock).world : worlds.first
    const owned: Owned = {
      expiresAt: askedAt + this.#store.lease,
      writer: new LogWriter(world, claim, this.#store, {
        now: this.#now,
        onWritten: (sentAt) => {
          owned.expiresAt = Math.max(owned.expiresAt, sentAt + this.#store.lease)
        },
        onLost: () => this.#drop(id),
      }),
    }
    this.#owned.set(id, owned)
    // Its key leads here from now on, however it was named: without a record, it is lost and not served.
    if (record) this.#idsByKey.set(record.api_key, id)
    this.#epochs.set(id, claim.epoch)
    if (replay) world.recover(replay, claim.before)
    else world.start(claim.before)
    return true
  }

  /** Replays the log of a world; undefined if the log is empty. @throws StateError `damaged` */
  async #replay(id: string, log: Claim, initialState: InitialState): Promise<Fold | undefined> {
    if (log.length === 0) return undefined
    const replay = new Fold(initialState)
    const yieldIfDue = createYielder()
    let applied = 0
    try {
      for await (const batch of log.batches()) {
        for (const entry of JSON.parse(batch) as WrittenEntry[]) {
          replay.apply(entry)
          applied++
          const due = yieldIfDue()
          if (due) await due
        }
      }
    } catch (error) {
      if (error instanceof StateError) throw error
      const problem = `entry ${applied + 1} of the log of "${id}" cannot be applied`
      throw this.#damaged(`${problem}: ${(error as Error).message}`)
    }
    return replay
  }

  /** Returns the error for a damaged log, which is also a warning. */
  #damaged(problem: string): StateError {
    const message = `${this.#store.name}: ${problem}`
    this.#warn(message)
    return new StateError('damaged', message)
  }

  /**
   * Drops a world that another process has claimed, that is deleted, or whose log cannot be written. Resolves when nothing
   * is being written to its log any more.
   */
  #drop(id: string): Promise<void> {
    const { worlds } = this.#simulator
    const owned = this.#owned.get(id)
    if (!owned) return Promise.resolve()
    const ended = owned.writer.abandon()
    owned.writer.world.suspend()
    this.#owned.delete(id)
    if (id !== worlds.first.id) {
      worlds.drop(id)
      this.#idsByKey.delete(worlds.keyOf(id))
    }
    return ended
  }
}

function takenByOther(id: string): StateError {
  const problem = `The world "${id}" may be owned by another server, or was changed by this one before a restart. It is not claimed for a client that has ended its side of the connection`
  return new StateError('moved', `${problem}; keep the connection open until the response, or try again.`, 1)
}

function claimedElsewhere(id: string): StateError {
  const problem = `The world "${id}" could not be claimed: another server claims it too, or the store is slow`
  return new StateError('moved', `${problem}. Try again.`, 1)
}
